package compare

import (
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

func TestMatrix(t *testing.T) {
	const want = `by run: before, after|it; baseline before
algorithm fft, version v, processor CPU

time of one run and its ratio to that of before, lower is better
N                   before                  after|it  time–energy front
64              998 µs      1.247 (1.238 to 1.257) -             before
128               3.005 ms  1.241 (1.230 to 1.253) -             before
geometric mean              1.244

energy of one run and its ratio to that of before, lower is better
N                before                  after|it
64              2.000 J  1.250 (1.232 to 1.268) -
128             5.000 J  1.250
geometric mean           1.250
+ better, - worse, ? no difference told
warning: after|it: the machine was busy
intervals: 95 %, of each ratio alone; verdicts: at most 5 % chance of any false one among all ratios here (Holm)
one instance each: what differs between processes and their memory is in no interval and no verdict here; measure.repeats or several runs a side show it
ratios without an interval: the runs hold no samples and no uncertainty there, so nothing says whether they are real
gate 5 %: worse (3 worse, 1 inconclusive, 0 no worse)
finding: after|it: 24.4 % more time than before at all 2 problems (24.1 to 24.7 %)
`
	c := reported(t, "time", "energy")
	if got := c.Short(false, 0); got != want {
		t.Errorf("text\n%s\nwant\n%s", got, want)
	}
	if wide := c.Short(false, 80); wide != c.Short(false, 0) {
		t.Errorf("80 columns are enough, and it is\n%s", wide)
	}
}

// Verdicts have colours on a terminal. Where it is narrow the columns of a level come below those of the
// one before, each with what names the row, and below 60 characters each row is a block.
func TestNarrowMatrix(t *testing.T) {
	m := Matrix{Title: "t", Head: []string{"batch_elements", "a", "b", "c"}, Left: 1, Mean: true, Rows: [][]Entry{
		{{Text: "64"}, {Text: "1.00 ms"}, {Text: "0.50 (0.48 to 0.52)", Verdict: Better}, {Text: "12.0 (9.0 to 14.0)", Verdict: Worse}},
		{{Text: "128"}, {Text: "3 ms"}, {Text: "1.1 (0.9 to 1.2)", Verdict: NotTold}, {Text: "1.1 (0.9 to 1.3)", Verdict: Inconclusive}},
		{{Text: "mean"}, {}, {Text: "0.7"}, {Text: "3.6"}},
	}}
	for width, want := range map[int]string{65: `t
batch_elements        a                      b
64              1.00 ms  0.50 (0.48 to 0.52) +
128             3 ms     1.1 (0.9 to 1.2) ?
mean                     0.7
batch_elements                     c
64              12.0 (9.0 to 14.0) -
128              1.1 (0.9 to 1.3) ?
mean             3.6
`, 30: `t
batch_elements 64
  a: 1.00 ms
  b: 0.50 (0.48 to 0.52) +
  c: 12.0 (9.0 to 14.0) -
batch_elements 128
  a: 3 ms
  b: 1.1 (0.9 to 1.2) ?
  c: 1.1 (0.9 to 1.3) ?
mean
  b: 0.7
  c: 3.6
`} {
		if got := m.Text(false, width); got != want {
			t.Errorf("%d characters:\n%s\nwant\n%s", width, got, want)
		}
	}
	for _, painted := range []string{"\x1b[32m0.50 (0.48 to 0.52) +", "\x1b[31m12.0 (9.0 to 14.0) -", "\x1b[33m 1.1 (0.9 to 1.3) ?"} {
		if got := m.Text(terminal.Palette(true), 0); !strings.Contains(got, painted) {
			t.Errorf("no %q in\n%q", painted, got)
		}
	}
}

// A finding says what verdicts say, how much that is, and what is not told.
func TestFindings(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	point := func(version string, n int64, f float64) spot {
		return spot{version: version, n: n, samples: noises[0].make(rng, 100, f*1e-3)}
	}
	of := func(spots ...spot) Run { return synthetic("r", spots) }
	for _, c := range []struct {
		run  Run
		want string
		told bool
	}{
		{of(point("u", 1, 1), point("v", 1, 20), point("u", 2, 1), point("v", 2, 30)), "u fastest at 2 of 2 problems, 25 times as fast as v (20 to 30)", true},
		{of(point("u", 1, 1), point("v", 1, 1), point("u", 2, 1), point("v", 2, 1)), "no version is shown to be fastest, cannot tell u from v at any of 2 problems: at most 0.9 % apart", false},
		{of(point("u", 1, 1), point("u", 2, 3)), "2 points take 999 µs to 3.001 ms, and no two versions share a problem", false},
		{of(point("u", 1, 1)), "u takes 1.000 ms", false},
		{of(point("u", 1, 1), point("v", 1, 1), point("w", 1, 30)), "no version is shown to be fastest, cannot tell u from v: at most 1.3 % apart; w: 30.00 times the time of v (29.79 to 30.24)", true},
	} {
		if got := OfRun(c.run); got.Text != c.want || got.Told != c.told {
			t.Errorf("%q, told %v; want %q, %v", got.Text, got.Told, c.want, c.told)
		}
	}
	doubtful := of(point("u", 1, 1), point("v", 1, 20))
	doubtful.Rows[0].Time.Moved = record.Measured(0.2)
	if got := OfRun(doubtful).Text; !strings.HasSuffix(got, "; 1 median uncertain (~)") {
		t.Error(got)
	}
	if line := (Finding{Text: "x", Told: true}).Line(true); line != "\x1b[32mfinding:\x1b[m x\n" {
		t.Errorf("%q", line)
	}
	if line := (Finding{}).Line(true); line != "" {
		t.Errorf("%q", line)
	}
}

// Of power modes it says what energy is saved for what time, and whether that is shown.
func TestFindingOfModes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	mode := func(name string, time, energy float64) Run {
		r := synthetic(name, []spot{{version: "v", n: 1, samples: noises[0].make(rng, 100, time*1e-3), energy: energy, uncertainty: 0.01 * energy}})
		r.Rows[0].PowerMode = name
		return r
	}
	runs := []Run{mode("MAXN", 1, 1), mode("15W", 1.09, 0.73), mode("10W", 2, 0.9)}
	got := compared(t, runs, Options{By: ByPowerMode}).Finding()
	if !strings.HasPrefix(got.Text, "mode 15W: 27.0 % less energy for ") || !strings.HasSuffix(got.Text, " % more time than MAXN; it is on the front of time and energy at 1 of 1 problem") || !got.Told {
		t.Errorf("%+v", got)
	}
	if got := compared(t, []Run{mode("MAXN", 1, 1), mode("15W", 2, 1.5)}, Options{By: ByPowerMode}).Finding(); !strings.HasPrefix(got.Text, "15W: 2.010 times the time of MAXN") {
		t.Errorf("no mode saves energy: %+v", got)
	}
	// So it is of runs in a mode each, by their names; of others time comes first.
	if got := compared(t, runs, Options{By: ByRun}).Finding(); !strings.HasPrefix(got.Text, "15W: 27.0 % less energy for ") {
		t.Errorf("of runs: %+v", got)
	}
	runs[1].Rows[0].PowerMode = "MAXN"
	if got := compared(t, runs, Options{By: ByRun}).Finding(); strings.Contains(got.Text, "energy") {
		t.Errorf("of runs in one mode: %+v", got)
	}
}

// Where nothing is told it says how many repeats would.
func TestFindingSaysWhatWouldTell(t *testing.T) {
	side := func(name string, medians ...float64) (list []Run) {
		for i, m := range medians {
			r := synthetic(name+string(rune('0'+i)), []spot{{version: "v", n: 1, samples: fill(30, func(i int) float64 { return m * (1 + 1e-4*float64(i%7)) })}})
			r.Level = name
			list = append(list, r)
		}
		return list
	}
	c := compared(t, append(side("a", 1, 1.3, 0.8), side("b", 1.1, 0.9, 1.4)...), Options{By: ByRun})
	if got := c.Finding(); got.Told || !strings.HasPrefix(got.Text, "cannot tell b from a: about ") || !strings.HasSuffix(got.Text, " repeats would show 10 %") {
		t.Errorf("%+v", got)
	}
}
