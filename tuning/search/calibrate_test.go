package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// device is a stand-in for a GPU: a cost of 1, or more by slower, that differs from round
// to round.
type device struct {
	slower float64
	draw   func(*rand.Rand) func() float64 // of logarithms of costs
}

func calibration(rnd *rand.Rand, list ...device) ([]*Device, [][]float64) {
	var devices []*Device
	var costs [][]float64
	common := make([]float64, rounds) // what befalls all at a time
	for r := range common {
		common[r] = 0.02 * rnd.NormFloat64()
	}
	for i, d := range list {
		devices = append(devices, &Device{ID: fmt.Sprintf("cuda:%d", i)})
		next := d.draw(rnd)
		var own []float64
		for r := range rounds {
			own = append(own, (1+d.slower)*math.Exp(common[r]+next()))
		}
		costs = append(costs, own)
	}
	return devices, costs
}

// judged judges as calibrating does, and is the rounds that it took.
func judged(devices []*Device, costs [][]float64) int {
	for _, n := range looks {
		seen := make([][]float64, len(costs))
		for i, c := range costs {
			seen[i] = c[:min(n, len(c))]
		}
		if _, settled := judge(devices, seen, 1); settled {
			return n
		}
	}
	return rounds
}

// noises are how a GPU's own cost may differ from round to round, by their names.
var noises = map[string]func(*rand.Rand) func() float64{
	"normal 0.3 %": func(rnd *rand.Rand) func() float64 { return func() float64 { return 0.003 * rnd.NormFloat64() } },
	"normal 1 %":   func(rnd *rand.Rand) func() float64 { return func() float64 { return 0.01 * rnd.NormFloat64() } },
	// One round in ten takes up to a tenth longer.
	"outliers": func(rnd *rand.Rand) func() float64 {
		return func() float64 {
			x := 0.003 * rnd.NormFloat64()
			if rnd.IntN(10) == 0 {
				x += 0.1 * rnd.Float64()
			}
			return x
		}
	},
	// Neighbouring rounds resemble each other: correlation 0.5.
	"slow": func(rnd *rand.Rand) func() float64 {
		x := 0.003 * rnd.NormFloat64()
		return func() float64 {
			x = 0.5*x + 0.003*math.Sqrt(0.75)*rnd.NormFloat64()
			return x
		}
	},
	// The process and its memory have a level of their own.
	"level": func(rnd *rand.Rand) func() float64 {
		level := 0.001 * rnd.NormFloat64()
		return func() float64 { return level + 0.003*rnd.NormFloat64() }
	},
}

// A GPU is called slower where all are equal in at most 1 % of calibrations, and one that
// is 3 % slower than the others nearly always, and by about that.
func TestSlowerGPUsAreNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	const seeds = 4000
	for name, draw := range noises {
		for _, count := range []int{2, 4, 8} {
			alarms, found, mean, taken := 0, 0, 0.0, 0
			for seed := range uint64(seeds) {
				rnd := rand.New(rand.NewPCG(seed, uint64(count)))
				equal := make([]device, count)
				for i := range equal {
					equal[i].draw = draw
				}
				devices, costs := calibration(rnd, equal...)
				taken += judged(devices, costs)
				for _, d := range devices {
					if d.Corrected || d.LeftOut != "" {
						alarms++
						break
					}
				}
				slow := int(seed) % count
				equal[slow].slower = 0.03
				devices, costs = calibration(rnd, equal...)
				judged(devices, costs)
				if devices[slow].Corrected {
					found++
					mean += devices[slow].Slower
				}
			}
			share, detected := float64(alarms)/seeds, float64(found)/seeds
			t.Logf("%-12s %d GPUs: %.2f %% false alarms after %.1f rounds, 3 %% found in %.1f %%, as %.2f %% on the average", name, count, 100*share, float64(taken)/seeds, 100*detected, 100*mean/float64(max(1, found)))
			if share > 0.01 {
				t.Errorf("%s, %d GPUs: %.2f %% false alarms", name, count, 100*share)
			}
			if (name == "normal 0.3 %" || name == "level") && detected < 0.99 {
				t.Errorf("%s, %d GPUs: 3 %% is found in %.1f %%", name, count, 100*detected)
			}
		}
	}
}

// What is much slower is left out, and so is what cannot run the defaults; the others are
// held against the fastest.
func TestUnfitGPUsAreLeftOut(t *testing.T) {
	draw := noises["normal 0.3 %"]
	devices, costs := calibration(rand.New(rand.NewPCG(1, 1)), device{0.05, draw}, device{0.5, draw}, device{0, draw}, device{-0.3, draw})
	devices[3].LeftOut = "it fails"
	costs[3] = nil
	fastest, _ := judge(devices, costs, 1)
	if fastest != devices[2] || fastest.said("") != "" || fastest.Slower != 0 {
		t.Errorf("the fastest is %+v", fastest)
	}
	if d := devices[0]; !d.Corrected || d.Slower < 0.04 || d.Slower > 0.06 || d.Low > d.Slower || d.High < d.Slower ||
		!strings.HasPrefix(d.said("cuda:2"), "cuda:0 is ") || !strings.Contains(d.said("cuda:2"), "% slower than cuda:2 (") {
		t.Errorf("%+v %s", d, d.said("cuda:2"))
	}
	if d := devices[1]; d.Corrected || d.said("cuda:2") != "cuda:1 is left out: it is 50 % slower than cuda:2, more than equal GPUs differ by" {
		t.Errorf("%+v %s", d, d.said("cuda:2"))
	}
	v := &Version{Devices: devices}
	if a, b := v.correction("cuda:0"), v.correction("cuda:2"); a != 1+devices[0].Slower || b != 1 {
		t.Errorf("corrections %v and %v", a, b)
	}
	devices[0].Trials = 7
	if got := v.Shared(); !strings.HasPrefix(got, "cuda:0 7 trials (") || !strings.HasSuffix(got, " % slower), cuda:1 left out, cuda:2 0 trials, cuda:3 left out") {
		t.Error(got)
	}
}
