package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// side makes runs of one level, of three points whose medians differ from run to
// run by a standard deviation of between, and whose samples scatter by 1 %.
func side(rng *rand.Rand, level string, runs int, between, factor float64) (list []Run) {
	for i := range runs {
		var spots []spot
		for n := range 3 {
			median := 1e-3 * factor * math.Exp(between*rng.NormFloat64())
			spots = append(spots, spot{version: "v", n: int64(n), samples: fill(60, func(int) float64 { return median * (1 + 0.01*rng.NormFloat64()) })})
		}
		r := synthetic(fmt.Sprint(level, i), spots)
		r.Level = level
		list = append(list, r)
	}
	return list
}

// gates counts the verdicts of gates of 5 % over sides that differ by factor.
func gates(t *testing.T, a, b int, between, factor float64) map[Verdict]int {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(10*a+b), 7))
	counts, gate := map[Verdict]int{}, 0.05
	for range 40 {
		c := compared(t, append(side(rng, "a", a, between, 1), side(rng, "b", b, between, factor)...), Options{By: ByRun, Gate: &gate})
		counts[c.Gate.Verdict]++
	}
	return counts
}

// TestBetweenRunVarianceCounts: runs of the same code whose medians differ from run to
// run by more than their own intervals say pass as no difference, where there
// are several on a side; and a tenth is found where they differ by 1 %.
func TestBetweenRunVarianceCounts(t *testing.T) {
	for _, c := range []struct {
		a, b            int
		between, factor float64
		verdict         Verdict
		least, most     int
	}{
		{5, 5, 0.05, 1, Worse, 0, 4}, {2, 2, 0.05, 1, Worse, 0, 4}, {1, 5, 0.05, 1, Worse, 0, 4}, {5, 1, 0.05, 1, Worse, 0, 4},
		{5, 5, 0.05, 1.05, Worse, 0, 5}, // at the tolerance
		{5, 5, 0.01, 1.1, Worse, 36, 40}, {5, 5, 0.005, 1, NoWorse, 36, 40},
		{1, 1, 0.05, 1, Worse, 10, 40}, // what one instance cannot know
	} {
		if got := gates(t, c.a, c.b, c.between, c.factor)[c.verdict]; got < c.least || got > c.most {
			t.Errorf("%d and %d runs that differ by %g, factor %g: %s %d of 40 times, want %d to %d", c.a, c.b, c.between, c.factor, c.verdict, got, c.least, c.most)
		}
	}
}

// TestInstances: runs of a level are one value, their geometric mean with
// Student's interval, and so are the instances of one run.
func TestInstances(t *testing.T) {
	runs := side(rand.New(rand.NewPCG(1, 1)), "a", 3, 0.03, 1)
	other := side(rand.New(rand.NewPCG(2, 1)), "b", 1, 0.03, 1)
	repeated := other[0]
	var samples []record.Sample
	for i := range runs[0].Samples.List() { // the same three as instances of one run
		for j, r := range runs {
			s := r.Samples.List()[i]
			s.Instance = j
			samples = append(samples, s)
		}
	}
	repeated.Samples = record.SamplesOf(samples)
	c := compared(t, append(runs, repeated), Options{By: ByRun})
	if strings.Join(c.Levels, " ") != "a b" {
		t.Fatalf("levels %v", c.Levels)
	}
	var logs []float64
	for _, r := range runs {
		logs = append(logs, math.Log(r.Rows[2].Time.Median.Float()))
	}
	mean, half, _ := stats.Student(logs, 0.95)
	for _, level := range c.Levels {
		cell, err := cellOf(c, "time", "2", level)
		if err != nil || cell.Instances != 3 || cell.Samples != 180 || math.Abs(cell.Value-math.Exp(mean)) > 1e-15 || math.Abs(*cell.High-math.Exp(mean+half)) > 1e-15 {
			t.Errorf("%s: %+v, %v; want %v within %v", level, cell, err, math.Exp(mean), half)
		}
	}
	if r := c.Tables[0].Cells[1].Ratio; r == nil || math.Abs(*r.High-math.Exp(stats.DifferenceOf(logs, logs).Half(0.95))) > 0.1 || r.Value != 1 {
		t.Errorf("ratio %+v", r)
	}
	if has(c.ending(), "one instance each") {
		t.Errorf("%v", c.ending())
	}
	if text := c.Text(); !strings.Contains(text, "instances") {
		t.Errorf("no column of instances:\n%s", text)
	}
	if one := compared(t, append(other, runs[0]), Options{By: ByRun}); !has(one.ending(), "one instance each") {
		t.Errorf("%v", one.ending())
	}
}

