package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"bench/framework/compare"
	"bench/framework/record"
	"bench/framework/stats"
)

// slower is the factor by which samples are made longer.
const slower = 1.1

// result is what the runs say of each other, in shares of 1.
type result struct {
	// holds is how often a run's interval holds the median of the others, with its
	// 95 % interval by a bootstrap of the runs; half is the median half-width.
	holds, low, high, half float64
	points, pairs          int
	// worse and inconclusive are the gate's verdicts over pairs of runs, found that
	// of worse where the second is slower, and faster how often any of its points
	// was called better.
	worse, inconclusive, found, faster float64
}

func (r result) String() string {
	percent := func(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }
	var b strings.Builder
	fmt.Fprintf(&b, "| | |\n|---|---:|\n")
	for _, row := range [][2]string{
		{fmt.Sprintf("intervals of a run that hold the median of the others, %d points", r.points), fmt.Sprintf("%s (95 %% interval %s to %s)", percent(r.holds), percent(r.low), percent(r.high))},
		{"median half-width", "± " + percent(r.half)},
		{fmt.Sprintf("gates of identical code that are worse, %d pairs", r.pairs), percent(r.worse)},
		{"… that are inconclusive", percent(r.inconclusive)},
		{"10 % slower is found", percent(r.found)},
		{"… is called faster at any point", percent(r.faster)},
	} {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	return b.String()
}

// study compares the runs with each other.
func study(runs []compare.Run, gate float64) (r result, err error) {
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
	count := func(v compare.Verdict, into *float64, g *compare.Comparison) {
		if g.Gate.Verdict == v {
			*into++
		}
	}
	for i := range runs {
		for j := range runs {
			if i == j {
				continue
			}
			same, err := gated(runs[i], runs[j], gate)
			if err != nil {
				return r, err
			}
			count(compare.Worse, &r.worse, same)
			count(compare.Inconclusive, &r.inconclusive, same)
			longer, err := gated(runs[i], stretched(runs[j]), gate)
			if err != nil {
				return r, err
			}
			count(compare.Worse, &r.found, longer)
			if slices.ContainsFunc(longer.Tables[0].Cells, func(c compare.Cell) bool { return c.Ratio != nil && c.Ratio.Verdict == compare.Better }) {
				r.faster++
			}
			r.pairs++
		}
	}
	for _, x := range []*float64{&r.worse, &r.inconclusive, &r.found, &r.faster} {
		*x /= float64(r.pairs)
	}
	return r, nil
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

func gated(a, b compare.Run, gate float64) (*compare.Comparison, error) {
	a.Name, b.Name = "before", "after"
	return compare.New([]compare.Run{a, b}, compare.Options{By: compare.ByRun, Metrics: []string{"time"}, Gate: &gate})
}

// stretched is the run with all times longer.
func stretched(run compare.Run) compare.Run {
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
	run.Run, run.Samples = &whole, slices.Clone(run.Samples)
	for i := range run.Samples {
		run.Samples[i].Time *= slower
	}
	return run
}
