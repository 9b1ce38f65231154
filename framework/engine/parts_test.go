package engine

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/cupti"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/internal/linux"
)

// warm is a sensor with a temperature.
type warm struct{ meter }

func (warm) Channels() []framework.Channel {
	return append(meter{}.Channels(), framework.Channel{Name: "chip", Unit: "degC"})
}

func (warm) Sample(dst []float64) error {
	dst[1] = 55
	return meter{}.Sample(dst)
}

// sensing is a worker with such a sensor, of a machine of 40 °C; it keeps what the sensor
// was opened for.
func sensing(t *testing.T, c config.Config) (w *worker, opened *[]framework.SensorEnv) {
	t.Helper()
	opened = &[]framework.SensorEnv{}
	root := t.TempDir()
	heat(t, root, "40")
	if c.Measure == (config.Measure{}) {
		c.Measure = config.DefaultMeasure()
	}
	w = &worker{setup: setup{Options: Options{Config: &c, Choices: Choices{Root: root}}, GPU: "GPU-1234", PCI: "0000:01:00.0"}, plugins: Plugins{Sensors: []framework.SensorFactory{{Name: "warm", Open: func(env framework.SensorEnv) (framework.Sensor, error) {
		*opened = append(*opened, env)
		return warm{}, nil
	}}}}}
	return w, opened
}

// TestTemperatures of a processor are the machine's and its sensors'; no GPU is opened for
// those of the CPU, nor where a program of its own uses it.
func TestTemperatures(t *testing.T) {
	for _, c := range []struct {
		device string
		config config.Config
		gpu    string // that the sensors are opened for
	}{
		{"cpu", config.Config{}, ""},
		{"cuda:0", config.Config{Executable: "program"}, "GPU-1234"},
		{"cuda:0", config.Config{Command: []string{"program"}}, "GPU-1234"},
	} {
		w, opened := sensing(t, c.config)
		got := w.temperatures(c.device)
		if len(got) != 2 || slices.Max(slices.Collect(maps.Values(got))) != 55 || w.device != nil {
			t.Errorf("%s: %v", c.device, got)
		}
		if env := *opened; len(env) != 1 || env[0].GPU != c.gpu || (env[0].PCI != "") != (c.gpu != "") {
			t.Errorf("%s: sensors opened for %+v", c.device, env)
		}
	}
}

// TestNoSensorsNoMeter: without a sensor there is no meter, and nothing is said of one.
func TestNoSensorsNoMeter(t *testing.T) {
	w, _ := sensing(t, config.Config{Sensors: []string{}})
	if s := w.sensors(framework.CPU); s.meter != nil || s.states != nil {
		t.Errorf("%+v", s)
	}
}

// TestPointsOfAnEngine: its own device's, the shared ones, and those that are skipped.
func TestPointsOfAnEngine(t *testing.T) {
	for _, c := range []struct {
		device string
		point  plan.Point
		want   bool
	}{
		{"", plan.Point{Device: "cuda:1"}, true},
		{"cuda:1", plan.Point{Device: "cuda:1"}, true},
		{"cuda:0", plan.Point{Device: "cuda:1"}, false},
		{"cuda:0", plan.Point{Device: "cuda:1", Shared: "cuda"}, true},
		{"cuda:0", plan.Point{Device: "cuda:1", Skip: "not here"}, true},
	} {
		if got := New(Options{Device: c.device}).runs(c.point); got != c.want {
			t.Errorf("an engine of %q runs %+v: %v", c.device, c.point, got)
		}
	}
}