// TestARunThatBrokeBreaksItsSide: a point that is wrong in one of the runs is not
// ok on that side; one that a run lacks has fewer instances.
func TestARunThatBrokeBreaksItsSide(t *testing.T) {
	gate := 0.05
	rng := rand.New(rand.NewPCG(3, 1))
	a, b := side(rng, "a", 3, 0.001, 1), side(rng, "b", 3, 0.001, 1)
	b[1].Rows[1].Status = record.Wrong
	b[2].Rows = b[2].Rows[:2]
	c := compared(t, append(a, b...), Options{By: ByRun, Gate: &gate})
	if c.Gate.Lost != 1 || len(c.Points) != 2 || !has([]string{c.Unpaired[0].String()}, "b wrong") {
		t.Errorf("%s; %v", c.Gate, c.Unpaired)
	}
	if cell, err := cellOf(c, "time", "2", "b"); err != nil || cell.Instances != 2 {
		t.Errorf("%+v, %v", cell, err)
	}
}

// TestEnergyOfSeveralRuns: the interval holds what the runs scatter by and what
// each says of itself.
func TestEnergyOfSeveralRuns(t *testing.T) {
	make := func(level string, uncertainty float64, energies ...float64) (list []Run) {
		for i, e := range energies {
			r := synthetic(fmt.Sprint(level, i), []spot{{version: "v", n: 1, energy: e, uncertainty: uncertainty * e}})
			r.Level = level
			list = append(list, r)
		}
		return list
	}
	for name, c := range map[string]struct {
		uncertainty float64
		energies    []float64
		half        float64
	}{
		"scatter":     {0.001, []float64{1.9, 2.0, 2.1}, 0.132},
		"uncertainty": {0.1, []float64{2, 2, 2}, 0.105},
	} {
		got := compared(t, append(make("a", 0.01, 1, 1, 1), make("b", c.uncertainty, c.energies...)...), Options{By: ByRun, Metrics: []string{"energy"}})
		cell, err := cellOf(got, "energy", "", "b")
		if err != nil || math.Abs(math.Log(*cell.High/cell.Value)-math.Log(1+c.half)) > 0.03 || cell.Ratio.Verdict != Worse {
			t.Errorf("%s: %+v up to %v, %v", name, cell, *cell.High, err)
		}
	}
}

// TestKnownTooBadly: one instance whose median is known worse than to 5 %, or
// whose level moved, is neither worse nor better within that doubt, however sure a test is.
func TestKnownTooBadly(t *testing.T) {
	gate := 0.05
	for name, spoil := range map[string]func(*record.Statistics){
		"": func(*record.Statistics) {},
		"interval": func(s *record.Statistics) {
			s.Low, s.High = record.Measured(0.949*s.Median.Float()), record.Measured(1.051*s.Median.Float())
		},
		"level": func(s *record.Statistics) { s.Moved = record.Measured(-0.06) },
	} {
		for which := range 2 {
			rng := rand.New(rand.NewPCG(4, 1))
			runs := append(side(rng, "a", 1, 0, 1), side(rng, "b", 1, 0, 1.5)...)
			spoil(&runs[which].Rows[0].Time)
			c := compared(t, runs, Options{By: ByRun, Gate: &gate})
			if r := c.Tables[0].Cells[1].Ratio; r.Verdict != Worse || r.Gate != Worse {
				t.Errorf("far apart, %s of run %d: %s, gate %s", name, which, r.Verdict, r.Gate)
			}
			near := append(side(rng, "a", 1, 0, 1), side(rng, "b", 1, 0, 1.04)...)
			spoil(&near[which].Rows[0].Time)
			verdict := Worse
			if name != "" {
				verdict = Inconclusive
			}
			if r := compared(t, near, Options{By: ByRun}).Tables[0].Cells[1].Ratio; r.Verdict != verdict {
				t.Errorf("near, %s of run %d: %s, %v to %v", name, which, r.Verdict, *r.Low, *r.High)
			}
			if r := c.Tables[0].Cells[3].Ratio; r.Verdict != Worse || r.Gate != Worse {
				t.Errorf("%s of run %d: the other point is %s, gate %s", name, which, r.Verdict, r.Gate)
			}
		}
	}
}

