package main

import (
	"testing"
)

// A short form of the simulation: the bounds are those of docs/history.md with the
// scatter of so few series.
func TestShortStudy(t *testing.T) {
	if n := len(shapes()); n != 40 {
		t.Errorf("%d shapes, want 40", n)
	}
	const seeds = 12
	wrong, all := 0, 0
	for i, s := range shapes() {
		x := s.study(i, seeds)
		switch {
		case s.noise:
		case s.at == nil:
			wrong, all = wrong+x.wrong, all+x.series
		case s.drift && x.drifts < seeds/3:
			t.Errorf("%s: %d of %d are called a drift", s.name, x.drifts, seeds)
		case s.name == "step of 4" && x.found < seeds-1:
			t.Errorf("%s: %d of %d are found within %d runs", s.name, x.found, seeds, within)
		}
	}
	if wrong > all*3/100 { // 1 %, and three standard deviations
		t.Errorf("%d of %d series without a change have a false alarm", wrong, all)
	}
	found := 0
	const steps = 60
	for _, values := range stepped(2, 90, steps) {
		if at := detected(values); at >= 90 && at <= 90+within {
			found++
		}
	}
	if found < steps*85/100 { // 95 %, and three standard deviations
		t.Errorf("%d of %d steps of two standard deviations are found within %d runs", found, steps, within)
	}
}

// The peers find a step that cannot be missed, where it is, and none in equal values.
func TestPeers(t *testing.T) {
	x := make([]float64, runs)
	for _, p := range peers() {
		for i, v := range p.path(x) {
			if v > 1e-9 {
				t.Errorf("%s: %v at %d of equal values", p.name, v, i)
			}
		}
	}
	for i := range x {
		x[i] = float64(i % 2)
		if i >= 60 {
			x[i] += 20
		}
	}
	for _, p := range peers() {
		path := p.path(x)
		before, behind := 0.0, 0.0
		for i, v := range path {
			if i < 60 {
				before = max(before, v)
			} else if i < 67 {
				behind = max(behind, v)
			}
		}
		if behind < 5*before || behind < 5 {
			t.Errorf("%s: %v before the step, %v behind it", p.name, before, behind)
		}
	}
	if at := divisive([]float64{0, 1, 0, 1, 9, 8, 9}); at != 4 {
		t.Errorf("E-divisive parts at %d, want 4", at)
	}
	// Student's t of these is -4.898979, of four degrees of freedom (by hand).
	if p := studentP([]float64{1, 2, 3}, []float64{5, 6, 7}); p < 0.0080 || p > 0.0081 {
		t.Errorf("p %v", p)
	}
}
