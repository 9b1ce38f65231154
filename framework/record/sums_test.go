package record

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// TestInstancesAtARate: counts are added, means are of the instances, the worst is of all;
// how late wake-ups were is said where a release was waited for.
func TestInstancesAtARate(t *testing.T) {
	instance := func(number int, waited int64, highest *measure.Highest) Result {
		r := rateResult(0, framework.FloatValue(1000), 4e-3)
		r.Point.Instance = number
		x := float64(1 + number)
		r.Rate.Rate, r.Rate.Unserved, r.Rate.Waited, r.Rate.Mean, r.Rate.Utilisation, r.Rate.Throughput = 1000*x, int64(3*x), waited, 1e-4*x, 0.25*x, 900*x
		r.Rate.WorstWakeup, r.Rate.Highest = 7e-6*x, highest
		r.Rate.MissLow, r.Rate.MissHigh = 0.001/x, 0.004*x
		return r
	}
	of := func(list ...Result) Rate { return NewRun(Info{}, "p", nil, list).Rows[0].Rate.Get() }
	near := func(x Number, want float64) bool { return x.IsSet() && math.Abs(x.Float()/want-1) < 1e-12 }

	r := of(instance(0, 40, nil), instance(1, 2, nil), instance(2, 0, nil))
	if r.Unserved.Int() != 18 || r.Waited.Int() != 42 || !near(r.Mean, 2e-4) || !near(r.Used, 0.5) || !near(r.Throughput, 1800) || !near(r.WakeWorst, 21e-6) {
		t.Errorf("%+v", r)
	}
	if !near(r.MissLow, 0.001/3) || !near(r.MissHigh, 0.012) || !near(r.MissShare, 9./6000) {
		t.Errorf("misses %v, %v to %v", r.MissShare, r.MissLow, r.MissHigh)
	}
	if !near(r.Hz, 1000*math.Cbrt(6)) || r.Low.IsSet() || r.High.IsSet() || r.Trials.IsSet() {
		t.Errorf("of rates that were asked for: %v, %v to %v after %v trials", r.Hz, r.Low, r.High, r.Trials)
	}
	if r := of(instance(0, 0, nil)); r.WakeWorst.IsSet() {
		t.Errorf("wake-ups %v where none was waited for", r.WakeWorst)
	}
	// Of a search the interval is no narrower than what each of them left open.
	r = of(instance(0, 1, &measure.Highest{Low: 990, High: 1010, Trials: 5}), instance(1, 1, &measure.Highest{Low: 1990, High: 2020, Trials: 6}))
	if r.Trials.Int() != 11 || !(r.Low.Float() < 990) || !(r.High.Float() > 2020) {
		t.Errorf("%v to %v after %v trials", r.Low, r.High, r.Trials)
	}
	if r := of(instance(0, 1, &measure.Highest{Low: 990, High: 1010, Trials: 5})); !near(r.Low, 990) || !near(r.High, 1010) || !near(r.Hz, 1000) {
		t.Errorf("%v, %v to %v", r.Hz, r.Low, r.High)
	}
}

// TestInstancesTogether: the clock is their mean; of their checks that is shown which is
// nearest to its bound, the first of equal ones.
func TestInstancesTogether(t *testing.T) {
	list := []Result{instance(0, 0, 1), instance(0, 1, 1), instance(0, 2, 1)}
	for i, hz := range []float64{1e9, 1.5e9, 2.3e9} {
		list[i].Hot.ClockHz = hz
	}
	list[0].Checks = nil
	list[1].Checks = []framework.Check{{Metric: "a", Error: 1, Bound: 2}, {Metric: "b", Error: 2, Bound: 4}}
	list[2].Checks = []framework.Check{{Metric: "c", Error: 1, Bound: 4}}
	w := NewRun(Info{}, "p", nil, list).Rows[0]
	if math.Abs(w.Time.Clock.Float()-1.6e9) > 1 || w.Metric != "a" || w.Error.Float() != 1 {
		t.Errorf("clock %v, check %s", w.Time.Clock, w.Metric)
	}
	if unchecked := NewRun(Info{}, "p", nil, list[:1]).Rows[0]; unchecked.Metric != "" || unchecked.Error.IsSet() {
		t.Errorf("a check %s of none", unchecked.Metric)
	}
}

