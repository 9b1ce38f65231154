package measure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
)

// stream is one series of samples in seconds whose level is known.
type stream struct {
	next func(n int) float64 // the n-th sample
	// right says whether median, claimed after that many samples to be known
	// within noise, is right.
	right func(taken int, median, noise float64) bool
	// resolution of the clock that the rule is told.
	resolution float64
}

// family makes streams. first is how many samples the rule must take at
// least.
type family struct {
	name string
	// least is the smallest first with which the family is tried.
	least int
	// converges is the least share of the streams on which the rule must
	// converge.
	converges float64
	stream    func(r *rand.Rand, first int) stream
	// recorded streams run under the default settings instead of first.
	recorded bool
}

// near accepts a median within twice the noise of the truth.
func near(truth float64) func(int, float64, float64) bool {
	return func(_ int, median, noise float64) bool { return math.Abs(median-truth) <= 2*noise*truth }
}

const level = 1e-3 // seconds, of the synthetic streams

func families() []family {
	var fs []family
	add := func(name string, least int, converges float64, stream func(*rand.Rand, int) stream) {
		fs = append(fs, family{name, least, converges, stream, false})
	}
	for _, c := range []struct{ sigma, converges float64 }{{0.001, 1}, {0.01, 0.95}, {0.05, 0}} {
		add(fmt.Sprintf("normal, stdev %g", c.sigma), 10, c.converges, func(r *rand.Rand, _ int) stream {
			return stream{next: func(int) float64 { return level * (1 + c.sigma*r.NormFloat64()) }, right: near(level)}
		})
	}
	for _, total := range []float64{0.03, 0.1, 0.5} {
		add(fmt.Sprintf("drift of %g", total), 10, 0, func(r *rand.Rand, first int) stream {
			at := func(n int) float64 { return level * (1 + total*float64(n)/float64(first)) }
			return stream{
				next: func(n int) float64 { return at(n) * (1 + 0.003*r.NormFloat64()) },
				right: func(taken int, median, noise float64) bool {
					return near(at(taken))(taken, median, noise)
				},
			}
		})
	}
	for _, share := range []float64{0.2, 0.5, 1} {
		add(fmt.Sprintf("warm-up, time constant %g", share), 10, 0, func(r *rand.Rand, first int) stream {
			return stream{next: func(n int) float64 {
				return level * (1 + 0.3*math.Exp(-float64(n)/(share*float64(first))) + 0.003*r.NormFloat64())
			}, right: near(level)}
		})
	}
	for _, size := range []float64{0.05, 0.25} {
		add(fmt.Sprintf("throttled by %g", size), 10, 0, func(r *rand.Rand, first int) stream {
			step := 1 + r.IntN(2*first)
			return stream{
				next: func(n int) float64 {
					l := level
					if n >= step {
						l *= 1 + size
					}
					return l * (1 + 0.004*r.NormFloat64())
				},
				// Where both levels have more than a tenth of the samples there
				// is no right median.
				right: func(taken int, median, noise float64) bool {
					switch share := float64(step) / float64(taken); {
					case share >= 0.9:
						return near(level)(taken, median, noise)
					case share <= 0.1:
						return near(level*(1+size))(taken, median, noise)
					}
					return false
				},
			}
		})
	}
	for _, c := range []struct{ slow, truth, converges float64 }{{0.3, 1, 0.9}, {0.5, 1.05, 0}} {
		add(fmt.Sprintf("bimodal, %g slow", c.slow), 10, c.converges, func(r *rand.Rand, _ int) stream {
			return stream{next: func(int) float64 {
				l := level
				if r.Float64() < c.slow {
					l *= 1.1
				}
				return l * (1 + 0.001*r.NormFloat64())
			}, right: near(level * c.truth)}
		})
	}
	// A floor plus a Pareto tail of infinite variance.
	tail := func(p float64) float64 { return level * (1 + 0.01*(math.Pow(1-p, -1/1.5)-1)) }
	add("heavy tail", 10, 0.9, func(r *rand.Rand, _ int) stream {
		return stream{next: func(int) float64 { return tail(r.Float64()) }, right: near(tail(0.5))}
	})
	add("outlier bursts", 10, 0.9, func(r *rand.Rand, _ int) stream {
		left := 0
		return stream{next: func(int) float64 {
			if left == 0 && r.Float64() < 0.02 {
				left = 1 + r.IntN(8)
			}
			x := level * (1 + 0.003*math.Abs(r.NormFloat64()))
			if left > 0 {
				left--
				x *= 1.5
			}
			return x
		}, right: near(level * 1.002)}
	})
	for _, step := range []float64{0.001, 0.02, 0.1} {
		for _, told := range []float64{0, 1} {
			name := fmt.Sprintf("clock step %g, told %g", step, told)
			add(name, 10, 0, func(r *rand.Rand, _ int) stream {
				g := step * level
				truth := level * (1 + 0.3*r.Float64())
				return stream{next: func(int) float64 {
					phase := g * r.Float64()
					return g * math.Floor((phase+truth*(1+0.0005*r.NormFloat64()))/g)
				}, right: near(truth), resolution: told * g}
			})
		}
	}
	// Ten samples of noise that lasts for thirty cannot tell it.
	add("correlated noise", 40, 0, func(r *rand.Rand, _ int) stream {
		const keep = 0.97
		state := 0.02 * r.NormFloat64()
		return stream{next: func(int) float64 {
			state = keep*state + 0.02*math.Sqrt(1-keep*keep)*r.NormFloat64()
			return level * (1 + state)
		}, right: near(level)}
	})
	return fs
}

