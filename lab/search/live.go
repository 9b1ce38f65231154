package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"example.org/bench/tuning/recorded"
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
		best, _ := truth.Optimum()
		good := 0
		for _, c := range truth.Costs {
			if c <= best/0.95 {
				good++
			}
		}
		for _, cores := range sortedCores(groups) {
			g := groups[cores]
			n, p := mean(g.none), mean(g.prior)
			fmt.Fprintf(tab, "%s\t%d\t%d\t%d\t%s\t%s\t%.2f (%.2f)\n", filepath.Base(dir), truth.Space.Len(), good, cores, words(g.none), words(g.prior), p[0]/n[0], p[1]/n[1])
			logs[cores] = append(logs[cores], [2]float64{math.Log(p[0] / n[0]), math.Log(p[1] / n[1])})
		}
	}
	for _, cores := range sortedCores(logs) {
		sum := [2]float64{}
		for _, l := range logs[cores] {
			sum[0] += l[0] / float64(len(logs[cores]))
			sum[1] += l[1] / float64(len(logs[cores]))
		}
		fmt.Fprintf(tab, "geometric mean of %d\t\t\t%d\t\t\t%.2f (%.2f)\n", len(logs[cores]), cores, math.Exp(sum[0]), math.Exp(sum[1]))
	}
	return tab.Flush()
}

func sortedCores[V any](m map[int]V) []int {
	var all []int
	for c := range m {
		all = append(all, c)
	}
	slices.Sort(all)
	return all
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
		s, err := readLive(filepath.Join(dir, e.Name(), "trials.csv"), truth)
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

func readLive(path string, truth *recorded.Space) (search, error) {
	f, err := os.Open(path)
	if err != nil {
		return search{}, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return search{}, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) < 2 {
		return search{}, fmt.Errorf("%s: no trials", path)
	}
	column := func(name string) (int, error) {
		if i := slices.Index(rows[0], name); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("%s: no column %s", path, name)
	}
	ended, err := column("ended_s")
	if err != nil {
		return search{}, err
	}
	status, err := column("status")
	if err != nil {
		return search{}, err
	}
	var parameters []int
	for _, p := range truth.Space.Parameters {
		i, err := column(p.Name)
		if err != nil {
			return search{}, err
		}
		parameters = append(parameters, i)
	}
	best, _ := truth.Optimum()
	var s search
	for _, row := range rows[1:] {
		if strings.TrimSpace(row[ended]) == "" {
			continue
		}
		s.evaluations++
		if s.seconds, err = strconv.ParseFloat(row[ended], 64); err != nil {
			return search{}, fmt.Errorf("%s: ended_s: %w", path, err)
		}
		values := make([]float64, len(parameters))
		for i, c := range parameters {
			if values[i], err = strconv.ParseFloat(row[c], 64); err != nil {
				return search{}, fmt.Errorf("%s: %s: %w", path, rows[0][c], err)
			}
		}
		point := truth.Space.FindValues(values)
		if point < 0 {
			return search{}, fmt.Errorf("%s: trial %d has a point that is not in %s", path, s.evaluations, truth.Name)
		}
		if row[status] == "ok" && truth.Costs[point] <= best/0.95 {
			s.reached = true
			return s, nil
		}
	}
	return s, nil
}
