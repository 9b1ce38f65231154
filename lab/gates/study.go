package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// slower is the factor by which samples are made longer.
const slower = 1.1

// result is what the runs say of each other, in shares of 1.
type result struct {
	// holds is how often a run's interval holds the median of the others, with its
	// 95 % interval by a bootstrap of the runs; half is the median half-width.
	holds, low, high, half float64
	points                 int
	sides                  []verdicts
}

// verdicts are the gate's over pairs of sides of so many runs each.
type verdicts struct {
	runs, pairs int
	// worse and inconclusive are of identical code, found is how often a second side
	// that is slower is worse, and faster how often any of its points was called
	// better.
	worse, inconclusive, found, faster float64
}

func (r result) String() string {
	percent := func(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
	var b strings.Builder
	fmt.Fprintf(&b, "| | |\n|---|---:|\n")
	rows := [][2]string{
		{fmt.Sprintf("intervals of a run that hold the median of the others, %d points", r.points), fmt.Sprintf("%s (95 %% interval %s to %s)", percent(r.holds), percent(r.low), percent(r.high))},
		{"median half-width", "± " + percent(r.half)},
	}
	for _, v := range r.sides {
		of := ""
		if v.runs > 1 {
			of = fmt.Sprintf(" of %d runs a side", v.runs)
		}
		rows = append(rows, [2]string{fmt.Sprintf("gates of identical code that are worse, %d pairs%s", v.pairs, of), percent(v.worse)},
			[2]string{"… that are inconclusive", percent(v.inconclusive)},
			[2]string{"10 % slower is found", percent(v.found)},
			[2]string{"… is called faster at any point", percent(v.faster)})
	}
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	return b.String()
}

// study compares the runs with each other, one by one and then in sides of so many, if
// there are two such sides.
func study(runs []compare.Run, side int, gate float64) (r result, err error) {
	held := make([][]bool, len(runs)) // by run, its points
	var halves []float64
	for i, run := range runs {
		for _, w := range run.Rows {
			if !w.Time.Low.IsSet() {
				continue
			}
			truth := others(runs, i, w.Point)
			held[i] = append(held[i], w.Time.Low.Float() <= truth && truth <= w.Time.High.Float())
			halves = append(halves, stats.Summary{Median: w.Time.Median.Float(), Low: w.Time.Low.Float(), High: w.Time.High.Float()}.Interval())
		}
		r.points += len(held[i])
	}
	if r.points == 0 {
		return r, fmt.Errorf("no point of %d runs has an interval", len(runs))
	}
	r.holds, r.half = share(held), stats.Median(halves)
	r.low, r.high = bootstrap(held)
	for _, n := range []int{1, side} {
		var sides [][]compare.Run
		for s := range slices.Chunk(runs, max(1, n)) {
			if len(s) == n {
				sides = append(sides, s)
			}
		}
		if len(sides) < 2 || n == 1 && len(r.sides) > 0 {
			continue
		}
		v, err := judge(sides, gate)
		if err != nil {
			return r, err
		}
		r.sides = append(r.sides, v)
	}
	return r, nil
}

// judge compares each side with each other one.
func judge(sides [][]compare.Run, gate float64) (v verdicts, err error) {
	v.runs = len(sides[0])
	count := func(what compare.Verdict, into *float64, g *compare.Comparison) {
		if g.Gate.Verdict == what {
			*into++
		}
	}
	for i := range sides {
		for j := range sides {
			if i == j {
				continue
			}
			same, err := gated(sides[i], sides[j], gate)
			if err != nil {
				return v, err
			}
			count(compare.Worse, &v.worse, same)
			count(compare.Inconclusive, &v.inconclusive, same)
			longer, err := gated(sides[i], stretched(sides[j]), gate)
			if err != nil {
				return v, err
			}
			count(compare.Worse, &v.found, longer)
			if slices.ContainsFunc(longer.Tables[0].Cells, func(c compare.Cell) bool { return c.Ratio != nil && c.Ratio.Verdict == compare.Better }) {
				v.faster++
			}
			v.pairs++
		}
	}
	for _, x := range []*float64{&v.worse, &v.inconclusive, &v.found, &v.faster} {
		*x /= float64(v.pairs)
	}
	return v, nil
}

// others is the median of the times of a point in all runs but one.
func others(runs []compare.Run, but, point int) float64 {
	var x []float64
	for i, run := range runs {
		for _, w := range run.Rows {
			if i != but && w.Point == point && w.Time.Median.IsSet() {
				x = append(x, w.Time.Median.Float())
			}
		}
	}
	return stats.Median(x)
}

func share(held [][]bool) float64 {
	yes, all := 0, 0
	for _, run := range held {
		for _, h := range run {
			if all++; h {
				yes++
			}
		}
	}
	return float64(yes) / float64(all)
}

// bootstrap is the 95 % interval of the share, from runs drawn with replacement.
func bootstrap(held [][]bool) (low, high float64) {
	const draws = 2000
	rng := rand.New(rand.NewPCG(1, 2))
	shares := make([]float64, draws)
	for i := range shares {
		drawn := make([][]bool, len(held))
		for j := range drawn {
			drawn[j] = held[rng.IntN(len(held))]
		}
		shares[i] = share(drawn)
	}
	slices.Sort(shares)
	return stats.Quantile(shares, 0.025), stats.Quantile(shares, 0.975)
}

func gated(before, after []compare.Run, gate float64) (*compare.Comparison, error) {
	var all []compare.Run
	for level, side := range [][]compare.Run{before, after} {
		for _, run := range side {
			run.Level = [...]string{"before", "after"}[level]
			run.Name = run.Level + " " + run.Name
			all = append(all, run)
		}
	}
	return compare.New(all, compare.Options{By: compare.ByRun, Metrics: []string{"time"}, Gate: &gate})
}

// stretched are the runs with all times longer.
func stretched(runs []compare.Run) []compare.Run {
	list := slices.Clone(runs)
	for r := range list {
		run := &list[r]
		whole := *run.Run
		whole.Rows = slices.Clone(whole.Rows)
		for i := range whole.Rows {
			t := &whole.Rows[i].Time
			for _, n := range []*record.Number{&t.Median, &t.Low, &t.High} {
				if n.IsSet() {
					*n = record.Measured(slower * n.Float())
				}
			}
		}
		samples := run.Samples.List()
		for i := range samples {
			samples[i].Time *= slower
		}
		run.Run, run.Samples = &whole, record.SamplesOf(samples)
	}
	return list
}
