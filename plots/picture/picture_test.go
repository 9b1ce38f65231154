package picture

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// atRates is a version at three rates and the highest, of which one power mode failed.
func atRates() *record.Run {
	var results []record.Result
	for i, mode := range []string{"fast", "slow"} {
		for j, rate := range []framework.Value{framework.FloatValue(10), framework.FloatValue(100), framework.FloatValue(1000), framework.TextValue("max")} {
			r := record.Result{Status: record.OK, Point: plan.Point{ID: 4*i + j, Algorithm: "qr", Version: "v1", Processor: framework.GPU, Device: "cuda:0", PowerMode: mode,
				Params: framework.Values{"rate_hz": rate}, ParamOrder: []string{"rate_hz"}, Usage: []string{"rate_hz"}}}
			if j == 3 && i == 1 {
				r.Status = record.Failed
			} else {
				high := 2e-3
				r.Rate = &measure.Released{Rate: 10 * float64(j+1), Releases: 100, Latency: []measure.Percentile{{Share: 0.5, Value: 1e-3, Low: 0.9e-3, High: &high}, {Share: 0.9, Value: 1e-3}, {Share: 0.99, Value: 2e-3}, {Share: 0.999, Value: 3e-3}}}
			}
			results = append(results, r)
		}
	}
	return record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "rate_hz", Unit: "Hz", Count: 4}}, results)
}

// A rate that was found is no step of the sweep; one that was not found has no point.
func TestFoundRates(t *testing.T) {
	s := NewSweep(atRates())
	if !s.OverRates() || len(s.Run.Rows) != 7 || s.X.Name != "rate_hz" || s.X.Kind != "number" {
		t.Fatalf("over rates %v, %d rows, abscissa %+v", s.OverRates(), len(s.Run.Rows), s.X)
	}
	for _, c := range s.Charts(latencies()[0]) {
		for _, l := range c.Lines {
			for _, p := range l.Points {
				if found := p.X == 40; p.Apart != found {
					t.Errorf("%s at %v Hz: apart %v", l.Name, p.X, p.Apart)
				}
			}
		}
	}
}

// What follows from other parts of a name is not in it.
func TestDecidedIsNotNamed(t *testing.T) {
	run := atRates()
	s := &Sweep{Run: run}
	params, _, _ := run.Varying()
	all := s.undecided(nil, params, false)
	if len(all) != 1 {
		t.Fatalf("%d parameters are named, want one", len(all))
	}
	if twice := s.undecided(all, params, false); len(twice) != 0 {
		t.Errorf("%d parameters are named that the others decide", len(twice))
	}
}

// Where the samples bound no end of an interval, the note says what the arrow is.
func TestOpenIntervals(t *testing.T) {
	p99, median := latencies()[0], latencies()[1]
	s := NewSweep(atRates())
	if note := s.Charts(median)[0].Note; !strings.HasSuffix(note, "error bars: 95 % interval of the percentile") {
		t.Errorf("note: %s", note)
	}
	for i := range s.Run.Rows {
		rate := s.Run.Rows[i].Rate.Get()
		rate.P99Low = record.Measured(1e-3)
		s.Run.Rows[i].Rate = record.RareOf(rate)
	}
	if note := s.Charts(p99)[0].Note; !strings.HasSuffix(note, "95 % interval of the percentile, an arrow where the samples bound no end") {
		t.Errorf("note: %s", note)
	}
}

// timed is versions at sizes, with what decides what a picture is.
func timed(sizes []int64, times map[string]float64, change func(*record.Result)) *record.Run {
	var results []record.Result
	for _, version := range []string{"one", "two"} {
		for _, n := range sizes {
			median := times[version] * float64(n)
			r := record.Result{Status: record.OK, Point: plan.Point{ID: len(results), Algorithm: "scan", Version: version, Processor: framework.GPU, Device: "cuda:0",
				Params: framework.Values{"N": framework.IntValue(n)}, ParamOrder: []string{"N"}},
				Work: framework.Work{NominalFLOPs: n, NominalBytes: 8 * n}}
			r.Cold = &measure.Series{Batch: 1, Converged: true}
			for k := range 20 {
				r.Cold.Samples = append(r.Cold.Samples, median*(1+1e-3*float64(k%5)))
			}
			if change != nil {
				change(&r)
			}
			results = append(results, r)
		}
	}
	return record.NewRun(record.Info{}, "p", []plan.Axis{{Name: "N", Unit: "elements", Count: len(sizes)}}, results)
}

// Even steps are linear up to two decades, factors logarithmic from 30 on, and no axis hides the smaller half of its lines.
func TestAxes(t *testing.T) {
	alike := map[string]float64{"one": 1e-9, "two": 1.1e-9}
	for name, c := range map[string]struct {
		sizes      []int64
		times      map[string]float64
		logX, logY bool
	}{
		"even steps":    {[]int64{1, 11, 21, 31, 41}, alike, false, true},
		"even and long": {[]int64{1, 101, 201}, alike, true, true},
		"factors":       {[]int64{1, 4, 16, 64}, alike, true, true},
		"few factors":   {[]int64{1, 2, 8}, alike, false, false},
		"flat":          {[]int64{8, 9, 10}, map[string]float64{"one": 1e-9, "two": 8e-9}, false, true},
	} {
		all := NewSweep(timed(c.sizes, c.times, nil)).Charts(Time)
		if len(all) != 1 || all[0].X.Log != c.logX || all[0].Y.Log != c.logY || len(all[0].Lines) != 2 {
			t.Errorf("%s: %d charts; x %v, y %v", name, len(all), all[0].X, all[0].Y)
		}
	}
}

// Points that failed are marks without a value; a chart says that it has them, and which row they are.
func TestFaults(t *testing.T) {
	run := timed([]int64{1, 4, 16, 64}, map[string]float64{"one": 1e-9, "two": 2e-9}, func(r *record.Result) {
		if r.Point.Version == "two" && r.Point.ID == 6 {
			r.Status, r.Cold = record.Wrong, nil
		}
	})
	c := NewSweep(run).Charts(Time)[0]
	p := c.Lines[1].Points[2]
	if !c.Faults || !p.Fault || p.Row != 6 || p.Note != "wrong" || c.Lines[1].Points[3].Fault {
		t.Errorf("faults %v, point %+v", c.Faults, p)
	}
}

// An axis does not name several peers, whose names may be longer than it.
func TestPeersTogether(t *testing.T) {
	run := timed([]int64{1, 4}, map[string]float64{"one": 1e-9, "two": 2e-9}, func(r *record.Result) { // two is the faster one at 4
		for i := range r.Cold.Samples {
			if r.Point.ID == 3 {
				r.Cold.Samples[i] /= 10
			}
		}
	})
	for n, want := range map[int]string{1: "speed relative to one", 2: "speed relative to the fastest peer"} {
		run.Info.Peers = []string{"one", "two"}[:n]
		if q := peerSpeed(run); len(q) != 1 || q[0].Title != want {
			t.Errorf("%d peers: %+v", n, q)
		}
	}
}
