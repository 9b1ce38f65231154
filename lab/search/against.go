package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
	"example.org/bench/tuning/strategy"
)

// seeds is how many searches a live comparison has time for: medians of so many, the first, stand beside those
// of all.
const seeds = 3

// most is of how many of the other tuners' strategies the summary is, the soonest by evaluations.
const most = 5

// way is what a search, or several, needed on one space: the medians of the first seeds and of all. never is how
// many of all were never within 5 %.
type way struct {
	few, all search
	runs     int
	never    int
}

// against prints when the searches of other tuners (replay.ReadSearches), and those of best without and with a
// prior, were within 5 % of the optimum, and the geometric means over the spaces.
func against(w io.Writer, runs string, spaces []string, o replay.Options) error {
	others, err := replay.ReadSearches(strings.Split(runs, ","))
	if err != nil {
		return err
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "SPACE\tPOINTS\tWITHIN 5 %%\tSEARCH\tMEDIAN OF %d\tOF ALL\tSEARCHES\n", seeds)
	ways := map[string][]way{} // of a search, by space
	for _, name := range spaces {
		truth, model, _ := strings.Cut(name, "=")
		space, err := recorded.Open(truth, nil)
		if err != nil {
			return err
		}
		found, names := waysOf(others, space, o.Budget)
		if len(names) == 0 {
			return fmt.Errorf("%s: %s has no searches of it", truth, runs)
		}
		ours, err := best(space, model, o)
		if err != nil {
			return err
		}
		for _, x := range ours {
			names, found[x.name] = append(names, x.name), x.way
		}
		for i, n := range names {
			label, points, good := "", "", ""
			if i == 0 {
				label, points, good = strings.TrimSuffix(filepath.Base(truth), ".csv.gz"), fmt.Sprint(space.Space.Len()), fmt.Sprint(within(space))
			}
			x := found[n]
			fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", label, points, good, n, x.few, x.all, counted(x))
			ways[n] = append(ways[n], x)
		}
		ways[soonest] = append(ways[soonest], least(others, found))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	return summary(w, ways, len(spaces))
}

// within is how many points are within 5 % of the optimum.
func within(space *recorded.Space) (n int) {
	optimum, _ := space.Optimum()
	for _, c := range space.Costs {
		if optimum/c >= 0.95 {
			n++
		}
	}
	return n
}

func counted(x way) string {
	if x.never == 0 {
		return fmt.Sprint(x.runs)
	}
	return fmt.Sprintf("%d, %d never", x.runs, x.never)
}

func (s search) String() string {
	sign := ""
	if !s.reached {
		sign = "> "
	}
	return fmt.Sprintf("%s%d (%s%.3g s)", sign, s.evaluations, sign, s.seconds)
}

// waysOf are those of the searches of a space, with their strategies in order.
func waysOf(others []replay.Searches, space *recorded.Space, budget int) (map[string]way, []string) {
	found, names := map[string]way{}, []string(nil)
	for _, s := range others {
		if s.Space == space.Name {
			found[s.Strategy] = wayOf(s, space, budget)
			names = append(names, s.Strategy)
		}
	}
	return found, names
}

func least(others []replay.Searches, found map[string]way) (x way) {
	first := true
	for _, s := range others {
		y, ok := found[s.Strategy]
		if !ok {
			continue
		}
		if first {
			x, first = y, false
		}
		x.few.evaluations, x.all.evaluations = min(x.few.evaluations, y.few.evaluations), min(x.all.evaluations, y.all.evaluations)
		x.few.seconds, x.all.seconds = min(x.few.seconds, y.few.seconds), min(x.all.seconds, y.all.seconds)
		x.all.reached = x.all.reached || y.all.reached
	}
	return x
}

// named is one of ours.
type named struct {
	name string
	way
}

// best are its searches as Kernel Tuner's, which compiles each point when it is to be run, and with compilers
// beside; each without the prior and, of a space that has a model, with it.
func best(space *recorded.Space, model string, o replay.Options) (all []named, err error) {
	var priors [][]*recorded.Space
	priors = append(priors, nil)
	if model != "" {
		m, err := recorded.Open(model, nil)
		if err != nil {
			return nil, err
		}
		priors = append(priors, []*recorded.Space{m})
	}
	for _, compilers := range slices.Compact([]int{0, o.Compilers}) {
		for i, from := range priors {
			name := []string{"best", "best with the prior"}[i]
			if compilers > 0 {
				name += fmt.Sprintf(", %d compilers", compilers)
			}
			o.From, o.Compilers = from, compilers
			r, err := replay.Run(context.Background(), []*recorded.Space{space}, *strategy.Find("best"), o)
			if err != nil {
				return nil, err
			}
			all = append(all, named{name, wayOf(replay.Searches{Runs: r.Costs, Ends: r.Ends}, space, o.Budget)})
		}
	}
	return all, nil
}

// wayOf counts a search that never was within 5 % with the whole budget: where it ended before, the rest with the
// mean of what the space's points take.
func wayOf(s replay.Searches, space *recorded.Space, budget int) way {
	optimum, _ := space.Optimum()
	usual := 0.0
	for i := range space.Compile {
		usual += (space.Compile[i] + space.Run[i]) / float64(len(space.Compile))
	}
	var all []search
	x := way{runs: len(s.Runs)}
	for i, costs := range s.Runs {
		at := slices.IndexFunc(costs, func(c float64) bool { return optimum/c >= 0.95*(1-1e-9) }) // other programs may write fewer digits
		one := search{evaluations: at + 1, reached: at >= 0}
		if at < 0 {
			at, one.evaluations = len(costs)-1, max(budget, len(costs))
			one.seconds = float64(one.evaluations-len(costs)) * usual
			x.never++
		}
		if s.Ends != nil && at >= 0 {
			one.seconds += s.Ends[i][at]
		}
		all = append(all, one)
	}
	x.few, x.all = median(all[:min(seeds, len(all))]), median(all)
	return x
}

// median is that of the evaluations and that of the seconds; of an even number the later of both. Searches that never
// were within 5 % come last.
func median(all []search) search {
	by := func(less func(a, b search) int) search {
		sorted := slices.Clone(all)
		slices.SortFunc(sorted, func(a, b search) int {
			if a.reached != b.reached {
				return map[bool]int{true: -1, false: 1}[a.reached]
			}
			return less(a, b)
		})
		return sorted[len(sorted)/2]
	}
	m := by(func(a, b search) int { return cmp.Compare(a.evaluations, b.evaluations) })
	m.seconds = by(func(a, b search) int { return cmp.Compare(a.seconds, b.seconds) }).seconds
	return m
}

// soonest is the least of the other tuners' on a space, each figure by itself.
const soonest = "the soonest of each space"

// summary are the geometric means over the spaces of the medians, of the strategies that searched all of them.
func summary(w io.Writer, ways map[string][]way, spaces int) error {
	type row struct {
		name  string
		means [4]float64 // evaluations and seconds of few, and of all
		later int
	}
	var rows []row
	for name, list := range ways {
		if len(list) < spaces {
			continue
		}
		r := row{name: name}
		for _, x := range list {
			for i, v := range []float64{float64(x.few.evaluations), x.few.seconds, float64(x.all.evaluations), x.all.seconds} {
				r.means[i] += math.Log(max(v, 1e-9)) / float64(spaces)
			}
			if !x.all.reached {
				r.later++
			}
		}
		for i := range r.means {
			r.means[i] = math.Exp(r.means[i])
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Or(cmp.Compare(a.means[2], b.means[2]), cmp.Compare(a.name, b.name)) })
	others := 0
	rows = slices.DeleteFunc(rows, func(r row) bool {
		if strings.HasPrefix(r.name, "best") || r.name == soonest {
			return false
		}
		others++
		return others > most
	})
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "\nGEOMETRIC MEANS OF %d SPACES\tMEDIAN OF %d\tOF ALL\tSPACES NEVER\n", spaces, seeds)
	for _, r := range rows {
		fmt.Fprintf(tab, "%s\t%.1f (%.3g s)\t%.1f (%.3g s)\t%d\n", r.name, r.means[0], r.means[1], r.means[2], r.means[3], r.later)
	}
	return tab.Flush()
}
