package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// fleet is a merged run of boards of two models, whose times differ by their factors.
func fleet(g *rand.Rand, models map[string][]float64) Run {
	r := &record.Run{Prefix: "fleet"}
	r.Info.Merged = []record.MergedRun{{Name: "first"}}
	r.Columns.Params = []record.Column{{Name: "N", Column: "N", Kind: framework.Int.String()}}
	run := Run{Name: "fleet", Run: r}
	var samples []record.Sample
	for _, model := range sortedKeys(models) {
		for d, factor := range models[model] {
			id := fmt.Sprintf("%s%d:cpu", model, d)
			r.Info.Devices = append(r.Info.Devices, record.Device{ID: id, Machine: &machine.Facts{CPU: model}})
			for n := range int64(3) {
				w := record.Row{Key: record.Key{Algorithm: "fft", Version: "v", Processor: framework.CPU, Device: id}, Params: framework.SettingsOf(framework.Values{"N": framework.IntValue(n)}, nil)}
				w.Point, w.Status = len(r.Rows), record.OK
				seconds := 1e-3 * float64(n+1) * factor
				w.Time.Median = record.Measured(seconds)
				for j := range 60 {
					samples = append(samples, record.Sample{Point: w.Point, Version: "v", Mode: "hot", Index: j, Time: seconds * (1 + 0.002*g.NormFloat64())})
				}
				r.Rows = append(r.Rows, w)
			}
		}
	}
	run.Samples = record.SamplesOf(samples)
	return run
}

// factors are of n boards that differ by a standard deviation.
func factors(g *rand.Rand, n int, deviation, mean float64) []float64 {
	return fill(n, func(int) float64 { return mean * (1 + deviation*g.NormFloat64()) })
}

// TestModelsAreComparedOverTheirBoards: a difference of 2 % between two models whose
// boards differ by 3 % is none that is told, however many samples there are; one of
// 20 % is.
func TestModelsAreComparedOverTheirBoards(t *testing.T) {
	g := rand.New(rand.NewPCG(25, 3))
	for _, c := range []struct {
		mean float64
		want Verdict
	}{{1.02, NotTold}, {1.2, Worse}} {
		told := 0
		for range 20 {
			x, err := New([]Run{fleet(g, map[string][]float64{"A": factors(g, 6, 0.03, 1), "B": factors(g, 6, 0.03, c.mean)})}, Options{By: ByDevice})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(x.Levels, " ") != "A B" || len(x.Points) != 3 || len(x.Tables) != 1 {
				t.Fatalf("%v, %d points", x.Levels, len(x.Points))
			}
			cell := x.Tables[0].Cells[1]
			if cell.Instances != 6 {
				t.Fatalf("%+v", cell)
			}
			if cell.Ratio.Verdict == c.want {
				told++
			}
		}
		if told < 17 {
			t.Errorf("a difference of %v: %d of 20 are %q", c.mean, told, c.want)
		}
	}
}

// TestEqualBoardsAreLevels: boards of one model are compared with each other, and the
// one that is not like the others is named.
func TestEqualBoardsAreLevels(t *testing.T) {
	g := rand.New(rand.NewPCG(25, 4))
	list := factors(g, 8, 0.01, 1)
	list[5] = 1.09
	c, err := New([]Run{fleet(g, map[string][]float64{"orin": list})}, Options{By: ByDevice})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Levels) != 8 || c.Levels[0] != "orin0:cpu" || len(c.Spreads) != 1 {
		t.Fatalf("%v, %+v", c.Levels, c.Spreads)
	}
	s := c.Spreads[0]
	if s.Model != "orin" || s.Devices != 8 || s.Points != 3 || len(s.Outliers) != 1 || s.Outliers[0].Device != "orin5:cpu" || math.Abs(s.Outliers[0].Deviation-0.09) > 0.03 ||
		!(s.Deviation > 0.003 && s.Deviation < 0.03) || !(s.Range > 0.07) {
		t.Errorf("%+v", s)
	}
	if text := c.Text(); !strings.Contains(text, "time of 8 devices of orin differs by ") || !strings.Contains(text, "unlike the others: orin5:cpu (+") {
		t.Errorf("%s", text)
	}
	// Without it nothing is named.
	list[5] = 1
	if c, err = New([]Run{fleet(g, map[string][]float64{"orin": list})}, Options{By: ByDevice}); err != nil || len(c.Spreads[0].Outliers) > 0 {
		t.Errorf("%+v, %v", c.Spreads, err)
	}
}

// TestMergedRunsPairByDevice: versions of a merged run are compared on each device.
func TestMergedRunsPairByDevice(t *testing.T) {
	run := fleet(rand.New(rand.NewPCG(25, 5)), map[string][]float64{"orin": {1, 2}})
	for _, w := range run.Rows[:6:6] {
		w.Point, w.Version = len(run.Rows), "w"
		run.Rows = append(run.Rows, w)
	}
	c, err := New([]Run{run}, Options{By: ByVersion})
	if err != nil || len(c.Points) != 6 || strings.Join(c.Factors, " ") != "N device" {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, cell := range c.Tables[0].Cells {
		if r := cell.Ratio; r != nil && r.Value != 1 && math.Abs(r.Value-1) > 0.01 {
			t.Errorf("%+v", cell)
		}
	}
}

// TestOneModelOfRunsApart: GPUs of runs that were not merged are told apart by their
// UUIDs; one GPU in two runs is two values of one device, as ever.
func TestOneModelOfRunsApart(t *testing.T) {
	g := func(name, uuid string) Run {
		r := synthetic(name, []spot{{version: "v", n: 64, samples: fill(20, func(i int) float64 { return 1 + 0.001*float64(i) })}})
		r.Rows[0].Processor, r.Rows[0].Device = framework.GPU, "cuda:0"
		r.Info.Devices = []record.Device{{ID: "cuda:0", Facts: &gpu.Facts{Name: "H200", UUID: uuid}}}
		return r
	}
	c, err := New([]Run{g("a", "1"), g("b", "2")}, Options{By: ByDevice})
	if err != nil || strings.Join(c.Levels, ", ") != "a cuda:0, b cuda:0" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := New([]Run{g("a", "1"), g("b", "1")}, Options{By: ByDevice}); err == nil || !strings.Contains(err.Error(), "both hold device") {
		t.Errorf("%v", err)
	}
}
