package engine

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// stagedOnGPU is three stages of 1, 3 · 2 and 3 µs on the stand-in, whose kernel work takes twice as long behind a flush.
// The last one may not be repeated.
type stagedOnGPU struct{ chainOnGPU }

// stagedReset restores its inputs, which takes 50 µs.
type stagedReset struct{ *stagedOnGPU }

var stagesOnGPU = []struct {
	framework.Stage
	cycles uint64
}{{framework.Stage{Name: "first", Launches: 1}, 2000}, {framework.Stage{Name: "second", Launches: 3, Apart: true}, 4000}, {framework.Stage{Name: "third", Launches: 1}, 6000}}

func stagedVersions() []framework.Version {
	version := func(name string, of func(*stagedOnGPU) framework.BaseAlgorithm) framework.Version {
		return framework.Version{Name: name, Processor: framework.GPU, New: func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			return of(&stagedOnGPU{chainOnGPU{GPURun: framework.GPURun{Env: env}}}), nil
		}}
	}
	return []framework.Version{
		version("gpu-staged", func(s *stagedOnGPU) framework.BaseAlgorithm { return s }),
		version("gpu-staged-reset", func(s *stagedOnGPU) framework.BaseAlgorithm { return stagedReset{s} }),
	}
}

func (s *stagedOnGPU) launch(cycles uint64) error {
	return s.kernel.Launch(s.Env.Stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, cycles)
}

func (s *stagedOnGPU) Stages() (list []framework.Stage) {
	for _, x := range stagesOnGPU {
		list = append(list, x.Stage)
	}
	return list
}

func (s *stagedOnGPU) RunStage(i int) error {
	for range stagesOnGPU[i].Launches {
		if err := s.launch(stagesOnGPU[i].cycles); err != nil {
			return err
		}
	}
	return nil
}

func (s *stagedOnGPU) RunBefore(i int) error {
	for n := range i {
		if err := s.RunStage(n); err != nil {
			return err
		}
	}
	return nil
}

func (s *stagedOnGPU) Repeatable(i int) (bool, error) { return i < 2, nil }
func (s *stagedOnGPU) Run() error                     { return s.RunBefore(len(stagesOnGPU)) }
func (s stagedReset) Reset() error                    { return s.launch(100_000) }

// TestStages: each stage has its own time, whether a run is launched as a graph, restores its inputs or neither; their
// sum is the run's, and shares add up to 1. A point at a rate has none and says so, and one of no stages.
func TestStages(t *testing.T) {
	stream, graph := framework.TextValue(framework.StreamLaunch), framework.TextValue(framework.GraphLaunch)
	const behind, alone = record.StageBehind, record.StageAlone
	cases := []struct {
		version, setting string
		value            framework.Value
		timings          []record.StageTiming
	}{
		{"gpu-staged", "launch", stream, []record.StageTiming{alone, alone, behind}},
		{"gpu-staged", "launch", graph, []record.StageTiming{alone, alone, behind}},
		{"gpu-staged-reset", "launch", stream, []record.StageTiming{behind, behind, behind}},
		{"gpu-chain", "launch", stream, nil},
		{"gpu-staged", "rate_hz", framework.FloatValue(200), nil},
	}
	var points []plan.Point
	for i, c := range cases {
		points = append(points, stagedPoint(i, c.version, c.setting, c.value))
	}
	all := runStaged(t, nil, points...)
	for i, r := range all {
		key := r.Point.Key()
		if r.Status != record.OK || len(r.Stages) != len(cases[i].timings) || (r.NoStages != "") != (cases[i].timings == nil) || r.NoStages != "" && !slices.Contains(r.Notes, "stages: "+r.NoStages) {
			t.Errorf("%s: %s %s, %d stages, %q", key, r.Status, r.Reason, len(r.Stages), r.Notes)
			continue
		}
		for n, s := range r.Stages {
			x := stagesOnGPU[n]
			want := 0.5e-9 * float64(x.cycles) * float64(x.Launches)
			if n == 0 && r.Hot == nil { // behind a flush
				want *= 2
			}
			if got := stats.Median(s.Time.Samples); math.Abs(got-want) > 0.02*want {
				t.Errorf("%s, stage %s takes %g s, want %g", key, s.Name, got, want)
			}
			if s.Name != x.Name || s.Launches != x.Launches || s.Timing != cases[i].timings[n] || (len(s.Doubts) > 0) != x.Apart || s.Energy != nil {
				t.Errorf("%s: %+v", key, s)
			}
		}
	}
	for _, w := range record.NewRun(record.Info{}, "p", nil, all).Rows[:3] {
		shares := 0.0
		for _, s := range w.Stages {
			shares += s.Share.Float()
		}
		if whole, _ := w.Together(); math.Abs(shares-1) > 1e-9 || math.Abs(whole.Float()-1) > 0.02 {
			t.Errorf("%s: shares add up to %g, and the stages to %g of the run", w.Version, shares, whole.Float())
		}
	}
}

