package history

import (
	"math"
	"strings"
	"testing"
)

// TestShow: what a series shows is said in words, and what is not known is not.
func TestShow(t *testing.T) {
	metrics := Metrics()
	change := Change{Revision: "r3", After: "r2", Until: "r4", Found: "r9", Ago: 1, Ratio: 1.2, Low: 1.17, High: 1.23}
	again := change
	again.Ratio, again.Low, again.High = 0.5, 0, math.Inf(1)
	again.Ago, again.Drift, again.Also = 0, true, []string{"bench v1 → v2", "the config's text"}
	elsewhere := change
	elsewhere.Ago, elsewhere.NotTheCode = 3, "the SM clock changed with it"
	c := &Check{File: "h", Runs: 1, Verdict: GateWorse, Gone: []string{"fft on cpu, time"}, Series: []*Judged{
		{Series: &Series{Metric: metrics[0]}, Verdict: Worse, Point: "fft on cpu", MachineName: "a CPU", Machine: "ab12", Config: "fft.json", Runs: 9, Alike: 8,
			Value: 2e-3, Low: 1.9e-3, High: 2.2e-3, Noise: 0.0125, Changes: []Change{again, change}, Outliers: []string{"r5", "r6"}, Around: []string{"kernel 6.1 → 6.2", "driver 1 → 2"}},
		{Series: &Series{Metric: metrics[1]}, Verdict: NotTheCode, Point: "fft on cuda:0", MachineName: "a GPU", Machine: "cd34", Config: "fft.json", Runs: 1, Alike: 1,
			Value: 7.25, Changes: []Change{elsewhere}},
		{Series: &Series{Metric: metrics[0]}, Verdict: Failed, Reason: "wrong", Point: "scan on cpu", MachineName: "a CPU", Machine: "ab12", Config: "scan.json", Runs: 2},
		{Series: &Series{Metric: metrics[2]}, Verdict: NoChange, Point: "scan on cpu", MachineName: "a CPU", Machine: "ab12", Config: "scan.json", Runs: 20, Alike: 20,
			Value: 3, Noise: 0.02, Levels: []float64{2, 3}},
	}}
	want := `h: 1 run, 4 series; gate: worse

fft on cpu, time of one run
  on a CPU (machine ab12), config fft.json: 9 runs, 8 with the last one's surroundings
  level 2.00 ms ± 7.5 %, noise 1.2 %
  drift: faster by 50 % since r3; found in the last run; with it changed bench v1 → v2, the config's text
  slower by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 1 run ago
  outliers in r5, r6
  surroundings changed: kernel 6.1 → 6.2; driver 1 → 2
  slower by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 1 run ago

fft on cuda:0, energy of one run
  on a GPU (machine cd34), config fft.json: 1 run, 1 with the last one's surroundings
  level 7.250 J
  more energy by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 3 runs ago; not the code: the SM clock changed with it
  more energy by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 3 runs ago; not the code: the SM clock changed with it

scan on cpu, time of one run
  on a CPU (machine ab12), config scan.json: 2 runs, 0 with the last one's surroundings
  failed: wrong

scan on cpu, median latency at a rate
  on a CPU (machine ab12), config scan.json: 20 runs, 20 with the last one's surroundings
  level 3.000 s, noise 2.0 %
  no change in 20 runs, noise 2.0 %, on two levels 50 % apart

not measured any more: fft on cpu, time
`
	if got := c.Show(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	want = `h: 1 run, 4 series; gate: worse
fft on cpu,  (a CPU): slower by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 1 run ago
fft on cuda:0,  (a GPU): more energy by 20 ± 3 % from r3 on (between r2 and r4); found in r9, 3 runs ago; not the code: the SM clock changed with it
scan on cpu,  (a CPU): failed: wrong
no change in 1 series, noise 2.0 % to 2.0 %
not measured any more: fft on cpu, time
`
	if got := c.Text(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	c.Series = c.Series[3:]
	if got := c.Markdown(); strings.Contains(got, "|") || !strings.Contains(got, "No change in 1 of 1 series; 1 run in the history.\n") {
		t.Errorf("a table of nothing:\n%s", got)
	}
	c.Series, c.Gone = nil, nil
	if got := c.Text(); got != "h: 1 run, 0 series; gate: worse\n" {
		t.Errorf("of nothing: %s", got)
	}
}
