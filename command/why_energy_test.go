package command_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/energy"
	"example.org/bench/analysis/why"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/sensors/ina3221"
	"example.org/bench/test/tree"
	"example.org/bench/tuning/analytical"
)

// A board is a GPU whose energy is made up: so much for each amount.
type energyBoard struct {
	device string
	// channels are the sensor's that make the total, each with its share.
	sensor   string
	channels map[string]float64
	counter  bool
	idle     float64
	clocks   bool // are known, and lowered at some loads
	each     map[string]float64
	cache    string // folder
}

var energyBoards = []energyBoard{
	{"jetson-agx-orin", "ina3221", map[string]float64{"VDD_GPU_SOC": 0.6, "VDD_CPU_CV": 0.1, "VIN_SYS_5V0": 0.3}, false, 9, false, map[string]float64{energy.Running: 2, energy.Active: 4, bound.Float32: 6e-12,
		bound.Float64: 90e-12, bound.Float16: 8e-12, bound.IntegerOf: 5e-12, bound.Multiply: 7e-12, bound.Convert: 20e-12, bound.Special: 25e-12, bound.TensorOf: 1.5e-12, bound.Issue: 60e-12, bound.Accesses: 15e-12,
		bound.SharedOf: 300e-12, bound.L1Bytes: 4e-12, bound.L2Bytes: 20e-12, bound.L2Lines: 800e-12, bound.DRAMBytes: 90e-12, bound.AtomicsOf: 40e-12, bound.LaunchOf: 0.2e-6}, ""},
	{"h200", "nvml", map[string]float64{"energy": 1}, true, 120, true, map[string]float64{energy.Running: 8, energy.Active: 15, bound.Float32: 9e-12, bound.Float64: 28e-12,
		bound.Float16: 17e-12, bound.IntegerOf: 6e-12, bound.Multiply: 9e-12, bound.Convert: 25e-12, bound.Special: 12e-12, bound.TensorOf: 1.1e-12, bound.Issue: 80e-12, bound.Accesses: 20e-12,
		bound.SharedOf: 200e-12, bound.L1Bytes: 3e-12, bound.L2Bytes: 18e-12, bound.L2Lines: 1.2e-9, bound.DRAMBytes: 90e-12, bound.AtomicsOf: 30e-12, bound.LaunchOf: 0.5e-6}, ""},
}

const (
	boardClock    = 1.2e9 // Hz
	boardExponent = 1.5
)

// joules is what a run takes by the board.
func (b energyBoard) joules(w bound.Work, seconds, clock float64) float64 {
	f := clock / boardClock
	core := math.Pow(f, boardExponent)
	sum := (b.idle + b.each[energy.Running] + b.each[energy.Active]*w.Active*core*f) * seconds
	for name, amount := range w.Amounts {
		switch name {
		case bound.DRAMBytes, bound.LaunchOf:
			sum += b.each[name] * amount
		default:
			sum += b.each[name] * amount * core
		}
	}
	return sum
}

// rails is where a Jetson's files show the currents of its input, in mA, and their volts.
var rails = map[string]struct {
	file  string
	volts float64
}{"VDD_GPU_SOC": {"1", 18.792}, "VDD_CPU_CV": {"2", 18.784}, "VIN_SYS_5V0": {"3", 4.968}}

// A follower is a Jetson's tree whose rails follow the load.
type follower struct {
	board energyBoard
	root  string
}

const orinChip = "sys/devices/platform/bus@0/c240000.i2c/i2c-1/1-0040/hwmon/hwmon3/"

func (b energyBoard) follower(t *testing.T) follower {
	t.Helper()
	f := follower{b, tree.Unpack(t, "../sensors/ina3221/testdata/jetson-orin-l4t36.txtar")}
	for name, text := range map[string]string{"samples": "64", "update_interval": "54"} { // as a user may set them: a measurement is shorter
		write(t, filepath.Join(f.root, orinChip, name), text+"\n")
	}
	return f
}

