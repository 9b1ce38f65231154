package compare

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// reported has two points; the second's energy is known without uncertainty.
func reported(t *testing.T, metrics ...string) *Comparison {
	rng := rand.New(rand.NewPCG(1, 1))
	run := func(name string, f float64) Run {
		return synthetic(name, []spot{
			{version: "v", n: 64, samples: noises[0].make(rng, 100, f*1e-3), energy: 2 * f, uncertainty: 0.02 * f},
			{version: "v", n: 128, samples: noises[0].make(rng, 100, f*3e-3), energy: 5 * f},
		})
	}
	gate := 0.05
	a, b := run("before", 1), run("after|it", 1.25)
	b.Info.Warnings = []string{"the machine was busy"}
	return compared(t, []Run{a, b}, Options{By: ByRun, Metrics: metrics, Gate: &gate})
}

func TestText(t *testing.T) {
	const want = `by run: before, after|it; baseline before
algorithm fft, version v, processor CPU

overview
N    run             time   energy  time–energy front
64   before    998 µs      2.000 J  *
64   after|it    1.245 ms  2.500 J
128  before      3.005 ms  5.000 J  *
128  after|it    3.73 ms   6.250 J

time: time of one run, lower is better
N    run             time      ±  ratio  speed-up   95 % interval  p, adjusted  verdict  gate
64   before    998 µs      0.5 %  1
64   after|it    1.245 ms  0.6 %  1.247    0.802×  1.238 to 1.257       <0.001  worse    worse
128  before      3.005 ms  0.6 %  1
128  after|it    3.73 ms   0.7 %  1.241    0.806×  1.230 to 1.253       <0.001  worse    worse
geometric mean of the ratios of after|it: 1.244

energy: energy of one run, lower is better
N    run        energy      ±  ratio   95 % interval  p, adjusted  verdict  gate
64   before    2.000 J  1.0 %  1
64   after|it  2.500 J  1.0 %  1.250  1.232 to 1.268       <0.001  worse    worse
128  before    5.000 J         1
128  after|it  6.250 J         1.250                                        inconclusive
geometric mean of the ratios of after|it: 1.250
warning: after|it: the machine was busy
intervals: 95 %, of each ratio alone; verdicts: at most 5 % chance of any false one among all ratios here (Holm)
one instance each: what differs between processes and their memory is in no interval and no verdict here; measure.repeats or several runs a side show it
ratios without an interval: the runs hold no samples and no uncertainty there, so nothing says whether they are real
gate 5 %: worse (3 worse, 1 inconclusive, 0 no worse)
finding: after|it: 24.4 % more time than before at all 2 problems (24.1 to 24.7 %)
`
	if got := reported(t, "time", "energy").Text(); got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
}

// TestCSVOfEnergies: what is not known is empty, and no value is of 0 samples.
func TestCSVOfEnergies(t *testing.T) {
	text, err := csvOf(reported(t, "time", "energy"))
	const want = `energy,128,before,before,5,,,,,,,,,,,,true
energy,128,after|it,before,6.25,,,,,1.25,,,,,,inconclusive,false
`
	if err != nil || !strings.HasSuffix(text, want) {
		t.Errorf("%v; CSV\n%s\nwant its end\n%s", err, text, want)
	}
}

func TestMarkdown(t *testing.T) {
	const want = `by run: before, after|it; baseline before` + "  " + `
algorithm fft, version v, processor CPU

### time: time of one run, lower is better

| N | run | time | ± | ratio | speed-up | 95 % interval | p, adjusted | verdict | gate |
| :-- | :-- | --: | --: | --: | --: | --: | --: | :-- | :-- |
| 64 | before | 998 µs | 0.5 % | 1 |  |  |  |  |  |
| 64 | after\|it | 1.245 ms | 0.6 % | 1.247 | 0.802× | 1.238 to 1.257 | <0.001 | worse | worse |
| 128 | before | 3.005 ms | 0.6 % | 1 |  |  |  |  |  |
| 128 | after\|it | 3.73 ms | 0.7 % | 1.241 | 0.806× | 1.230 to 1.253 | <0.001 | worse | worse |

geometric mean of the ratios of after|it: 1.244

- warning: after\|it: the machine was busy
- intervals: 95 %, of each ratio alone; verdicts: at most 5 % chance of any false one among all ratios here (Holm)
- one instance each: what differs between processes and their memory is in no interval and no verdict here; measure.repeats or several runs a side show it
- gate 5 %: worse (2 worse, 0 inconclusive, 0 no worse)

finding: after\|it: 24.4 % more time than before at all 2 problems (24.1 to 24.7 %)
`
	if got := reported(t, "time").Markdown(); got != want {
		t.Errorf("Markdown\n%s\nwant\n%s", got, want)
	}
}

// TestPlainText: nothing is the same at all points, nothing has an uncertainty,
// and no gate is asked for.
func TestPlainText(t *testing.T) {
	run := func(name string, f float64) Run {
		r := synthetic(name, []spot{{version: "v", n: 1, energy: f}, {version: "w", n: 2, energy: 3 * f}})
		for i, p := range []framework.Processor{framework.CPU, framework.GPU} {
			r.Rows[i].Algorithm, r.Rows[i].Processor = "fft of "+string(p), p
		}
		return r
	}
	const want = `by run: a, b; baseline a

efficiency: operations per energy, higher is better
algorithm   version  processor  N  run         efficiency   ratio
fft of CPU  v        CPU        1  a      1.000 GFLOP/s/W  1
fft of CPU  v        CPU        1  b    500.0 MFLOP/s/W    0.5000
fft of GPU  w        GPU        2  a    333.3 MFLOP/s/W    1
fft of GPU  w        GPU        2  b    166.7 MFLOP/s/W    0.5000
geometric mean of the ratios of b: 0.5000
ratios without an interval: the runs hold no samples and no uncertainty there, so nothing says whether they are real
finding: b: 0.5000 times the efficiency of a at all 2 problems; there is no interval, so nothing says whether that is real
`
	c := compared(t, []Run{run("a", 1), run("b", 2)}, Options{By: ByRun, Metrics: []string{"efficiency"}})
	if got := c.Text(); got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
}

func TestHalfOfAnInterval(t *testing.T) {
	low, high := 9.0, 12.0
	if got := (Estimate{Value: 10, Low: &low, High: &high}).half(); got != "20 %" {
		t.Errorf("10 from 9 to 12 is ± %s", got)
	}
	low = 7
	if got := (Estimate{Value: 10, Low: &low, High: &high}).half(); got != "30 %" {
		t.Errorf("10 from 7 to 12 is ± %s", got)
	}
}