// TestUnknownMetricsHaveSuggestions by their whole names or by what is before the dot.
func TestUnknownMetricsHaveSuggestions(t *testing.T) {
	err := unknownMetrics(&cupti.UnknownMetrics{Chip: "GA102", Names: []string{"dram__byte.sum", "l1tex__t_bites.avg", "nonsense"}, Known: []string{"dram__bytes.sum", "l1tex__t_bytes"}})
	const want = "counters: chip GA102 has no metric dram__byte.sum (did you mean dram__bytes.sum?), l1tex__t_bites.avg (did you mean l1tex__t_bytes?), nonsense; ncu --query-metrics lists all"
	if err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestHeldMemory is what the worker took since it was first asked for: another process's
// is nothing, this one's grows with what is written to.
func TestHeldMemory(t *testing.T) {
	e := New(Options{})
	if got := e.held(); got != 0 {
		t.Errorf("%d bytes of no worker", got)
	}
	if e.worker = (&process{}); e.held() != 0 {
		t.Error("something is held by a worker of no process")
	}
	e.worker = &process{group: os.Getpid()}
	if got := e.held(); got != 0 {
		t.Errorf("%d bytes at first", got)
	}
	const took = 256 << 20
	// Not of the heap, which may still hold pages of earlier tests.
	memory, err := unix.Mmap(-1, 0, took, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	for i := 0; i < took; i += 4096 {
		memory[i] = 1
	}
	if got := e.held(); got < took/2 || got > 4*took {
		t.Errorf("%d bytes are held after %d were taken", got, took)
	}
	e.worker = nil
}

// TestWorkersOfAMode: after a switch of the mode as many CPUs are used as it leaves.
func TestWorkersOfAMode(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly, o.Workers = true, 1000 })
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all := machine.AllowedCPUs()
	b.EnterMode(func(string) error { return linux.SchedSetaffinity(0, all[:1].Set()) }, nil) // the mode has one CPU
	defer linux.SchedSetaffinity(0, all.Set())                                               //nolint:errcheck // it was so before
	p := pointOf("ok", 1)
	p.PowerMode = "low"
	b.results(t, p)
	if b.opt.Workers != 1 {
		t.Errorf("%d workers, want 1", b.opt.Workers)
	}
}

// TestTimeToCool is not taken from the time that a point has.
func TestTimeToCool(t *testing.T) {
	t.Parallel()
	b := newBed(t, func(o *Options) { o.Config.Measure.PointTimeout, o.Config.Measure.CoolDown = 0.3, 0.2 })
	heat(t, b.opt.Root, "40")
	if r := b.results(t, pointOf("hangs", 1))[0]; r.Status != record.Timeout || r.Elapsed < 0.5 || r.Reason != "no result after 0.3 s (measure.point_timeout_s), in verify" {
		t.Errorf("%s after %v s: %s", r.Status, r.Elapsed, r.Reason)
	}
}

// TestTunedPointsSayBy what their tunables are.
func TestTunedPointsSayBy(t *testing.T) {
	b := newBed(t, func(o *Options) { o.VerifyOnly = true })
	tuned, plain := pointOf("ok", 1), pointOf("ok", 2)
	tuned.Tuned = "of wisdom.json"
	got := b.results(t, tuned, plain)
	if !slices.Contains(got[0].Notes, "tunables: of wisdom.json") || strings.Contains(strings.Join(got[1].Notes, "\n"), "tunables") {
		t.Errorf("%q and %q", got[0].Notes, got[1].Notes)
	}
}

// TestASearchKeepsProblems, which it goes back and forth between, as far as they fit.
func TestASearchKeepsProblems(t *testing.T) {
	for bytes, want := range map[int64]string{
		1:       "problem 1, problem 2, close 1, close 2",
		1 << 60: "problem 1, close 1, problem 2, close 2, problem 1, close 1, problem 2, close 2",
	} {
		l := &log{}
		w := &worker{setup: setup{Options: Options{Trial: true}}, factory: &framework.Factory{HostBytes: func(framework.Values) int64 { return bytes },
			NewProblem: func(_ framework.Env, params framework.Values) (framework.Problem, error) {
				l.add("problem %s", params["N"])
				return &problem{l, params["N"].String()}, nil
			}}}
		for _, n := range []int64{1, 2, 1, 2, 2} {
			if _, err := w.problem(pointOf("ok", n), framework.Env{}); err != nil {
				t.Fatal(err)
			}
		}
		w.close()
		if got := strings.Join(l.take(), ", "); got != want {
			t.Errorf("of %d bytes: %s, want %s", bytes, got, want)
		}
	}
}

// TestADeviceThatIsNotThere ends its worker: the next may find it.
func TestADeviceThatIsNotThere(t *testing.T) {
	w := &worker{setup: setup{Options: Options{Config: &config.Config{Measure: config.DefaultMeasure()}}}}
	if !w.sound() {
		t.Error("a worker that opened nothing is not sound")
	}
	if _, err := w.open("nonsense"); err == nil || w.sound() {
		t.Errorf("%v, sound %v", err, w.sound())
	}
	if _, err := w.open("sim"); err != nil || !w.sound() {
		t.Errorf("%v, sound %v", err, w.sound())
	}
	if _, err := w.open("cuda:0"); err == nil || !strings.Contains(err.Error(), "device cuda:0 asked for after sim") {
		t.Errorf("%v", err)
	}
	w.close()
}

