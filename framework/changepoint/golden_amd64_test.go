package changepoint

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write what is detected anew")

// kinds are series of the kinds that histories have, by name.
func kinds() map[string][]Value {
	series := func(seed uint64, n int, change func(i int, g *rand.Rand, v *Value)) (list []Value) {
		g := rand.New(rand.NewPCG(20, seed))
		for i := range n {
			v := Value{X: g.NormFloat64()}
			change(i, g, &v)
			list = append(list, v)
		}
		return list
	}
	step := func(at int, size float64) func(int, *rand.Rand, *Value) {
		return func(i int, _ *rand.Rand, v *Value) {
			if i >= at {
				v.X += size
			}
		}
	}
	last := 0.0
	return map[string][]Value{
		"nothing":    series(1, 60, step(60, 0)),
		"step":       series(2, 70, step(40, 3)),
		"steps":      series(3, 90, func(i int, _ *rand.Rand, v *Value) { v.X += []float64{0, 4, -2}[i/30] }),
		"stairs":     series(4, 100, func(i int, _ *rand.Rand, v *Value) { v.X += float64(i/25) * 6 }),
		"drift":      series(5, 100, func(i int, _ *rand.Rand, v *Value) { v.X -= 0.06 * float64(i) }),
		"late drift": series(6, 120, func(i int, _ *rand.Rand, v *Value) { v.X += 0.1 * float64(max(0, i-60)) }),
		"few, far":   series(7, 16, step(11, 40)),
		"two, far":   series(8, 82, step(80, -14)),
		"outliers": series(9, 70, func(i int, _ *rand.Rand, v *Value) {
			v.X += []float64{0, 0, 0, 0, 0, 0, 12, 0, 0, -9, 0}[i%11] * float64(i%2)
		}),
		"two levels":   series(10, 60, func(i int, _ *rand.Rand, v *Value) { v.X += float64(10 * (i % 3 / 2)) }),
		"resembling":   series(11, 90, func(i int, _ *rand.Rand, v *Value) { last = 0.7*last + v.X; v.X = last + float64(i/70)*4 }),
		"more scatter": series(12, 60, func(i int, _ *rand.Rand, v *Value) { v.X *= 1 + 4*float64(i/40) }),
		"known errors": series(13, 70, func(i int, g *rand.Rand, v *Value) {
			v.Sigma = []float64{0.2, 2}[i%2]
			v.X = v.X*v.Sigma + 0.1*g.NormFloat64() + float64(i/45)
		}),
		"some errors known": series(14, 70, func(i int, g *rand.Rand, v *Value) {
			v.Sigma = []float64{0, 1.5, 0.5}[i%3]
			v.X += v.Sigma*g.NormFloat64() - 2*float64(i/50)
		}),
		"errors larger than the scatter": series(15, 50, func(i int, _ *rand.Rand, v *Value) { v.Sigma, v.X = 2, 0.5*v.X+3*float64(i/30) }),
		"equal":                          series(16, 40, func(i int, _ *rand.Rand, v *Value) { v.X = float64(i / 25) }),
		"mostly equal":                   series(17, 50, func(i int, _ *rand.Rand, v *Value) { v.X = float64(i%7/6) * v.X }),
		"equal, of known errors":         series(18, 40, func(i int, _ *rand.Rand, v *Value) { v.X, v.Sigma = float64(i/25), 0.1+0.1*float64(i%2) }),
		"long":                           series(19, 260, step(200, 1.5)),
	}
}

func digits(x float64) string { return fmt.Sprintf("%.8g", x) }

func said(changes []Change) (list []string) {
	for _, c := range changes {
		list = append(list, fmt.Sprintf("at %d, %d to %d, found %d, drift %v: %s, %s to %s", c.At, c.First, c.Last, c.Found, c.Drift, digits(c.Size), digits(c.Low), digits(c.High)))
	}
	return list
}

// mixed are the changes found in series of steps, of slopes that begin anywhere, and of a
// few values that are far off, of any length.
func mixed() (all [][]string) {
	for seed := range uint64(100) {
		g := rand.New(rand.NewPCG(21, seed))
		var values []Value
		level, slope := 0.0, 0.0
		for range 20 + g.IntN(70) {
			switch g.IntN(40) {
			case 0:
				level += 6 * g.NormFloat64()
			case 1:
				slope = 0.2 * g.NormFloat64()
			case 2:
				slope = 0
			}
			level += slope
			v := Value{X: level + g.NormFloat64(), Sigma: float64(seed%3) * g.Float64()}
			if g.IntN(30) == 0 {
				v.X += 15
			}
			values = append(values, v)
		}
		all = append(all, said(Detect(values).Changes))
	}
	return all
}

// TestDetectorIsTheCalibratedOne: the threshold and the published rates of false alarms
// (results/history) are of the detector as it is, to the evidence of each place. Where it
// is to find otherwise, calibrate it anew; then -update writes what it finds. On arm64
// the compiler fuses products and sums, and rounds otherwise.
func TestDetectorIsTheCalibratedOne(t *testing.T) {
	const file = "testdata/detections.json"
	now := map[string]any{}
	for name, values := range kinds() {
		r := Detect(values)
		changes, levels := said(r.Changes), []string(nil)
		for _, l := range r.Levels {
			text := fmt.Sprintf("%d to %d: %s, %s to %s, noise %s", l.From, l.To, digits(l.Mean), digits(l.Low), digits(l.High), digits(l.Noise))
			for _, x := range l.Two {
				text += ", " + digits(x)
			}
			levels = append(levels, text)
		}
		// As a series grows, of a place that stays and of all so far.
		var one, all []string
		b := baselineOf(values[:Before])
		p := &place{baseline: b, sums: b.sums}
		var places []*place
		for n := Before + After; n <= min(len(values), 50); n++ {
			b := baselineOf(values[:n-After])
			places = append(places, &place{baseline: b, sums: b.sums})
			_, e := strongest(values[:n], places)
			one, all = append(one, digits(p.evidence(values[Before:n]))), append(all, digits(e))
		}
		now[name] = map[string]any{"changes": changes, "levels": levels, "outliers": r.Outliers, "evidence of 10": one, "evidence": all}
	}
	now["mixed"] = mixed()
	text, err := json.MarshalIndent(now, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, had := bytes.Split(text, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(got), len(had)) {
		if !bytes.Equal(got[i], had[i]) {
			t.Fatalf("%s:%d: %s, and now %s", file, i+1, had[i], got[i])
		}
	}
	if len(got) != len(had) {
		t.Errorf("%d lines, %d before", len(got), len(had))
	}
}