// TestModesOfTimes: a version that has cold samples alone is timed cold, as one
// that has both; and its samples count.
func TestModesOfTimes(t *testing.T) {
	make := func(modes ...string) Run {
		var spots []spot
		for range modes {
			spots = append(spots, spot{version: fmt.Sprint("v", len(spots)), n: 1, samples: fill(60, func(i int) float64 { return 1 + 0.001*float64(i%7) })})
		}
		r := synthetic("a", spots)
		samples := r.Samples.List()
		for i := range samples {
			s := &samples[i]
			s.Mode, _, _ = strings.Cut(modes[s.Point], "+")
		}
		r.Samples = record.SamplesOf(samples)
		for i, m := range modes {
			if strings.HasSuffix(m, "+hot") {
				r.Rows[i].Hot = record.RareOf(record.Statistics{Median: record.Measured(1)})
			}
		}
		return r
	}
	const warning = "caches (v0) meet times with"
	for _, c := range []struct {
		modes []string
		mixed bool
	}{
		{[]string{"cold+hot", "cold"}, false}, {[]string{"cold", "cold"}, false}, {[]string{"hot", "hot"}, false},
		{[]string{"cold", "hot"}, true}, {[]string{"cold+hot", "hot"}, true},
	} {
		runs := []Run{make(c.modes...)}
		_, err := New(runs, Options{By: ByVersion})
		if refused := err != nil && strings.Contains(err.Error(), warning) && strings.Contains(err.Error(), "--mix-caches"); refused != c.mixed {
			t.Errorf("%v: %v", c.modes, err)
		}
		got := compared(t, runs, Options{By: ByVersion, MixCaches: true})
		if has(got.Warnings, warning) != c.mixed {
			t.Errorf("%v: warnings %v", c.modes, got.Warnings)
		}
		for _, cell := range got.Tables[0].Cells {
			if cell.Samples != 60 {
				t.Errorf("%v: %d samples of %s", c.modes, cell.Samples, cell.Level)
			}
		}
	}
}

func TestReadSides(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for _, name := range []string{"a1", "a2", "b1"} {
		r := record.NewRun(record.Info{}, "p", nil, nil)
		d := filepath.Join(dir, name)
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := record.Write(d, r); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, d)
	}
	runs, err := ReadSides([][]string{dirs[:2], dirs[2:]})
	if err != nil || len(runs) != 3 || runs[0].Level != "a1 to a2" || runs[1].Level != "a1 to a2" || runs[2].Level != "b1" {
		t.Errorf("%+v, %v", runs, err)
	}
	if _, err := ReadSides([][]string{dirs[:2], {dirs[0] + "/"}}); err == nil || !strings.Contains(err.Error(), "given twice") {
		t.Errorf("%v", err)
	}
}