// TestDoubtful: a median of a wide interval, or of a level that changed.
func TestDoubtful(t *testing.T) {
	for _, c := range []struct {
		low, high, moved float64
		want             bool
	}{{0.99, 1.01, 0, false}, {0.9, 1.1, 0, true}, {0.99, 1.01, 0.06, true}, {0.99, 1.01, -0.06, true}, {0.99, 1.01, 0.04, false}, {math.NaN(), math.NaN(), 0.06, true}, {math.NaN(), math.NaN(), 0, false}} {
		s := Statistics{Median: Measured(1), Low: Measured(c.low), High: Measured(c.high), Moved: Measured(c.moved)}
		if s.Doubtful() != c.want {
			t.Errorf("%+v: doubtful %v", c, !c.want)
		}
	}
}

// TestEnergyOfAWindow: a sensor with several channels and a counter counts once, and a
// window of no length gives nothing.
func TestEnergyOfAWindow(t *testing.T) {
	channel := func(name string, counter bool, energy float64) measure.ChannelEnergy {
		return measure.ChannelEnergy{Sensor: "nvml", Channel: name, Role: framework.Total, Counter: counter, Power: energy / 2, Energy: energy}
	}
	e := &measure.Energy{Window: 2, Runs: 10, Channels: []measure.ChannelEnergy{channel("one", false, 600), channel("all", true, 800), channel("two", false, 200)}}
	if n, absent := EnergyOf(e); n.Total.Float() != 80 || absent != "" {
		t.Errorf("%v J (%s), want 80", n.Total, absent)
	}
	for name, e := range map[string]*measure.Energy{"no time": {Runs: 10, Channels: e.Channels}, "no runs": {Window: 2, Channels: e.Channels}, "a reason": {Window: 2, Runs: 10, Absent: "no sensor", Channels: e.Channels}, "nothing": nil} {
		if n, absent := EnergyOf(e); n.Total.IsSet() || (absent != "") != (name == "a reason") {
			t.Errorf("%s: %v J (%s)", name, n.Total, absent)
		}
	}
}

// TestUnknownStateHasNoCells: what a file did not tell, or told as 0, is not written as a
// limit; throttling is denied only where something would have told it.
func TestUnknownStateHasNoCells(t *testing.T) {
	for _, c := range []struct {
		state machine.State
		want  string // of throttledBy
	}{
		{machine.State{Fans: map[string]float64{"pwm": 1}}, ""},
		{machine.State{Events: map[string]float64{"oc1": 1}}, noThrottle},
		{machine.State{Cooling: map[string]float64{"fan": 0}}, noThrottle},
	} {
		if got := stateCells([]Result{{StateBefore: &c.state, StateAfter: &c.state}}); got[throttleColumn] != c.want {
			t.Errorf("%+v: throttled by %q, want %q", c.state, got[throttleColumn], c.want)
		}
	}
	cells := stateCells([]Result{{StateBefore: &machine.State{Clocks: []machine.Clock{{Name: "low", Max: 2e9}, {Name: "high", Min: 1e9}}}}})
	for column, want := range map[string]bool{"clock_low_min_Hz": false, "clock_low_max_Hz": true, "clock_high_min_Hz": true, "clock_high_max_Hz": false, "clock_low_before_Hz": false} {
		if _, has := cells[column]; has != want {
			t.Errorf("%s: %v, want %v", column, has, want)
		}
	}
}