// recorded reads testdata/recorded/NAME.txt, in seconds.
func recorded(t *testing.T, name string) []float64 {
	t.Helper()
	text, err := os.ReadFile("testdata/recorded/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []float64
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		us, err := strconv.ParseFloat(strings.TrimSpace(line), 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, us*1e-6)
	}
	return out
}

// falseStops runs the rule on many streams of a family.
func falseStops(f family, first, trials int) (wrong, converged, limited int, samples float64) {
	taken := 0
	for trial := range trials {
		s := f.stream(rand.New(rand.NewPCG(uint64(trial), uint64(first))), first)
		var all []float64
		start, elapsed := s.next(0), 0.0
		m := config.Measure{MinSamples: 10, Noise: 0.005, MinTime: start * float64(first) * 0.98, Timeout: start * float64(first) * 40}
		switch {
		case f.recorded:
			m.MinTime, m.Timeout = 0.5, 15
		case first <= m.MinSamples:
			m.MinTime = 0
		}
		rule := newRule(m, func() float64 { return elapsed })
		rule.Clock(1, s.resolution)
		for x := start; ; x = s.next(len(all)) {
			all = append(all, x)
			elapsed += x
			rule.Add(x)
			stop, ok, reason := rule.Done()
			if !stop {
				continue
			}
			if strings.HasPrefix(reason, "timeout") {
				limited++
				break
			}
			taken += len(all)
			if ok {
				converged++
				if !s.right(len(all), stats.Summarize(all).Median, m.Noise) {
					wrong++
				}
			}
			break
		}
	}
	return wrong, converged, limited, float64(taken) / float64(max(1, trials-limited))
}

func percentOf(part, whole int) float64 { return 100 * float64(part) / float64(whole) }

// TestFalseStops holds the share of streams on which the rule says converged
// while the median is off by more than twice the noise asked for, in every
// family of streams, to 5 %.
func TestFalseStops(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	all := families()
	for _, name := range []string{"compute", "loaded", "memory"} {
		samples := recorded(t, name)
		truth := stats.Summarize(samples).Median
		all = append(all, family{name: "recorded " + name, recorded: true, stream: func(r *rand.Rand, _ int) stream {
			from := r.IntN(len(samples))
			return stream{next: func(n int) float64 { return samples[(from+n)%len(samples)] }, right: near(truth), resolution: 0.1e-6}
		}})
	}
	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			trials := 100
			if f.recorded {
				trials = 40 // longer streams
			}
			for _, first := range []int{10, 40, 300} {
				if first < f.least || f.recorded && first != 300 {
					continue
				}
				wrong, converged, limited, samples := falseStops(f, first, trials)
				t.Logf("%s, at least %3d samples: false stops %4.1f %%, converged %5.1f %%, timeout %5.1f %%, mean samples to stop %5.0f",
					f.name, first, percentOf(wrong, trials), percentOf(converged, trials), percentOf(limited, trials), samples)
				if share := percentOf(wrong, trials); share > 5 {
					t.Errorf("at least %d samples: %.1f %% false stops, want at most 5 %%", first, share)
				}
				if share := percentOf(converged, trials); share < 100*f.converges {
					t.Errorf("at least %d samples: converged on %.1f %%, want at least %.0f %%", first, share, 100*f.converges)
				}
			}
		})
	}
}