// TestRunsCountOnce: of several runs, each with instances that agree, what differs
// between the runs is in the interval.
func TestRunsCountOnce(t *testing.T) {
	several := func(level string, medians ...float64) (list []Run) {
		for i, m := range medians {
			r := synthetic(fmt.Sprint(level, i), []spot{{version: "v", n: 1, samples: fill(60, func(j int) float64 { return m * (1 + 1e-3*float64(j%3)) })}})
			r.Level = level
			samples := r.Samples.List()
			for instance := 1; instance < 4; instance++ {
				for j := range 60 {
					s := samples[j]
					s.Instance = instance
					samples = append(samples, s)
				}
			}
			r.Samples = record.SamplesOf(samples)
			list = append(list, r)
		}
		return list
	}
	c := compared(t, append(several("a", 1, 1.1, 0.9), several("b", 1.1, 1.2, 1)...), Options{By: ByRun})
	cell, err := cellOf(c, "time", "", "b")
	if err != nil || cell.Instances != 3 || cell.Samples != 3*240 || cell.Ratio.Verdict != NotTold || *cell.High < 1.3 {
		t.Errorf("%+v up to %v, %v", cell, *cell.High, err)
	}
}

// TestDisturbedRuns: a run on a machine that others used is not called worse, better or
// no worse than another, however sure a test is; several runs of each side are, and so
// are versions of one run and what ran on a GPU.
func TestDisturbedRuns(t *testing.T) {
	gate := 0.05
	busy := map[string]func(*record.Row){
		"other programs 47 %": func(w *record.Row) { w.Others = record.Measured(0.47) },
		"steal 1.0 %":         func(w *record.Row) { w.Steal = record.Measured(0.01) },
		"workers got 1.0 of 2 CPUs, other programs 30 %": func(w *record.Row) {
			w.Workers, w.CPUs, w.Waiting, w.Others = record.Counted(2), record.Measured(1), record.Measured(0.9), record.Measured(0.3)
		},
	}
	quiet := func(w *record.Row) {
		w.Others, w.Steal, w.Workers, w.CPUs, w.Waiting = record.Measured(0.03), record.Measured(0.001), record.Counted(2), record.Measured(1.99), record.Measured(0.01)
	}
	pair := func(runs int, factor float64, spoil func(*record.Row), on framework.Processor) []Run {
		rng := rand.New(rand.NewPCG(4, 1))
		all := append(side(rng, "a", runs, 0, 1), side(rng, "b", runs, 0, factor)...)
		for i := range all {
			for j := range all[i].Rows {
				quiet(&all[i].Rows[j])
				all[i].Rows[j].Processor = on
			}
		}
		spoil(&all[len(all)-1].Rows[0])
		return all
	}
	for says, spoil := range busy {
		for _, factor := range []float64{0.5, 1, 1.5} {
			c := compared(t, pair(1, factor, spoil, framework.CPU), Options{By: ByRun, Gate: &gate})
			if r := c.Tables[0].Cells[1].Ratio; r.Gate != Inconclusive || r.Verdict != Inconclusive && r.Verdict != NotTold {
				t.Errorf("%s, ratio %v: %s, gate %s", says, factor, r.Verdict, r.Gate)
			}
			if !has(c.Notes, "1 ratios are not judged: others used the machine ("+says+" at the first)") {
				t.Errorf("%s: notes %q", says, c.Notes)
			}
		}
		for name, runs := range map[string][]Run{"quiet": pair(1, 1.5, func(*record.Row) {}, framework.CPU), "several runs": pair(4, 1.5, spoil, framework.CPU), "on a GPU": pair(1, 1.5, spoil, framework.GPU)} {
			c := compared(t, runs, Options{By: ByRun, Gate: &gate})
			if r := c.Tables[0].Cells[1].Ratio; r.Verdict != Worse || r.Gate != Worse || has(c.Notes, "not judged") {
				t.Errorf("%s, %s: %s, gate %s, notes %q", name, says, r.Verdict, r.Gate, c.Notes)
			}
		}
	}
	two := synthetic("a", []spot{{version: "u", n: 1, samples: fill(60, func(i int) float64 { return 1 + 0.001*float64(i%7) })},
		{version: "v", n: 1, samples: fill(60, func(i int) float64 { return 2 + 0.001*float64(i%7) })}})
	two.Rows[1].Others = record.Measured(0.5)
	if c := compared(t, []Run{two}, Options{By: ByVersion}); c.Tables[0].Cells[1].Ratio.Verdict != Worse {
		t.Errorf("versions of one run: %+v", c.Tables[0].Cells[1].Ratio)
	}
}