// TestToolsByName: the commit is said unless the version has it, and so is that the
// sources were changed.
func TestToolsByName(t *testing.T) {
	const commit = "0123456789abcdef0123"
	for want, tool := range map[string]Tool{
		"v1":                      {Version: "v1"},
		"v1 (0123456789ab)":       {Version: "v1", Commit: commit},
		"v1 (0123456789ab)+dirty": {Version: "v1", Commit: commit, Modified: true},
		"v2-0123456789ab":         {Version: "v2-0123456789ab", Commit: commit},
		"v2-0123456789ab+dirty":   {Version: "v2-0123456789ab+dirty", Commit: commit, Modified: true},
		"v3 (0123)":               {Version: "v3", Commit: "0123"},
	} {
		if got := tool.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestEnded is when the point ended that ended last.
func TestEnded(t *testing.T) {
	start := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	got := Ended([]Result{{Started: start, Elapsed: 90}, {Started: start.Add(time.Minute), Elapsed: 2.5}, {Started: start.Add(time.Second), Elapsed: 3}})
	if want := start.Add(90 * time.Second); !got.Equal(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Ended(nil); time.Since(got) > time.Hour {
		t.Errorf("%v", got)
	}
}

// TestPeriodsOfSensors are the longest of their device's points, where nothing is known.
func TestPeriodsOfSensors(t *testing.T) {
	point := func(device, sensor string, period float64) Result {
		return Result{Point: plan.Point{Device: device}, Energy: &measure.Energy{Channels: []measure.ChannelEnergy{{Sensor: sensor, Period: period}}}}
	}
	results := []Result{point("cuda:0", "nvml", 0.1), point("cuda:1", "nvml", 0.9), point("cuda:0", "nvml", 0.3), point("cuda:0", "nvml", 0.2), point("cpu", "rapl", 0.5), {Point: plan.Point{Device: "cuda:0"}}}
	var g gathered
	for i := range results {
		g.take(&results[i], results[i].Point.Device)
	}
	got := g.withPeriods([]Sensor{{Name: "nvml", Device: "cuda:0"}, {Name: "nvml", Device: "cuda:1"}, {Name: "nvml"}, {Name: "rapl", Period: 0.7}, {Name: "rapl", Absent: "no"}, {Name: "rapl", Device: "cpu"}})
	var periods []float64
	for _, s := range got {
		periods = append(periods, s.Period)
	}
	if want := []float64{0.3, 0.9, 0.9, 0.7, 0, 0.5}; !slices.Equal(periods, want) {
		t.Errorf("%v, want %v", periods, want)
	}
}

// TestLaunchesAreKept beside the run, found again there, and gone with the next run in the
// folder that has none.
func TestLaunchesAreKept(t *testing.T) {
	r := testResult(0)
	r.Counters = &Counters{Source: "libcupti", Values: map[string]float64{"bytes": 30}, Kernels: 2, Passes: 1, Launches: []LaunchCounters{
		{Kernel: "first", Values: map[string]float64{"bytes": 10}}, {Kernel: "second", Values: map[string]float64{"bytes": 20, "again": 1}}}}
	dir := t.TempDir()
	run := NewRun(Info{}, "p", nil, []Result{r, testResult(1)})
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []KernelCounter{{0, "stockham", 0, "first", "bytes", 10}, {0, "stockham", 1, "second", "again", 1}, {0, "stockham", 1, "second", "bytes", 20}}
	for name, of := range map[string]*Run{"in memory": run, "of files": back} {
		if got, err := ReadKernelCounters(dir, of); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if !back.Rows[0].Counting.Get().IsSet() || back.Rows[1].Counting.Get().IsSet() {
		t.Errorf("%+v, %+v", back.Rows[0].Counting, back.Rows[1].Counting)
	}
	// What was read and is written again keeps the launches, which lie there.
	if err := Write(dir, back); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadKernelCounters(dir, back); err != nil || len(got) != 3 {
		t.Errorf("written again: %+v, %v", got, err)
	}
	plain := NewRun(Info{}, "p", nil, []Result{testResult(0)})
	if err := Write(dir, plain); err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{kernelsCSV, countersCSV, powerSamplesCSV} {
		if _, err := os.Stat(filepath.Join(dir, "p_"+f)); err == nil {
			t.Errorf("%s is of another run", f)
		}
	}
	if back, err = Read(dir); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadKernelCounters(dir, back); err != nil || got != nil {
		t.Errorf("of no counters: %+v, %v", got, err)
	}
}

// TestStartedOnceTooOften: within one run, too, a point is not started a third time.
func TestStartedOnceTooOften(t *testing.T) {
	j, err := CreateJournal(t.TempDir(), testHeader)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	p := testResult(0).Point
	for n := range 4 {
		refusal, err := j.Start(p)
		if err != nil || (refusal != "") != (n >= maxStarts) {
			t.Errorf("start %d: %q, %v", n+1, refusal, err)
		}
	}
	if err := j.Withdraw(p); err != nil {
		t.Fatal(err)
	}
	if refusal, err := j.Start(p); refusal != "" || err != nil {
		t.Errorf("after one was withdrawn: %q, %v", refusal, err)
	}
}

// TestNoJournalIsLeftBehind in a published run that is moved aside.
func TestNoJournalIsLeftBehind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, NewRun(Info{Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, "p", nil, []Result{testResult(0)})); err != nil {
		t.Fatal(err)
	}
	moved, err := MoveAside(dir)
	if err != nil || moved == "" {
		t.Fatalf("%q, %v", moved, err)
	}
	if _, err := os.Stat(filepath.Join(moved, JournalFile)); err == nil {
		t.Error("an empty journal is left in it")
	}
	if _, err := os.Stat(filepath.Join(moved, InfoFile)); err != nil {
		t.Error(err)
	}
}

// TestTidyNamesOfThree columns that a run calls the same.
func TestTidyNamesOfThree(t *testing.T) {
	r := testResult(0)
	r.Point.Params = framework.Values{"run": framework.IntValue(5), "run_2": framework.IntValue(6)}
	r.Point.ParamOrder = []string{"run", "run_2"}
	_, rows := tidied(t, NewRun(Info{}, "p", nil, []Result{r}), "name")
	if got := rows[0]; got["run"] != "5" || got["run_2"] != "6" || got["run_3"] != "name" {
		t.Errorf("%v", got)
	}
}

// TestLimitsOfADevice are those of its power mode, where it has some.
func TestLimitsOfADevice(t *testing.T) {
	info := Info{Devices: []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 1}}, {ID: "cuda:0", PowerMode: "15W", Ceilings: Ceilings{Copy: 2}}, {ID: "cuda:0", PowerMode: "30W", Ceilings: Ceilings{Copy: 3}}}}
	for _, c := range []struct {
		device, mode string
		want         float64
	}{{"cpu", "", 1}, {"cpu", "15W", 1}, {"cuda:0", "15W", 2}, {"cuda:0", "30W", 3}, {"cuda:0", "50W", 0}, {"cuda:0", "", 0}, {"cuda:1", "15W", 0}} {
		if got := info.Limits(c.device, c.mode).Copy; got != c.want {
			t.Errorf("%s in %q: %v, want %v", c.device, c.mode, got, c.want)
		}
	}
}

