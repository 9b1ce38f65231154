package measure

import (
	"errors"
	"testing"
	"time"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/stats"
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

// TestApart: foreign code in turns gains nothing by what it keeps, be it by its inputs or in its answer, and what it does to
// inputs that nobody had is verified.
func TestApart(t *testing.T) {
	for name, c := range map[string]struct {
		how     func(s *square) bool
		drawing time.Duration
		wrong   bool
	}{
		"honest":                  {how: func(s *square) bool { s.rounds = 300_000; return true }},
		"honest, with long draws": {how: func(s *square) bool { s.rounds = 300_000; return true }, drawing: 50 * time.Millisecond},
		"keeps a part by inputs": {how: func() func(s *square) bool {
			kept := map[float64]bool{}
			return func(s *square) bool {
				if s.rounds = 300_000; kept[s.inputs[0]] {
					s.rounds = 200_000
				}
				kept[s.inputs[0]] = true
				return true
			}
		}()},
		"leaves a part that is there": {how: func(s *square) bool {
			if s.rounds = 300_000; s.answers[2] == s.inputs[2]*s.inputs[2] && s.answers[0] == s.inputs[0]*s.inputs[0] {
				s.rounds = 200_000
			}
			return true
		}, drawing: 50 * time.Millisecond},
		"skips what nobody had": {how: func(s *square) bool { s.rounds = 300_000; return s.inputs[0] < 10 }, wrong: true},
	} {
		t.Run(name, func(t *testing.T) {
			timer := NewCPUTimer(config.Measure{MinSamples: 16, Timeout: 60})
			a, b := &foreign{square: newSquare(func(s *square) bool { s.rounds = 300_000; return true }), drawing: c.drawing}, &foreign{square: newSquare(c.how), drawing: c.drawing}
			for _, alg := range []*foreign{a, b} {
				if err := alg.Run(); err != nil {
					t.Fatal(err)
				}
				timer.Prove(alg, alg, alg.Verify)
			}
			x, err := timer.Alternate(a, b)
			var one *OneOf
			var differs *Differs
			if c.wrong {
				if !errors.As(err, &one) || one.Which != 1 || !errors.As(err, &differs) {
					t.Errorf("%v; want that the second differs", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if ratio := stats.Median(x.B) / stats.Median(x.A); ratio < 0.85 {
				t.Errorf("takes %.2f of an honest one's time", ratio)
			}
			if drawn := c.drawing == 0; drawn != (b.verified > 0) {
				t.Errorf("%d answers to drawn inputs were verified; drawing took %v", b.verified, c.drawing)
			}
			if s := b.inputs; s != b.sets[0] && s != b.sets[1] || s[2]*s[2] != b.answers[2] {
				t.Errorf("afterwards %v are in place, with %v", s, b.answers)
			}
		})
	}
}
