package measure

import (
	"errors"
	"math"
	"regexp"
	"testing"

	"example.org/bench/framework"
)

// square is a version with three numbers as inputs, of which the first two sets are known, and as
// answer their squares. how says when a run computes: for some 500 µs, or as many rounds as it sets.
type square struct {
	work
	sets    [2][3]float64
	inputs  [3]float64
	answers [3]float64
	fresh   float64 // numbers drawn
	changed bool    // its code
	rounds  int
	made    bool // what it makes once, which overwriting takes from it
}

func newSquare(how func(s *square) bool) *square {
	s := &square{sets: [2][3]float64{{1, 2, 3}, {4, 5, 6}}, rounds: 150_000}
	s.inputs, s.workers = s.sets[1], 1
	s.run = func() error {
		if how != nil && !how(s) {
			return nil
		}
		for i, x := range s.inputs {
			s.answers[i] = x * x
		}
		for range s.rounds { // by a processor's time, not a clock's: others may run meanwhile
			s.answers[0] = math.Sqrt(s.answers[0]) * math.Sqrt(s.answers[0])
		}
		s.answers[0] = s.inputs[0] * s.inputs[0]
		return nil
	}
	return s
}

func (s *square) Overwrite(byte) error     { s.answers, s.made = [3]float64{}, false; return nil }
func (s *square) OverwriteSpots(byte)      { s.answers[s.runs%3] = 0 }
func (s *square) Alternate() (bool, error) { return true, nil }
func (s *square) Sets() int                { return 2 }
func (s *square) Use(set int) error        { s.inputs = s.sets[set]; return nil }

func (s *square) Fresh() error {
	s.fresh++
	s.inputs = [3]float64{10 + s.fresh, 0, 0}
	return nil
}

func (s *square) Intact() error {
	if s.changed {
		return framework.ErrCodeChanged
	}
	return nil
}

func (s *square) Verify() ([]framework.Check, error) {
	wrong := 0.0
	for i, x := range s.inputs {
		if s.answers[i] != x*x {
			wrong++
		}
	}
	return []framework.Check{{Metric: "wrong squares", Error: wrong}}, nil
}

// as is the error of a series of s, or of s in turns with an honest version.
func (s *square) as(t *testing.T, turns bool) error {
	t.Helper()
	timer, other := NewCPUTimer(quick), newSquare(nil)
	for _, alg := range []*square{s, other} {
		if err := alg.Run(); err != nil {
			t.Fatal(err)
		}
		timer.Prove(alg, alg, alg.Verify)
	}
	if turns {
		_, err := timer.Alternate(other, s)
		return err
	}
	_, err := timer.Hot(s)
	return err
}

// TestCPUProofs: what does not compute back to back is found by what it does instead, alone and in
// turns.
func TestCPUProofs(t *testing.T) {
	kept := map[float64][3]float64{}
	var last [3]float64
	for name, c := range map[string]struct {
		how          func(s *square) bool
		alone, turns string
	}{
		"honest": {nil, "", ""},
		"keeps answers by inputs": {func(s *square) bool {
			y, ok := kept[s.inputs[0]]
			if ok {
				s.answers = y
				return false
			}
			x := s.inputs
			kept[x[0]] = [3]float64{x[0] * x[0], x[1] * x[1], x[2] * x[2]}
			return true
		}, "finds the inputs of the run before", ""},
		"makes a table once": {func(s *square) bool {
			if s.rounds = 150_000; !s.made {
				s.rounds = 600_000
			}
			s.made = true
			return true
		}, "", ""},
		"honest and long": {func(s *square) bool { s.rounds = 600_000; return true }, "", ""},
		"keeps a part of the answers by inputs": {func(s *square) bool {
			s.rounds = 600_000
			if _, ok := kept[s.inputs[0]]; ok {
				s.rounds = 300_000
			}
			kept[s.inputs[0]] = [3]float64{}
			return true
		}, "finds the inputs of the run before", ""},
		"computes other inputs": {func(s *square) bool {
			same := s.inputs == last
			last = s.inputs
			return !same
		}, "the answer of timed run", "the answer of timed run"},
		"looks at an element": {func(s *square) bool { return s.answers[0] != s.inputs[0]*s.inputs[0] }, "timed run|does not compute", "timed run|does not compute"},
	} {
		for i, want := range []string{c.alone, c.turns} {
			var err error
			// What saves a half is found by times, which other programs can hide: not each proof finds it.
			for try := 0; try < 5 && (try == 0 || err == nil && want != ""); try++ {
				clear(kept)
				err = newSquare(c.how).as(t, i == 1)
			}
			if (err == nil) != (want == "") || err != nil && !regexp.MustCompile(want).MatchString(err.Error()) {
				t.Errorf("%s, in turns %v: %v, want %q", name, i == 1, err, want)
			}
		}
	}
	s := newSquare(nil)
	s.changed = true
	if err := s.as(t, true); !errors.Is(err, framework.ErrCodeChanged) {
		t.Errorf("changed code: %v", err)
	}
}

// TestWaitingIsNoIdleRun: of a run that waits processors have so little that it says nothing.
func TestWaitingIsNoIdleRun(t *testing.T) {
	for _, c := range []struct {
		one, hot, other float64
		idle            bool
	}{{1.2e-3, 4e-6, 19e-6, false}, {1.2e-3, 4e-6, 2e-3, true}, {5e-6, 4e-6, 19e-6, true}, {1e-3, 1e-3, 1.9e-3, false}} {
		h := hotProof{one: c.one}
		if got := h.idle(c.hot, c.other, idleCPUShare, idleCPUSeconds); got != c.idle {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