// TestToolOfTheLinker: what the linker was told counts.
func TestToolOfTheLinker(t *testing.T) {
	was, of := version, commit
	t.Cleanup(func() { version, commit = was, of })
	version, commit = "v9", "feedbeef"
	if got := ThisTool(); got.Version != "v9" || got.Commit != "feedbeef" {
		t.Errorf("%+v", got)
	}
	version, commit = "", ""
	if got := ThisTool(); got.Version == "" || got.Version == "v9" || got.Commit == "feedbeef" {
		t.Errorf("%+v", got)
	}
}

// TestWhyNotAllIsCounted: a note says it where there is no reason for nothing.
func TestWhyNotAllIsCounted(t *testing.T) {
	for _, c := range []Counters{{Source: "s", Note: "some"}, {Absent: "none", Note: "some"}, {Source: "s"}} {
		var row Row
		if row.count(&c); row.Counting.Get().Absent != map[bool]string{true: c.Absent, false: c.Note}[c.Absent != ""] || !row.Counting.Get().IsSet() {
			t.Errorf("%+v: %+v", c, row.Counting)
		}
	}
}

// TestWhatCannotBeRemoved is an error: a file of another run would be taken for this one's.
func TestWhatCannotBeRemoved(t *testing.T) {
	for _, kind := range []string{powerSamplesCSV, kernelsCSV, countersCSV, rateCSV, latencyCSV} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "p_"+kind, "in the way"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(dir, NewRun(Info{}, "p", nil, []Result{testResult(0)})); err == nil {
			t.Errorf("%s was not removed, and nothing said so", kind)
		}
	}
}

