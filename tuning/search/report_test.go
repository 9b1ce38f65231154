package search

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// An objective without its sensor ends the search, and says why.
func TestObjectives(t *testing.T) {
	y := &toy{}
	o := y.options("random")
	o.Objective = Energy
	s := y.open(t, `"versions": ["exact"]`, o)
	if err := s.Run(t.Context(), journalIn(t, t.TempDir()), nil, &show{}); err == nil || !strings.Contains(err.Error(), "no energy to minimise: the config asks for no sensor") {
		t.Errorf("%v", err)
	}
	for _, x := range Objectives {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
	}
	if err := Objective("speed").Check(); err == nil || !strings.Contains(err.Error(), `"speed" is none of time; energy; edp; time,energy`) {
		t.Errorf("%v", err)
	}
}

// Φ is by the exhaustive search's times: of these costs it is exact.
func TestQualities(t *testing.T) {
	const lines = `"versions": ["exact"], "sweep_arg": {"N": [1, 3]}`
	y := &toy{}
	searched := func(more, name string, budget int) (string, *Report) {
		dir := t.TempDir()
		o := y.options(name)
		o.Budget = budget
		s := y.open(t, lines+more, o)
		if err := s.Run(t.Context(), journalIn(t, dir), nil, &show{}); err != nil {
			t.Fatal(err)
		}
		r, err := s.Write(safefiletest.Hold(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		return dir, r
	}
	dir, all := searched("", "exhaustive", 100)
	reference, err := OpenReference(dir)
	if err != nil {
		t.Fatal(err)
	}
	one := []Quality{{Algorithm: "toy", Version: "exact", Strategy: "exhaustive", Sizes: 2, Performance: 1000, Phi: 1, Evaluations: 22, Points: 22}}
	if got, err := reference.Qualities(all, nil); err != nil || !slices.EqualFunc(got, one, near) {
		t.Errorf("%+v, %v", got, err)
	}
	// A = 2 and B = 2 take twice as long.
	_, half := searched(`, "tunables": {"A": [2], "B": [2]}`, "exhaustive", 1)
	one[0].Performance, one[0].Phi, one[0].Evaluations = 500, 0.5, 2
	if got, err := reference.Qualities(half, nil); err != nil || !slices.EqualFunc(got, one, near) {
		t.Errorf("%+v, %v", got, err)
	}
	// A = 1 and B = 1, the first point of the space, take six times as long.
	_, first := searched(`, "tunables": {"A": [1], "B": [1]}`, "exhaustive", 1)
	one[0].Performance, one[0].Phi = 1000./6, 1./6
	if got, err := reference.Qualities(first, nil); err != nil || !slices.EqualFunc(got, one, near) {
		t.Errorf("%+v, %v", got, err)
	}
	half.Tasks[1].Params = framework.Values{"N": framework.IntValue(9)}
	var said []string
	note := func(format string, args ...any) { said = append(said, format) }
	if got, err := reference.Qualities(half, note); err != nil || len(got) != 1 || got[0].Sizes != 1 || len(said) != 1 {
		t.Errorf("%+v, %v; said %q", got, err, said)
	}
	partial, _ := searched("", "random", 3)
	if _, err := OpenReference(partial); err == nil || !strings.Contains(err.Error(), "no recorded spaces") {
		t.Errorf("%v", err)
	}
	if _, err := OpenReference(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func near(a, b Quality) bool {
	if math.Abs(a.Performance/b.Performance-1) > 1e-9 || math.Abs(a.Phi/b.Phi-1) > 1e-9 {
		return false
	}
	a.Performance, a.Phi = b.Performance, b.Phi
	return a == b
}

func TestTrialsRefused(t *testing.T) {
	r := &Report{Tasks: []TaskReport{{Version: "exact", Processor: framework.CPU, Space: []Values{{Name: "A"}}}}}
	for text, want := range map[string]string{
		"": "empty file, want a header line",
		"version,processor,status\nexact,CPU,ok\n":              "no column A",
		"version,processor,status,A\nexact,CPU,ok,x\n":          `A is "x"`,
		"version,processor,status,A\nexact,CPU,ok,1\n":          `time_s is ""`,
		"version,processor,status,A,time_s\nexact,CPU,ok,1,0\n": `time_s is "0"`,
		"version,processor,status\nexact,CPU\n":                 "wrong number of fields",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, TrialsFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Trials(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, TrialsFile), []byte("version,processor,status,A,time_s\nexact,GPU,ok,1,1\nexact,CPU,failed,2,\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if rows, err := r.Trials(dir); err != nil || len(rows[0]) != 1 || rows[0][0].Status != record.Failed || rows[0][0].Time != 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}

// The estimate is of what is left: trials by the quick settings, and the best
// again at length.
func TestDuration(t *testing.T) {
	y := &toy{}
	two := y.open(t, `"versions": ["exact", "real"]`, y.options("random"))
	if got := two.Duration(15); got.Round(time.Millisecond) != 7*108*time.Millisecond {
		t.Errorf("%v of the second version's 7 evaluations that are left", got)
	}
	if got := two.Duration(5); got.Round(time.Millisecond) != 17*108*time.Millisecond {
		t.Errorf("%v of 6 evaluations of the first version and 11 of the second", got)
	}
	for _, c := range []struct {
		confirm, earlier int
		objective        Objective
		device           string
		ms               int64
	}{
		{0, 0, Time, "cpu", 22 * 108},
		{0, 20, Time, "cpu", 2 * 108},
		{0, 30, Time, "cpu", 0},
		{2, 22, Time, "cpu", 2 * 5 * 300}, // two, the defaults, and both in turns with the defaults
		{1, 22, Energy, "cpu", 2 * 2 * 2300},
		{0, 21, Energy, "cpu", 2108},
		{0, 0, Time, "cuda:0", 22 * 166},
	} {
		o := y.options("random")
		o.Confirm, o.Objective, o.Device = c.confirm, c.objective, c.device
		version := "exact"
		if c.device != "cpu" {
			o.Facts, version = plan.AnyGPU(), "gpu"
		}
		s := y.open(t, `"versions": ["`+version+`"], "sweep_arg": {"N": [1, 2]}`, o)
		if got := s.Duration(c.earlier); got.Round(time.Millisecond).Milliseconds() != c.ms || s.Evaluations() != 22 {
			t.Errorf("%+v: %v of %d evaluations", c, got, s.Evaluations())
		}
	}
}

// TestForgive: a trial without a reading is invalid, and the first three end a search of which none
// had one.
func TestForgive(t *testing.T) {
	read := record.Result{Status: record.OK, Energy: &measure.Energy{}}
	for _, c := range []struct {
		before []error
		ends   bool
	}{
		{nil, false},
		{[]error{errNoReading}, false},
		{[]error{errNoReading, errNoReading}, true},
		{[]error{nil, errNoReading, errNoReading, errNoReading}, false},
	} {
		s := &Search{}
		for _, err := range c.before {
			r := read
			if got := s.forgive(&r, err); got != nil {
				t.Errorf("%v: %v", c.before, got)
			}
		}
		r := read
		err := s.forgive(&r, errNoReading)
		if (err != nil) != c.ends || !c.ends && (r.Status != record.Failed || r.Reason != errNoReading.Error()) {
			t.Errorf("after %v: %v, %s %q", c.before, err, r.Status, r.Reason)
		}
	}
	other := errors.New("other")
	if err := (&Search{}).forgive(&record.Result{}, other); err != other {
		t.Error(err)
	}
}
