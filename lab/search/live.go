package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"text/tabwriter"

	"example.org/bench/framework/record"
	"example.org/bench/tuning/recorded"
	tuningsearch "example.org/bench/tuning/search"
)

// search is a live search's way to within 5 % of the optimum; one that never was there has all that it did,
// which is too little.
type search struct {
	evaluations int
	seconds     float64
	reached     bool
}

// group is the searches of one kernel on as many cores.
type group struct{ none, prior []search }

var liveName = regexp.MustCompile(`^live-(\d+)-\d+(-none)?$`)

// live prints what lab/gpu/search/run.sh's live searches needed, a row for each kernel and number of cores. A
// trial counts by what its point costs in the space that was measured in full.
func live(w io.Writer, folder string) error {
	kernels, err := filepath.Glob(filepath.Join(folder, "*", "spaces"))
	if err != nil || len(kernels) == 0 {
		return fmt.Errorf("%s: no folder in it has spaces", folder)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "KERNEL\tPOINTS\tWITHIN 5 %\tCORES\tNONE\tPRIOR\tBY NONE")
	logs := map[int][][2]float64{}
	for _, spaces := range kernels {
		dir := filepath.Dir(spaces)
		files, err := filepath.Glob(filepath.Join(spaces, "*.csv.gz"))
		if err != nil || len(files) != 1 {
			return fmt.Errorf("%s: %d spaces, want one", spaces, len(files))
		}
		truth, err := recorded.Open(files[0], nil)
		if err != nil {
			return err
		}
		groups, err := groupsOf(dir, truth)
		if err != nil {
			return err
		}
		for _, cores := range slices.Sorted(maps.Keys(groups)) {
			g := groups[cores]
			n, p := mean(g.none), mean(g.prior)
			fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%s\t%s\t%.2f (%.2f)\n", filepath.Base(dir), truth.Space.Len(), within(truth), cores, words(g.none), words(g.prior), p[0]/n[0], p[1]/n[1])
			logs[cores] = append(logs[cores], [2]float64{math.Log(p[0] / n[0]), math.Log(p[1] / n[1])})
		}
	}
	for _, cores := range slices.Sorted(maps.Keys(logs)) {
		sum := [2]float64{}
		for _, l := range logs[cores] {
			sum[0] += l[0] / float64(len(logs[cores]))
			sum[1] += l[1] / float64(len(logs[cores]))
		}
		fmt.Fprintf(tab, "geometric mean of %d\t\t\t%d\t\t\t%.2f (%.2f)\n", len(logs[cores]), cores, math.Exp(sum[0]), math.Exp(sum[1]))
	}
	return tab.Flush()
}

// mean is the geometric means of evaluations and seconds.
func mean(all []search) (m [2]float64) {
	for _, s := range all {
		m[0] += math.Log(float64(s.evaluations)) / float64(len(all))
		m[1] += math.Log(s.seconds) / float64(len(all))
	}
	return [2]float64{math.Exp(m[0]), math.Exp(m[1])}
}

// words are the geometric means, with how many searches never were within 5 %.
func words(all []search) string {
	m, never := mean(all), 0
	for _, s := range all {
		if !s.reached {
			never++
		}
	}
	text := fmt.Sprintf("%.1f (%.3g s)", m[0], m[1])
	if never > 0 {
		text += fmt.Sprintf(", %d of %d never", never, len(all))
	}
	return text
}

func groupsOf(dir string, truth *recorded.Space) (map[int]*group, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	groups := map[int]*group{}
	for _, e := range entries {
		name := liveName.FindStringSubmatch(e.Name())
		if name == nil {
			continue
		}
		s, err := readLive(filepath.Join(dir, e.Name()), truth)
		if err != nil {
			return nil, err
		}
		cores, _ := strconv.Atoi(name[1])
		g := groups[cores]
		if g == nil {
			g = &group{}
			groups[cores] = g
		}
		if name[2] != "" {
			g.none = append(g.none, s)
		} else {
			g.prior = append(g.prior, s)
		}
	}
	for cores, g := range groups {
		if len(g.none) != len(g.prior) {
			return nil, fmt.Errorf("%s: on %d cores %d searches without the prior and %d with it", dir, cores, len(g.none), len(g.prior))
		}
	}
	return groups, nil
}

// readLive counts the trials of a search's folder, in their order, until one is within 5 % of the optimum.
func readLive(dir string, truth *recorded.Space) (s search, err error) {
	r, err := tuningsearch.Read(dir)
	if err != nil {
		return s, err
	}
	tasks, err := r.Trials(dir)
	if err != nil {
		return s, err
	}
	if len(tasks) != 1 || len(tasks[0]) == 0 {
		return s, fmt.Errorf("%s: want the trials of one sweep point", dir)
	}
	best, _ := truth.Optimum()
	for _, row := range tasks[0] {
		if math.IsNaN(row.Ended) {
			continue
		}
		s.evaluations++
		s.seconds = row.Ended
		point := truth.Space.FindValues(row.Values)
		if point < 0 {
			return s, fmt.Errorf("%s: trial %d has a point that is not in %s", dir, s.evaluations, truth.Name)
		}
		if row.Status == record.OK && best/truth.Costs[point] >= 0.95 {
			s.reached = true
			return s, nil
		}
	}
	return s, nil
}