// TestSharedGPU: a point of a GPU that others used is called nothing, in any dimension, however
// many runs there are and whatever is compared; the others are.
func TestSharedGPU(t *testing.T) {
	gate := 0.05
	const why = "python3 (pid 30, 96 % of the SMs' time)"
	for _, runs := range []int{1, 4} {
		for _, factor := range []float64{0.5, 1, 1.5} {
			rng := rand.New(rand.NewPCG(4, 1))
			all := append(side(rng, "a", runs, 0, 1), side(rng, "b", runs, 0, factor)...)
			last := all[len(all)-1]
			last.Rows[0].Processor = framework.GPU
			last.Rows[0].Neighbours = record.RareOf(record.Neighbours{Shared: why})
			for i := range all {
				all[i].Rows[0].Processor = framework.GPU
			}
			c := compared(t, all, Options{By: ByRun, Gate: &gate})
			var judged, not int
			c.ratios(func(_ Metric, cell Cell, r *Ratio) {
				switch {
				case cell.Point != 0:
					if judged++; factor > 1 && (r.Verdict != Worse || r.Gate != Worse) {
						t.Errorf("%d runs, ratio %v: another point is %s, gate %s", runs, factor, r.Verdict, r.Gate)
					}
				case r.Gate != Inconclusive || r.Verdict != Inconclusive && r.Verdict != NotTold:
					t.Errorf("%d runs, ratio %v: %s, gate %s", runs, factor, r.Verdict, r.Gate)
				default:
					not++
				}
			})
			if judged != 2 || not != 1 || !has(c.Notes, "1 ratios are not judged: others used the GPU (at the first: "+why+"); measure again when it is free") {
				t.Errorf("%d judged, %d not; notes %q", judged, not, c.Notes)
			}
		}
	}
	two := synthetic("a", []spot{{version: "u", n: 1, samples: fill(60, func(i int) float64 { return 1 + 0.001*float64(i%7) })},
		{version: "v", n: 1, samples: fill(60, func(i int) float64 { return 2 + 0.001*float64(i%7) })}})
	two.Rows[1].Neighbours = record.RareOf(record.Neighbours{Shared: why})
	if c := compared(t, []Run{two}, Options{By: ByVersion}); c.Tables[0].Cells[1].Ratio.Verdict != Inconclusive {
		t.Errorf("versions of one run: %+v", c.Tables[0].Cells[1].Ratio)
	}
}

// TestCachesOfAnswers: a kernel is timed cold and an answer as its copies leave the caches,
// and by timed they are compared, with a warning.
func TestCachesOfAnswers(t *testing.T) {
	r := synthetic("a", []spot{{version: "v", n: 1, samples: fill(60, func(int) float64 { return 1 })}, {version: "v", n: 1, samples: fill(60, func(int) float64 { return 3 })}})
	r.Columns.Params = append(r.Columns.Params, record.Column{Name: framework.TimedParam, Column: framework.TimedParam, Kind: framework.Text.String()})
	for i, timed := range []string{framework.KernelTimed, framework.AnswerTimed} {
		r.Rows[i].Params = r.Rows[i].Params.With(framework.TimedParam, framework.TextValue(timed))
	}
	samples := r.Samples.List()
	for i := range samples {
		if samples[i].Point == 0 {
			samples[i].Mode = "cold"
		}
	}
	r.Samples = record.SamplesOf(samples)
	got := compared(t, []Run{r}, Options{By: Dimension(framework.TimedParam)})
	if x := got.Tables[0].Cells[1].Ratio; x == nil || x.Value != 3 || !has(got.Warnings, "times with cold-dirty caches (kernel) meet times with hot caches (answer)") {
		t.Errorf("%+v, warnings %v", x, got.Warnings)
	}
}