// TestTurnsAreCleanedUpAfter: what a version leaves is said.
func TestTurnsAreCleanedUpAfter(t *testing.T) {
	b := newBed(t, nil)
	got, err := b.Turns(t.Context(), Pair{A: pointOf("ok", 1), B: pointOf("unclean", 1)})
	if err != nil || got.Status != record.Failed || !strings.HasPrefix(got.Reason, "clean up: left over") {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = b.Turns(t.Context(), Pair{A: pointOf("unclean", 1), B: pointOf("unverified", 1)})
	if err != nil || got.Status != record.Failed || !strings.HasPrefix(got.Reason, "verify: no reference") {
		t.Errorf("what failed first is not said: %+v, %v", got, err)
	}
}

// TestPointsUnderLoad: a point says what was loaded beside it, and one that fails under
// the load has failed.
func TestPointsUnderLoad(t *testing.T) {
	b := newBed(t, nil)
	under := func(version, load string) plan.Point {
		p := pointOf(version, 1)
		p.Params[framework.BesideParam] = framework.TextValue(load)
		p.Usage = []string{framework.BesideParam}
		return p
	}
	got := b.results(t, under("ok", "bandwidth_Bps:1e6"), under("ok", "cpu:1"), under("tires", "cpu:1"), under("ok", "none"))
	for i, want := range []string{"ok ", "ok ", "failed run: tired", "ok "} {
		said := slices.ContainsFunc(got[i].Notes, func(n string) bool {
			return strings.HasPrefix(n, "beside: ") && strings.HasSuffix(n, " of 1e+06 bytes per second were read")
		})
		if is := string(got[i].Status) + " " + got[i].Reason; is != want || said != (i == 0) {
			t.Errorf("%s: %s, %q; want %s", got[i].Point.Params[framework.BesideParam], is, got[i].Notes, want)
		}
	}
}

// TestRateHasEnergy: a point at a rate is measured for its energy as others are.
func TestRateHasEnergy(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors, o.Config.Measure.Releases = []string{"meter"}, 20 })
	p := pointOf("ok", 1)
	p.Params[framework.RateParam] = framework.FloatValue(500)
	p.Usage = []string{framework.RateParam}
	if r := b.results(t, p)[0]; r.Status != record.OK || r.Rate == nil || r.Rate.Releases < 20 || r.Energy == nil || r.Energy.Absent != "" {
		t.Errorf("%s %s: %+v, %+v", r.Status, r.Reason, r.Rate, r.Energy)
	}
}

// TestHostMemoryAsAsked: the arrays of a version from input to answer are page-locked where
// the point asks for that.
func TestHostMemoryAsAsked(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stub := drivertest.Build(t)
	gpu := stub.Open(t)
	defer gpu.Close()
	for host, want := range map[string]int{"": 0, framework.PageableHost: 0, framework.PinnedHost: 2} {
		p := plan.Point{Params: framework.Values{framework.TimedParam: framework.TextValue("answer")}, Usage: []string{framework.TimedParam, framework.HostParam}}
		if host != "" {
			p.Params[framework.HostParam] = framework.TextValue(host)
		}
		alg, err := answering(&copiesOnGPU{GPURun: framework.GPURun{Env: framework.Env{Device: gpu}}}, gpu, p)
		if err != nil {
			t.Fatal(err)
		}
		calls := stub.Trace(func() { err = alg.PreRun() })
		if n := count(calls, "cuMemHostAlloc"); err != nil || n != want {
			t.Errorf("%q: %d arrays are page-locked, want %d; %v", host, n, want, err)
		}
		if err := alg.PostRun(); err != nil {
			t.Error(err)
		}
	}
}

// TestDevicesAreDescribed each by itself: of the CPU nothing of the GPU is said that the
// same worker has opened.
func TestDevicesAreDescribed(t *testing.T) {
	stub := drivertest.Build(t, "NO_PARAM_INFO", "ACROSS_PROCESSES")
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)) // the workers' alone
	e := processEngine()
	defer e.Close()
	e.opt.Config.Measure.Ceilings = false
	for _, device := range []string{"cuda:0", "cpu"} {
		d, _, err := e.Ceilings(t.Context(), device)
		if err != nil || d.ID != device || (d.Facts != nil) != (device == "cuda:0") || (d.TimerRate > 0) != (device == "cuda:0") {
			t.Errorf("%s: %+v, %v", device, d, err)
		}
	}
}