// TestPowerWithoutReadings leaves no file of them, as no power does.
func TestPowerWithoutReadings(t *testing.T) {
	for _, readings := range []int{0, 1} {
		r, dir := testResult(0), t.TempDir()
		r.Energy = &measure.Energy{Absent: "too short", Samples: make([]measure.PowerSample, readings)}
		if err := Write(dir, NewRun(Info{}, "p", nil, []Result{r})); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, "p_"+powerSamplesCSV)); (err == nil) != (readings > 0) {
			t.Errorf("%d readings: %v", readings, err)
		}
	}
}

// TestAnInstanceWithoutSamples does not take the others' time away.
func TestAnInstanceWithoutSamples(t *testing.T) {
	list := []Result{instance(0, 0, 1), instance(0, 1, 1), instance(0, 2, 1)}
	list[1].Hot.Samples = nil
	if w := NewRun(Info{}, "p", nil, list).Rows[0]; math.Abs(w.Time.Median.Float()-1.002) > 1e-9 || w.Time.Samples.Int() != 40 {
		t.Errorf("%+v", w.Time)
	}
}

// TestRailsOfOneRun: each channel's energy and what is not known of it, by the run.
func TestRailsOfOneRun(t *testing.T) {
	r := sustained(60, 61.2)
	got := newRow([]Result{r}, rowNames{}, Ceilings{}).Rails
	for _, want := range []Rail{{Measured(30), Measured(10), Measured(15), Measured(0.75), Number{}}, {Measured(30.6), Measured(10), Measured(15.3), Measured(0.25), Measured(0.75)}} {
		found := false
		for _, rail := range got {
			found = found || rail == want
		}
		if !found {
			t.Errorf("no %+v in %+v", want, got)
		}
	}
}

// TestOriginOfModes: a row's device is that of its power mode, in a merged run with its
// machine's name.
func TestOriginOfModes(t *testing.T) {
	facts := func(name string) *gpu.Facts { return &gpu.Facts{Name: name} }
	r := &Run{Info: Info{Name: "desk", Machine: machine.Facts{CPU: "a CPU"}, Devices: []Device{{ID: "cuda:0", PowerMode: "15W", Facts: facts("slow"), Driver: "1"}, {ID: "cuda:0", PowerMode: "30W", Facts: facts("fast"), Driver: "2"},
		{ID: "cuda:1", Facts: facts("other"), Driver: "3"}, {ID: "board:cpu", Machine: &machine.Facts{CPU: "A57"}}}}}
	for _, c := range []struct{ device, mode, machine, name, driver string }{
		{"cuda:0", "15W", "desk", "slow", "1"}, {"cuda:0", "30W", "desk", "fast", "2"}, {"cuda:0", "50W", "desk", "a CPU", ""}, {"cuda:1", "30W", "desk", "other", "3"},
		{"cuda:1", "", "desk", "other", "3"}, {"cpu", "", "desk", "a CPU", ""}, {"board:cpu", "", "board", "A57", ""},
	} {
		o := r.Origin("x", &Row{Key: Key{Device: c.device, PowerMode: c.mode}})
		if o.Machine != c.machine || o.DeviceName != c.name || o.Driver != c.driver {
			t.Errorf("%s in %q: %+v", c.device, c.mode, o)
		}
	}
}