// show sets the rails to a power, in place and by as long a text each time, so that no reading finds half of it.
func (f follower) show(watts float64) error {
	for name, share := range f.board.channels {
		rail, err := os.OpenFile(filepath.Join(f.root, orinChip, "curr"+rails[name].file+"_input"), os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = rail.WriteAt(fmt.Appendf(nil, "%-7.0f\n", 1000*share*watts/rails[name].volts), 0)
		if err := errors.Join(err, rail.Close()); err != nil {
			return err
		}
	}
	return nil
}

// measured is the energy of runs as the framework measures it by the tree's rails.
func (f follower) measured(joules, seconds float64) (*measure.Energy, error) {
	if err := f.show(f.board.idle); err != nil {
		return nil, err
	}
	sensor, err := ina3221.Factory().Open(framework.SensorEnv{Root: f.root, Measuring: true})
	if err != nil {
		return nil, err
	}
	defer sensor.Close()
	m, err := measure.NewMeter([]framework.Sensor{sensor}, config.Measure{PowerWindow: 0.5}, measure.Knowledge{})
	if err != nil {
		return nil, err
	}
	return m.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
		err := f.show(joules / seconds)
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if runs := int64(time.Since(begun).Seconds() / seconds); err != nil || stop(float64(runs)*seconds, runs) {
				return runs, float64(runs) * seconds, errors.Join(err, f.show(f.board.idle))
			}
		}
	})
}

// measured is a point's energy as the board's sensor has it.
func (b energyBoard) measured(joules, seconds, clock float64) *measure.Energy {
	e := &measure.Energy{Window: 2, Runs: int64(math.Round(2 / seconds)), Period: 0.1}
	e.Window = seconds * float64(e.Runs)
	for name, share := range b.channels {
		whole := share * joules * float64(e.Runs)
		e.Channels = append(e.Channels, measure.ChannelEnergy{Sensor: b.sensor, Channel: name, Role: framework.Total, Power: whole / e.Window, Idle: share * b.idle, Energy: whole, Counter: b.counter,
			Uncertainty: 0.01 * whole, Readings: 20, Fresh: 20, Period: 0.1})
	}
	if b.clocks {
		e.Samples = append(e.Samples, measure.PowerSample{Time: -1, Sensor: b.sensor, Channel: "sm_clock", Value: boardClock / 2}, measure.PowerSample{Time: 1, Sensor: b.sensor, Channel: "sm_clock", Value: clock})
	}
	return e
}

// result is a point with a time and, where it is known, an energy.
func result(id int, algorithm, version string, params framework.Values, order []string, seconds float64, e *measure.Energy) record.Result {
	return record.Result{Point: plan.Point{ID: id, Algorithm: algorithm, Version: version, Processor: framework.GPU, Device: "cuda:0", Params: params, ParamOrder: order, Tunables: framework.Values{}},
		Status: record.OK, Cold: &measure.Series{Samples: []float64{seconds, seconds, seconds}, Batch: 1, Converged: true, ClockHz: boardClock}, Energy: e, Started: time.Unix(1, 0)}
}

// written is the folder of a run.
func (b energyBoard) written(t *testing.T, path string, facts gpu.Facts, results []record.Result) string {
	t.Helper()
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	info := record.Info{Config: record.ConfigOf(c), Seed: 1, Started: time.Unix(1, 0), Ended: time.Unix(2, 0), Devices: []record.Device{{ID: "cuda:0", Facts: &facts, Driver: "1"}}}
	if err := record.Write(folder, record.NewRun(info, results[0].Point.Algorithm, nil, results)); err != nil {
		t.Fatal(err)
	}
	return folder
}

// execute runs why with a cache of its own.
func (b energyBoard) execute(t *testing.T, args ...string) (status int, out, errOut string) {
	t.Helper()
	return executeWith(t, "..", []string{"XDG_CACHE_HOME=" + b.cache}, madeUpPath, append([]string{"why"}, args...)...)
}