func TestRuleCountsBatchesAsTime(t *testing.T) {
	m := config.Measure{MinSamples: 10, MinTime: 0.5, Noise: 0.005, Timeout: 15}
	for batch, want := range map[int]int{1: 500, 10: 50, 1000: 10} {
		rule := newRule(m, func() float64 { return 0 })
		rule.Clock(batch, 1e-9)
		n := 0
		for stop := false; !stop && n < 1000; n++ {
			rule.Add(1.0001e-3)
			stop, _, _ = rule.Done()
		}
		if n != want {
			t.Errorf("batches of %d runs of 1 ms: stopped after %d samples, want %d", batch, n, want)
		}
	}
}

func TestRuleReasons(t *testing.T) {
	m := config.Measure{MinSamples: 10, MinTime: 0.05, Noise: 0.005, Timeout: 1}
	flip := func(n int) float64 { return []float64{1e-3, 1.1e-3}[n%2] }
	for _, c := range []struct {
		name       string
		resolution float64
		sample     func(n int) float64
		converged  bool
		want       []string
	}{
		{"steady", 1e-9, func(int) float64 { return 1e-3 }, true, []string{"median known within", "50 samples"}},
		{"slow", 1e-9, func(int) float64 { return 0.3 }, false, []string{"timeout after 1 s", "4 of 10 samples", "too few samples"}},
		{"two levels in turn", 1e-9, flip, false, []string{"noise settled", "asked for"}},
		{"ramp", 1e-9, func(n int) float64 { return 1e-3 * (1 + 0.0005*float64(n)) }, false, []string{"the level changed by +"}},
		{"coarse clock", 1e-4, func(int) float64 { return 1e-3 }, false, []string{"one step of the clock is 10 %"}},
		{"no time", 0, func(int) float64 { return 0 }, false, []string{"timeout", "had no positive time"}},
		{"not a number", 0, func(int) float64 { return math.NaN() }, false, []string{"timeout", "had no positive time"}},
	} {
		elapsed := 0.0
		rule := newRule(m, func() float64 { return elapsed })
		rule.Clock(1, c.resolution)
		if stop, _, reason := rule.Done(); stop || reason != "" {
			t.Errorf("%s: stopped before the first sample: %s", c.name, reason)
		}
		stop, converged, reason := false, false, ""
		for n := 0; !stop && n < 20000; n++ {
			x := c.sample(n)
			rule.Add(x)
			if x > 0 {
				elapsed += x
			} else {
				elapsed += 1e-4
			}
			stop, converged, reason = rule.Done()
		}
		if !stop || converged != c.converged {
			t.Errorf("%s: stop %v converged %v (%s), want converged %v", c.name, stop, converged, reason, c.converged)
		}
		for _, w := range c.want {
			if !strings.Contains(reason, w) {
				t.Errorf("%s: reason %q does not say %q", c.name, reason, w)
			}
		}
		if again, _, _ := rule.Done(); !again {
			t.Errorf("%s: a stopped rule went on", c.name)
		}
	}
}

// TestLevelIsToldPlainly: the level falls to a third, by two thirds of what it
// was, and no number has an exponent.
func TestLevelIsToldPlainly(t *testing.T) {
	elapsed := 0.0
	rule := newRule(config.Measure{MinSamples: 10, Noise: 0.01, Timeout: 1}, func() float64 { return elapsed })
	for n := range 100 {
		x := 3e-3
		if n >= 40 {
			x = 1e-3
		}
		rule.Add(x * (1 + 1e-4*float64(n%7)))
	}
	elapsed = 1
	if _, _, reason := rule.Done(); !strings.Contains(reason, "the level changed by -67 % while sampling") {
		t.Errorf("reason %q", reason)
	}
}
