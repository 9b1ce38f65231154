package measure

import (
	"errors"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// foreign is a square that is not trusted.
type foreign struct {
	*square
	drawing  time.Duration // what drawing inputs takes
	verified int           // answers to them
}

func (f *foreign) Renew() error { return nil }

func (f *foreign) Fresh() error {
	for start := time.Now(); time.Since(start) < f.drawing; {
	}
	return f.square.Fresh()
}

func (f *foreign) VerifyFresh() ([]framework.Check, error) {
	f.verified++
	return f.square.Verify()
}

// TestApart: foreign code in turns can use nothing that it keeps, be it by its inputs or in its answer, and what it does to
// inputs that nobody had is verified.
func TestApart(t *testing.T) {
	const short, long = 0, 50 * time.Millisecond // of drawing
	kept := map[float64]bool{}
	for name, c := range map[string]struct {
		idle    func(s *square) bool // whether it leaves work out
		drawing time.Duration
		wrong   bool // it leaves all out
	}{
		"honest":                  {func(*square) bool { return false }, short, false},
		"honest, with long draws": {func(*square) bool { return false }, long, false},
		"keeps a part by inputs": {func(s *square) bool {
			had := kept[s.inputs[0]]
			kept[s.inputs[0]] = true
			return had
		}, short, false},
		"leaves a part that is there": {func(s *square) bool { return s.answers[2] != 0 && s.answers[2] == s.inputs[2]*s.inputs[2] }, long, false},
		"skips what nobody had":       {func(s *square) bool { return s.inputs[0] >= 10 }, short, true},
	} {
		t.Run(name, func(t *testing.T) {
			idle := 0
			alg := &foreign{drawing: c.drawing}
			alg.square = newSquare(func(s *square) bool {
				s.rounds = 300_000
				if !c.idle(s) {
					return true
				}
				idle++
				return !c.wrong
			})
			if err := alg.Run(); err != nil {
				t.Fatal(err)
			}
			timer := NewCPUTimer(config.Measure{MinSamples: 16, Timeout: 60})
			timer.Prove(alg, alg, alg.Verify)
			run := 1e-3
			if c.drawing == short {
				run = 10 // a busy machine may stand still while inputs are drawn
			}
			a, err := timer.apart(alg, run)
			if err != nil {
				t.Fatal(err)
			}
			if drawn := c.drawing == short; drawn != (a.fresh != nil) {
				t.Fatalf("inputs are drawn: %v; drawing takes %v", !drawn, c.drawing)
			}
			idle = 0
			_, err = a.time(2 * comparedOf)
			var differs *Differs
			if c.wrong != errors.As(err, &differs) || !c.wrong && err != nil {
				t.Errorf("%v; want that it differs: %v", err, c.wrong)
			}
			if c.wrong {
				return
			}
			if idle > 0 {
				t.Errorf("%d of %d timed runs left work out", idle, 2*comparedOf)
			}
			if a.fresh != nil && alg.verified == 0 {
				t.Error("no answer to drawn inputs was verified")
			}
			if err := a.end(); err != nil {
				t.Fatal(err)
			}
			if s := alg.inputs; s != alg.sets[0] && s != alg.sets[1] || s[2]*s[2] != alg.answers[2] {
				t.Errorf("afterwards %v are in place, with %v", s, alg.answers)
			}
		})
	}
}

// TestApartInTurns: whose answers to such inputs are wrong is told.
func TestApartInTurns(t *testing.T) {
	var err error
	for range 5 { // a busy machine may stand still while inputs are drawn, which then seems to take too long
		timer := NewCPUTimer(config.Measure{MinSamples: 16, Timeout: 60})
		a := &foreign{square: newSquare(nil)}
		b := &foreign{square: newSquare(func(s *square) bool { return s.inputs[0] < 10 })}
		for _, alg := range []*foreign{a, b} {
			alg.rounds = 1_000_000
			if err := alg.Run(); err != nil {
				t.Fatal(err)
			}
			timer.Prove(alg, alg, alg.Verify)
		}
		var one *OneOf
		var differs *Differs
		if _, err = timer.Alternate(a, b); errors.As(err, &one) && one.Which == 1 && errors.As(err, &differs) {
			return
		}
	}
	t.Errorf("%v; want that the second differs", err)
}
