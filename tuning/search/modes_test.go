package search

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/tuning/wisdom"
)

// machineModes are eco, odd, full and far, of which odd cannot be entered and far needs a
// boot; full is on before.
type machineModes struct {
	numbers map[string]float64
	entered []string
}

func (*machineModes) Names() []string              { return []string{"far", "eco", "odd", "full"} }
func (m *machineModes) Number(name string) float64 { return m.numbers[name] }
func (*machineModes) Present() string              { return "full" }
func (m *machineModes) Boot(name string) (w string) {
	return map[string]string{"far": "boot into it"}[name]
}
func (m *machineModes) Enter(name string) error {
	m.entered = append(m.entered, name)
	if name == "odd" {
		return errors.New("it is stuck")
	}
	return nil
}

func modal(y *toy, numbers ...float64) (Options, *machineModes, *[]string) {
	m := &machineModes{numbers: map[string]float64{"eco": numbers[0], "odd": numbers[1], "full": numbers[2]}}
	var notes []string
	o := y.options("random")
	o.Modes = func(*gpu.Facts) (Modes, error) { return m, nil }
	o.Note = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	return o, m, &notes
}

// A search over modes leaves out those that cannot be entered, says why once, and keeps what it
// found in each of the others.
func TestSearchOfPowerModes(t *testing.T) {
	y, dir := &toy{}, t.TempDir()
	o, m, notes := modal(y, 5, 1, 3)
	o.Wisdom = filepath.Join(dir, "wisdom.json")
	s := y.open(t, `"versions": ["exact"]`, o)
	if text := s.Switching(0); !strings.HasSuffix(text, " to switch between 3 power modes") {
		t.Error(text)
	}
	if err := s.Run(t.Context(), journalIn(t, dir), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	r, err := s.Write(safefiletest.Hold(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	x := r.Tasks[0]
	if x.Points != 33 || x.Evaluations != 23 || x.Invalid != 11 || x.Tunables.Int("A") != 3 || x.Tunables.Int("B") != 2 || len(x.Tunables) != 2 || x.DefaultsMode != "full" || x.Left.Points != 0 {
		t.Errorf("%+v", x)
	}
	if !slices.Equal(x.Space[0].Words, []string{"odd", "full", "eco"}) || !slices.Equal(x.Space[0].Values, []float64{1, 3, 5}) {
		t.Errorf("%+v", x.Space[0])
	}
	for i, want := range []string{"far 0 boot into it", "eco 11 ", "odd 1 it is stuck", "full 11 "} {
		if got := r.Modes[i]; fmt.Sprintf("%s %d %s", got.Name, got.Trials, got.LeftOut) != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
	if n := len(slices.DeleteFunc(slices.Clone(m.entered), func(e string) bool { return e != "odd" })); n != 1 {
		t.Errorf("entered %v", m.entered)
	}
	if want := []string{"power mode far is left out: boot into it", "the search goes on without power mode odd: it is stuck"}; !slices.Equal(*notes, want) {
		t.Errorf("notes %q", *notes)
	}
	// Each trial is compiled and read back with its mode; a choice is found by it in a space.
	rows, err := r.Trials(dir)
	if err != nil || len(rows[0]) != 23 || rows[0][0].Values[0] != s.Trials[0].Task.Space.Value(s.Trials[0].Point, 0) {
		t.Errorf("%v, %+v", err, rows)
	}
	if at := x.in(x.Task.Space); at < 0 || x.Task.mode(at) != x.PowerMode {
		t.Errorf("point %d, want that of %s", at, x.PowerMode)
	}
	if _, err := s.KeepWisdom(r); err != nil {
		t.Fatal(err)
	}
	w, err := wisdom.Open(o.Wisdom)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, e := range w.Entries {
		kept = append(kept, e.PowerMode)
		if e.Tunables.Int("A") != 3 || e.Tunables.Int("B") != 2 || len(e.Tunables) != 2 {
			t.Errorf("%+v", e)
		}
	}
	if slices.Sort(kept); !slices.Equal(kept, []string{"", "eco"}) { // full was on
		t.Errorf("entries of modes %q", kept)
	}
}

func TestPowerModesThatCannotBeSearched(t *testing.T) {
	y := &toy{}
	o, _, _ := modal(y, 5, 3, 3)
	if _, err := Open(t.Context(), y.subject(t, `"versions": ["exact"]`), o); err == nil || err.Error() != "power modes odd and full have one number, 3: name one of them" {
		t.Error(err)
	}
	// Finals stay in one mode as long as they can.
	o, _, _ = modal(y, 5, 1, 3)
	s := y.open(t, `"versions": ["exact"]`, o)
	task := s.Versions[0].Tasks[0]
	at := func(mode string) int {
		return task.point(framework.Values{"A": framework.IntValue(3), "B": framework.IntValue(2)}, mode)
	}
	s.modes.on = "eco"
	if got := task.inModes([]int{at("full"), at("odd"), at("eco"), at("odd")}); !slices.Equal(got, []int{at("eco"), at("odd"), at("odd"), at("full")}) {
		t.Errorf("in the order %v", got)
	}
	if task.point(framework.Values{"A": framework.IntValue(3)}, "eco") != -1 {
		t.Error("a point without a tunable")
	}
}
