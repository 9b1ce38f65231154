package search

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/tuning/knn"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/wisdom"
)

// A search over two sizes finds the best at each, in spite of what fails, and
// leaves files that say so.
func TestSearchFindsTheBest(t *testing.T) {
	y, dir := &toy{}, t.TempDir()
	o := y.options("exhaustive")
	o.Confirm, o.Wisdom = 2, filepath.Join(dir, "wisdom.json")
	s := y.open(t, `"versions": ["exact"], "sweep_arg": {"N": [2, 5]}`, o)
	seen := &show{}
	if err := s.Run(t.Context(), journalIn(t, dir), nil, seen); err != nil {
		t.Fatal(err)
	}
	if !s.Found() || len(s.Trials) != 22 {
		t.Fatalf("found %v in %d trials", s.Found(), len(s.Trials))
	}
	if n := len(slices.DeleteFunc(slices.Clone(seen.log), func(e string) bool { return !strings.HasPrefix(e, "tried") })); n != 22 || seen.log[0] != "began" || seen.log[len(seen.log)-1] != "confirmed" {
		t.Errorf("shown: %q", seen.log)
	}
	r, err := s.Write(safefiletest.Hold(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	figures, err := r.Figures(s.Rows(r))
	if err != nil {
		t.Fatal(err)
	}
	again, err := FiguresOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 3 || len(again) != 3 || len(r.Tasks) != 2 { // convergence and two heat maps
		t.Errorf("%d figures, %d of the folder, %d tasks", len(figures), len(again), len(r.Tasks))
	}
	for i, n := range []int64{2, 5} {
		x := r.Tasks[i]
		if x.Points != 11 || x.Evaluations != 11 || x.Invalid != 5 || x.Tunables.Int("A") != 3 || x.Tunables.Int("B") != 2 || x.Cost != seconds(n, 3, 2) ||
			x.Items != n || x.NominalFLOPs != 10*n || x.Defaults.Int("A") != 1 || !strings.Contains(x.Stopped, "every point") || x.Reached < 1 {
			t.Errorf("%+v", x)
		}
		f := x.Final
		if f == nil || f.Best.Value != seconds(n, 3, 2) || f.Default != nil || !strings.Contains(f.Reason, "failed: ") {
			t.Errorf("measured again: %+v", f)
		}
		space, err := recorded.Open(filepath.Join(dir, SpacesDir, x.Recorded+".csv.gz"), nil)
		if err != nil {
			t.Fatal(err)
		}
		invalid := 0
		for p, c := range space.Costs {
			v := space.Space.Tunables(p)
			if math.IsNaN(c) {
				invalid++
			} else if math.Abs(c-seconds(n, v.Int("A"), v.Int("B"))) > 1e-12 {
				t.Errorf("%v at %v", c, v)
			}
		}
		if invalid != 5 {
			t.Errorf("%d invalid points recorded", invalid)
		}
	}
	readBack(t, dir, s, r)
	keepsWisdom(t, s, r)
}

// readBack compares the files with the search.
func readBack(t *testing.T, dir string, s *Search, r *Report) {
	t.Helper()
	read, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	wrote, _ := json.Marshal(r)
	again, _ := json.Marshal(read)
	if string(wrote) != string(again) {
		t.Errorf("read back:\n%s\nwritten:\n%s", again, wrote)
	}
	for _, old := range []bool{false, true} {
		if old { // as bench wrote it before
			file := filepath.Join(dir, TrialsFile)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text = []byte(strings.NewReplacer(",true", ",1", ",false", ",0").Replace(string(text)))
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := read.Trials(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, list := range rows {
			trials := s.trialsOf(s.Versions[0].Tasks[i])
			if len(list) != len(trials) {
				t.Fatalf("%d rows of %d trials", len(list), len(trials))
			}
			for j, x := range trials {
				v := x.Result.Point.Tunables
				if want := []float64{v["A"].Float(), v["B"].Float()}; !slices.Equal(list[j].Values, want) || list[j].Status != x.Result.Status ||
					list[j].Reason != x.Result.Reason || math.Abs(list[j].Time-x.Cost) > 1e-12 {
					t.Errorf("%+v, want %v of %+v", list[j], want, x.Result)
				}
			}
		}
	}
}

// keepsWisdom adds to the file once, and keeps what is better.
func keepsWisdom(t *testing.T, s *Search, r *Report) {
	t.Helper()
	if kept, err := s.KeepWisdom(r); kept.Added != 2 || len(kept.Better)+len(kept.Defaults) != 0 || err != nil {
		t.Errorf("%+v, %v", kept, err)
	}
	w, err := wisdom.Open(s.Wisdom)
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range w.Entries {
		if x := r.Tasks[i]; e.Algorithm != "toy" || e.Version != "exact" || e.Objective != "time" || e.Cost != x.Final.Best.Value || e.DefaultCost != 0 ||
			e.Tunables.Int("A") != 3 || e.Evaluations != 11 || e.Points != 11 || e.Strategy != "exhaustive" || e.Device != s.Place || e.Params.Int("N") != x.Params.Int("N") {
			t.Errorf("%+v", e)
		}
	}
	worse := *r
	worse.Tasks = slices.Clone(r.Tasks[:1])
	worse.Tasks[0].Final = &Final{Best: Estimate{Value: 7}, Default: &Estimate{Value: 8}}
	if kept, err := s.KeepWisdom(&worse); kept.Added != 0 || len(kept.Better) != 1 || kept.Better[0].Cost != seconds(2, 3, 2) || err != nil {
		t.Errorf("%+v, %v", kept, err)
	}
	s.Wisdom = filepath.Join(t.TempDir(), "wisdom.json")
	for _, c := range []struct {
		defaults, kept float64
		tunables       framework.Values
	}{{8, 7, worse.Tasks[0].Tunables}, {7, 7, worse.Tasks[0].Defaults}, {6, 6, worse.Tasks[0].Defaults}} {
		worse.Tasks[0].Final.Default.Value = c.defaults
		kept, err := s.KeepWisdom(&worse)
		w, openErr := wisdom.Open(s.Wisdom)
		if err := errors.Join(err, openErr); err != nil || len(w.Entries) != 1 || w.Entries[0].Cost != c.kept || !sameTunables(w.Entries[0].Tunables, c.tunables) || (len(kept.Defaults) == 1) != (c.defaults <= 7) {
			t.Errorf("defaults of %v s: %+v, %+v, %v", c.defaults, kept, w, err)
		}
	}
	s.Wisdom = ""
	if kept, err := s.KeepWisdom(r); kept.Added != 0 || err != nil {
		t.Errorf("%+v in no file, %v", kept, err)
	}
}

// The best is compared with the defaults in turns; the defaults may be the best;
// the best may not run any more.
func TestFinals(t *testing.T) {
	y := &toy{}
	o := y.options("exhaustive")
	o.Confirm = 1
	s := y.open(t, `"versions": ["real"], "tunables": {"A": [1, 3], "B": [2]}`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	task := s.Versions[0].Tasks[0]
	f := task.Final
	if f == nil || f.Default == nil || task.Defaults != -1 || task.Space.Tunables(f.Point).Int("A") != 3 {
		t.Fatalf("%+v", f)
	}
	// The defaults, A = 1 and B = 1, sleep six times as long.
	if ratio := f.Default.Value / f.Best.Value; ratio < 3 || f.Best.Low > f.Best.Value || f.Best.High < f.Best.Value || f.Best.High == 0 {
		t.Errorf("%+v against %+v", f.Best, f.Default)
	}

	s = y.open(t, `"versions": ["exact"], "tunables": {"A": [1], "B": [1]}`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	if f := s.Versions[0].Tasks[0].Final; f == nil || f.Default != &f.Best || f.Reason != "" {
		t.Errorf("the defaults are the best: %+v", f)
	}

	s = y.open(t, `"versions": ["exact"], "tunables": {"A": [2, 3], "B": [2]}`, o)
	gone := &show{when: func(event string) {
		if event == "ended" {
			y.ran = func(string) { panic("gone") }
		}
	}}
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, gone); err != nil {
		t.Fatal(err)
	}
	if task := s.Versions[0].Tasks[0]; task.Final != nil || task.chosen() != task.best.Point || gone.log[len(gone.log)-1] != "confirmed" {
		t.Errorf("final %+v, shown %q", task.Final, gone.log)
	}
}

// An interruption at any stage keeps what was done, and the search goes on from
// there to the same end: nothing is measured twice.
func TestInterruptedSearchGoesOn(t *testing.T) {
	const lines = `"versions": ["exact"], "sweep_arg": {"N": [1, 3]}`
	whole := (&toy{}).open(t, lines, (&toy{}).options("random"))
	if err := whole.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	for event, trials := range map[string]int{"began": 0, "started": 0, "phase": 0, "done": 1, "tried 5": 5, "ended": 22, "confirmed": 22} {
		t.Run(event, func(t *testing.T) {
			y, dir := &toy{}, t.TempDir()
			o := y.options("random")
			o.Confirm = 1
			ctx, cancel := context.WithCancel(t.Context())
			s := y.open(t, lines, o)
			journal := journalIn(t, dir)
			err := s.Run(ctx, journal, nil, &show{when: func(e string) {
				if e == event {
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) && !errors.Is(err, engine.ErrInterrupted) {
				t.Fatalf("%v", err)
			}
			// The answer may be there before an interruption within a point is seen.
			if n := len(s.Trials); n != trials && (event != "phase" || n != 1) {
				t.Errorf("%d trials, want %d", n, trials)
			}
			if r, err := s.Write(safefiletest.Hold(t, dir)); err != nil || len(r.Tasks) != 2 && trials > 0 {
				t.Errorf("%+v, %v", r, err)
			}
			journal.Close()
			_, earlier, journal, err := record.OpenJournal(dir)
			if err != nil || len(earlier) < trials {
				t.Fatalf("%d results in the journal, %v", len(earlier), err)
			}
			t.Cleanup(func() { journal.Close() })
			y = &toy{} // the worker that was interrupted may still run
			o = y.options("random")
			o.Confirm = 0
			s = y.open(t, lines, o)
			if err := s.Run(t.Context(), journal, earlier, &show{}); err != nil {
				t.Fatal(err)
			}
			if got, want := costs(s), costs(whole); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
			if n := y.count(""); n != 22-len(earlier) {
				t.Errorf("%d points were run, of %d that were missing", n, 22-len(earlier))
			}
		})
	}
}

// A journal that takes no more ends the search.
func TestSearchEndsWhereNothingIsKept(t *testing.T) {
	y := &toy{}
	s := y.open(t, `"versions": ["exact"]`, y.options("random"))
	journal := journalIn(t, t.TempDir())
	journal.Close()
	if err := s.Run(t.Context(), journal, nil, &show{}); !errors.Is(err, os.ErrClosed) || len(s.Trials) != 0 {
		t.Errorf("%d trials, %v", len(s.Trials), err)
	}
}

// What differs between searches that cannot go on from each other's journal.
func TestSelection(t *testing.T) {
	y := &toy{}
	o := y.options("bo")
	o.Device = ""
	if got := o.Selection(nil); got != "--device cuda:0 --objective time --strategy bo" {
		t.Error(got)
	}
	more := o
	more.Budget, more.Confirm, more.Compilers = 3, 9, 4
	if more.Selection(nil) != o.Selection(nil) {
		t.Error("the budget is no part of what a trial means")
	}
	o.Objective, o.Settings = EDP, map[string]float64{"patience": 3, "k": 2}
	o.Training = knn.Training{Runs: []string{"a", "b"}, Versions: []string{"v"}, Where: map[string]string{"y": "2", "x": "1"}}
	if got := o.Selection([]string{"exact", "real"}); got != "--device cuda:0 --objective edp --strategy bo --option k=2 --option patience=3 --versions exact,real --train a,b --train-versions v --where x=1,y=2" {
		t.Error(got)
	}
}

// GPU points are compiled before they are measured, each once. One that cannot run is
// failed without a GPU, for the same reason as on one.
func TestSearchCompilesAhead(t *testing.T) {
	if _, err := nvrtc.OpenFor(0); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	y := &toy{}
	o := y.options("exhaustive")
	o.Device, o.Facts, o.Compilers = "cuda:0", plan.AnyGPU(), 4
	s := y.open(t, `"versions": ["gpu"]`, o)
	started := 0
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{when: func(event string) {
		if event == "started" {
			if started++; y.count("gpu") < started {
				t.Errorf("%d were compiled before trial %d", y.count("gpu"), started)
			}
		}
	}}); err != nil {
		t.Fatal(err)
	}
	if s.Found() || len(s.Trials) != 11 || started != 9 || y.count("gpu") != 11 {
		t.Errorf("%d trials, %d measured, %d compiled", len(s.Trials), started, y.count("gpu"))
	}
	for _, x := range s.Trials {
		r, cannot := x.Result, x.Result.Point.Tunables.Int("A") == 4
		if r.Status != record.Failed || strings.Contains(r.Reason, "four is too many") != cannot || r.Compiled <= 0 || x.CompileSeconds != r.Compiled || (x.RunSeconds > 0) == cannot {
			t.Errorf("%s: %s, compiled in %v, ran for %v", r.Point.TunablesText(), r.Reason, r.Compiled, x.RunSeconds)
		}
	}
	// Strategies that compute ask of all points; none is compiled again.
	facts := s.KernelFacts(t.Context(), s.Versions[0])
	if _, _, ok := facts.Resources(0, 0); ok || facts.Threads(0, 0) != 0 || y.count("gpu") != 11 {
		t.Errorf("%d compiled; ok %v of a kernel that launches nothing", y.count("gpu"), ok)
	}
}

func TestOpenRefuses(t *testing.T) {
	for lines, want := range map[string]string{
		`"versions": ["exact"], "tunables": {"AA": [4]}`:                `"AA" is not a tunable`,
		`"versions": ["exact"], "tuning_constraints": ["A > 8"]`:        "nothing to tune",
		`"versions": ["exact"], "tuning_constraints": ["A * C > 8"]`:    "C is neither a parameter nor a tunable",
		`"versions": ["exact"], "tuning_constraints": ["A + 1"]`:        "is a number; want a condition",
		`"versions": ["exact"], "tuning_constraints": ["B < 2", "A *"]`: "toy.json:1:",
	} {
		y := &toy{}
		if s, err := Open(t.Context(), y.subject(t, lines), y.options("random")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", lines, err, want)
			if err == nil {
				s.Close()
			}
		}
	}
}

// Points are those that the config leaves: a budget beyond them is cut.
func TestSpacesAreTheConfigs(t *testing.T) {
	for lines, points := range map[string]int{
		`"versions": ["exact"], "tunables": {"A": [3], "B": [2]}`:                        1,
		`"versions": ["exact"], "tuning_constraints": ["A * B == N + 5", "B < 3"]`:       1,
		`"versions": ["exact"], "tuning_constraints": ["A < 4"], "tunables": {"B": [3]}`: 3,
	} {
		y := &toy{}
		s := y.open(t, lines, y.options("random"))
		if v := s.Versions[0]; v.Points() != points || v.Budget != points {
			t.Errorf("%s: %d points, budget %d, want %d", lines, v.Points(), v.Budget, points)
		}
	}
	y := &toy{}
	o := y.options("random")
	o.Budget = 4
	if v := y.open(t, `"versions": ["exact"], "sweep_arg": {"N": [1, 2]}`, o).Versions[0]; v.Budget != 8 {
		t.Errorf("budget %d of two sizes, want 8", v.Budget)
	}
}