// explained is what the program says of a run, as JSON.
func (b energyBoard) explained(t *testing.T, args ...string) (list []why.Explained) {
	t.Helper()
	status, out, errOut := b.execute(t, append([]string{"--json"}, args...)...)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	lines := bufio.NewScanner(strings.NewReader(out))
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var e why.Explained
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

// Of made-up boards, one by a Jetson's rails, whose files follow the load and are measured as on a board, and one by a counter, --calibrate finds what each amount takes, and why says what the
// energy of points goes to that it has not seen; where it is wrong, it says that it is not sure.
func TestEnergy(t *testing.T) {
	t.Parallel()
	if status, _, errOut := execute(t, "..", madeUpPath, "why", "results/h200-weakness/correcting/steps.zip"); status != 0 {
		if strings.Contains(errOut, "no usable libnvrtc") {
			t.Skip("needs NVRTC")
		}
		t.Fatal(errOut)
	}
	cache := energyCache(t)
	for _, board := range energyBoards {
		board.cache = cache
		t.Run(board.sensor, func(t *testing.T) { board.explains(t) })
	}
}

func (b energyBoard) explains(t *testing.T) {
	described, err := analytical.FindDevice(b.device)
	if err != nil {
		t.Fatal(err)
	}
	facts := described.Facts
	facts.ComputeMajor, facts.ComputeMinor = 8, 7 // of all, so that each load is compiled once
	facts.L2Bytes = 1 << 20                       // so that little memory is more than it holds
	facts.UUID = "GPU-of-this-test-" + b.sensor
	sources := filepath.Join(b.cache, "bench", energy.Loads) // where --calibrate has them
	path, err := energy.WriteLoads(sources)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	var results []record.Result
	var meters sync.WaitGroup
	energyOf := func(r *record.Result, joules, seconds, clock float64) {
		if b.sensor != "ina3221" {
			r.Energy = b.measured(joules, seconds, clock)
			return
		}
		f := b.follower(t)
		meters.Go(func() {
			var err error
			if r.Energy, err = f.measured(joules, seconds); err != nil {
				t.Error(err)
			}
		})
	}
	order := []string{"LOAD", "WIDTH", "N", "E", "ROUNDS"}
	var sweep struct {
		Loads  []string `json:"LOAD"`
		Widths []string `json:"WIDTH"`
	}
	var whole struct {
		Algorithm struct {
			CUDA struct {
				Constraints []string `json:"constraints"`
			} `json:"cuda"`
		} `json:"algorithm"`
		Sweep any `json:"sweep_arg"`
	}
	whole.Sweep = &sweep
	if err := json.Unmarshal([]byte(c.Text), &whole); err != nil || len(sweep.Loads) < 20 || len(sweep.Widths) != 2 {
		t.Fatalf("%+v, %v", sweep, err)
	}
	for _, load := range sweep.Loads {
		for _, width := range sweep.Widths {
			if thin := whole.Algorithm.CUDA.Constraints[1]; width == "thin" && !strings.Contains(thin, "'"+load+"'") {
				continue
			}
			params := framework.Values{"LOAD": framework.TextValue(load), "WIDTH": framework.TextValue(width), "N": framework.IntValue(1 << 16), "E": framework.IntValue(1 << 18), "ROUNDS": framework.IntValue(16)}
			results = append(results, result(len(results), energy.Loads, "load", params, order, 2e-6, nil))
		}
	}
	list := b.explained(t, b.written(t, path, facts, results))
	if len(list) != len(results) {
		t.Fatalf("%d of %d loads are explained", len(list), len(results))
	}
	for i, e := range list {
		if len(e.Why.Work.Amounts) == 0 {
			t.Fatalf("%s: %s", e.Point.Settings(), e.Why.Missing)
		}
		// A load's own, which other loads beside it do not change.
		seed := fnv.New64a()
		seed.Write([]byte(e.Point.Settings()))
		random := rand.New(rand.NewPCG(1, seed.Sum64()))
		clock := boardClock
		if b.clocks && i%3 == 0 {
			clock *= 0.75
		}
		// What is done takes a half to four times idle power, as it does of loads that are slow and fast, or less: schedulers take their time.
		seconds := max(2e-6, e.Why.Work.Issuing, b.joules(e.Why.Work, 0, clock)/((0.5+3.5*random.Float64())*b.idle))
		energyOf(&results[i], b.joules(e.Why.Work, seconds, clock)*(1+0.01*random.NormFloat64()), seconds, clock)
	}
	meters.Wait()
	calibrated := b.written(t, path, facts, results)
	if err := os.RemoveAll(sources); err != nil { // its own are used
		t.Fatal(err)
	}

	// A point that was never seen, before there is a calibration.
	unseen, err := filepath.Abs("../test/weakness/correcting/stencil.json")
	if err != nil {
		t.Fatal(err)
	}
	point := []record.Result{result(0, "stencil", "stencil", framework.IntValues("N", 4096), []string{"N"}, 1e-4, nil)}
	work := b.explained(t, b.written(t, unseen, facts, point))[0].Why.Work
	seconds := b.joules(work, 0, boardClock) / (2 * b.idle)
	joules := b.joules(work, seconds, boardClock)
	energyOf(&point[0], joules, seconds, boardClock)
	meters.Wait()
	folder := b.written(t, unseen, facts, point)
	if status, out, errOut := b.execute(t, folder); status != 0 || strings.Count(out, "bench why --calibrate") != 1 || strings.Contains(out, "goes to:") {
		t.Errorf("without a calibration: status %d\n%s\n%s", status, out, errOut)
	}

	status, out, errOut := b.execute(t, "--calibrate", calibrated)
	if status != 0 || !strings.Contains(out, fmt.Sprintf("%d loads, within ", len(results))) {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	file := filepath.Join(calibrated, why.CalibrationFile)
	m, err := energy.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Costs {
		made := b.each[c.Of]
		told := c.Of == bound.LaunchOf || made == 0 || c.Uncertainty < made/2 // launches are too few
		if !told || math.Abs(c.Each-made) > 2*c.Uncertainty {                 // four standard deviations
			t.Errorf("%s: %g ± %g, made up %g", c.Of, c.Each, c.Uncertainty, made)
		}
	}
	if b.clocks != (m.ExponentHigh > 0) || b.clocks && (m.ExponentLow > boardExponent || m.ExponentHigh < boardExponent) {
		t.Errorf("exponent %g to %g", m.ExponentLow, m.ExponentHigh)
	}
	for _, args := range [][]string{{folder}, {folder, "--calibration", file}} { // as it is kept for the GPU, and by the file
		e := b.explained(t, args...)[0].Energy
		if e == nil || !e.Sure || math.Abs(e.Predicted-joules) > 0.05*joules || e.Missing != "" {
			t.Fatalf("%q: %+v, made up %g", args, e, joules)
		}
		shares := map[string]float64{}
		for _, p := range e.Groups {
			shares[p.Of] = p.Share
		}
		want, memory := b.idle*seconds/joules, 0.0
		for _, k := range []string{bound.DRAMBytes, bound.L2Bytes, bound.L2Lines, bound.L1Bytes, bound.SharedOf, bound.Accesses, bound.AtomicsOf} {
			memory += work.Amounts[k] * b.each[k] / joules
		}
		if math.Abs(shares[energy.IdlePower]-want) > 0.05 || math.Abs(shares[energy.OfMemory]-memory) > 0.06 {
			t.Errorf("%v, made up: idle power %.2f, memory %.2f", shares, want, memory)
		}
	}
	if status, out, _ = b.execute(t, folder); status != 0 || !strings.Contains(out, "  energy: ") || !strings.Contains(out, "    goes to: ") {
		t.Errorf("status %d\n%s", status, out)
	}
	for i := range m.Costs { // a calibration that is wrong
		if m.Costs[i].Of == bound.DRAMBytes {
			m.Costs[i].Each *= 5
		}
	}
	text, err := m.JSON()
	if err != nil || os.WriteFile(file, text, 0o600) != nil {
		t.Fatal(err)
	}
	if e := b.explained(t, folder, "--calibration", file)[0].Energy; e == nil || e.Sure {
		t.Errorf("five times memory's cost is not seen: %+v", e)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{folder, "--calibration", "nofile"}, "calibration nofile: "},
		{[]string{folder, "--calibration", file, "--space", "space"}, "--calibration does not go with --space"},
	} {
		if status, out, errOut := b.execute(t, c.args...); status != 2 || out != "" || !strings.Contains(errOut, c.want) {
			t.Errorf("%q: status %d, printed %q, %q; want %q alone", c.args, status, out, errOut, c.want)
		}
	}
}