// TestEnergyOfStages: with a sensor each stage has a window of its own, without what comes before the stage.
func TestEnergyOfStages(t *testing.T) {
	all := runStaged(t, []string{"meter"}, stagedPoint(0, "gpu-staged", "launch", framework.TextValue(framework.StreamLaunch)))
	if len(all[0].Stages) != len(stagesOnGPU) {
		t.Fatalf("%+v", all[0])
	}
	for _, s := range all[0].Stages {
		if e := s.Energy; e == nil || e.Runs == 0 || (e.Restoring != nil) != (s.Timing == record.StageBehind) || e.Samples != nil {
			t.Errorf("%s: %+v", s.Name, e)
		}
	}
	stages, energy := record.NewRun(record.Info{}, "p", nil, all).Rows[0].Stages, 0.0
	for _, s := range stages[:2] {
		if s.EnergyShare.IsSet() {
			energy += s.EnergyShare.Float()
		}
		if !(s.Energy.Float() > 0) || math.Abs(s.Power.Float()-10) > 0.2 {
			t.Errorf("%+v", s)
		}
	}
	// What the third takes beside the others' energy is too little to be told, where the machine is busy.
	if last := stages[2]; last.Energy.IsSet() && math.Abs(energy+last.EnergyShare.Float()-1) > 1e-9 || last.Energy.IsSet() == (last.Doubts != "") {
		t.Errorf("shares of energy: %+v", stages)
	}
}

// TestStagesInTime: what does not fit into a point's time again is left out with a note, and the point stays.
func TestStagesInTime(t *testing.T) {
	for seconds, want := range map[float64]string{0: "measure.point_timeout_s (0 s) is too short to time all 3", 60: "no energies: measure.point_timeout_s (60 s) is too short for 3 windows of power"} {
		res := &record.Result{Started: record.Now(), Point: stagedPoint(0, "gpu-staged", "launch", framework.TextValue(framework.StreamLaunch))}
		w, _ := sensing(t, config.Config{Measure: config.Measure{PointTimeout: seconds, PowerWindow: 90}})
		note := func(format string, args ...any) {
			res.Notes = append(res.Notes, fmt.Sprintf(format, args...))
		}
		gpu := drivertest.Build(t).Open(t)
		m := config.DefaultMeasure()
		m.MinSamples, m.MinTime, m.Timeout = 2, 0.0001, 0.05
		timer, err := measure.NewGPUTimer(gpu, m)
		if err != nil {
			t.Fatal(err)
		}
		alg := &stagedOnGPU{chainOnGPU{GPURun: framework.GPURun{Env: framework.Env{Device: gpu}}}}
		if err := alg.PreRun(); err != nil {
			t.Fatal(err)
		}
		all, err := w.measureStages(timer, alg, alg.Stages(), res, note, note)
		if err != nil || len(all) != map[float64]int{0: 0, 60: 3}[seconds] || !slices.Contains(res.Notes, want) {
			t.Errorf("%g s: %d stages, %v, %q", seconds, len(all), err, res.Notes)
		}
		if err := errors.Join(alg.PostRun(), timer.Close(), gpu.Close()); err != nil {
			t.Error(err)
		}
	}
}

func stagedPoint(id int, version, setting string, value framework.Value) plan.Point {
	return plan.Point{ID: id, Algorithm: "processes", Version: version, Processor: framework.GPU, Device: "cuda:0",
		Params: framework.Values{setting: value}, Usage: []string{setting}, ParamOrder: []string{setting}}
}

// runStaged runs points with their stages on the stand-in for a driver.
func runStaged(t *testing.T, sensors []string, points ...plan.Point) (all []record.Result) {
	t.Helper()
	stub := drivertest.Build(t, "ACROSS_PROCESSES")
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)) // the workers' alone
	e := processEngine()
	defer e.Close()
	e.opt.VerifyOnly, e.opt.Config.Sensors = false, append([]string{}, sensors...)
	m := &e.opt.Config.Measure
	m.MinSamples, m.MinTime, m.Timeout, m.PowerWindow, m.Releases, m.Ceilings, m.Stages = 6, 0.001, 0.5, 0.02, 20, false, true
	err := e.Run(t.Context(), points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error { all = append(all, r); return nil }))
	if err != nil || len(all) != len(points) {
		t.Fatalf("%d points, %v", len(all), err)
	}
	return all
}
