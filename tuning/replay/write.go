package replay

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"bench/framework/pareto"
	"bench/framework/safefile"
	"bench/plots"
	"bench/terminal"
	"bench/tuning/recorded"
)

// Write writes convergence.csv and replay.csv.
func Write(all []*Result, dir *safefile.Folder) ([]string, error) {
	summary := [][]string{{"space", "strategy", "budget", "repeats", "median", "p05", "phi", "standard1_evaluations", "standard2_evaluations",
		"mean_evaluations", "mean_invalid", "own_time_s", "compilers", "standard1_s", "standard2_s", "mean_s"}}
	curves := [][]string{{"space", "strategy", "evaluations", "median", "p05"}}
	for _, r := range all {
		median, p05 := r.Final()
		row := []string{r.Space, r.Strategy, strconv.Itoa(r.Budget), strconv.Itoa(r.Repeats), formatted(median), formatted(p05), formatted(r.Phi()), "", "",
			formatted(r.Evaluations), formatted(r.Invalid), formatted(r.OwnSeconds)}
		for i, n := range []int{r.EvaluationsMedian, r.EvaluationsP05} {
			if n > 0 {
				row[7+i] = strconv.Itoa(n)
			}
		}
		clock := make([]string, 4)
		if r.Clocked {
			clock[0], clock[3] = strconv.Itoa(r.Compilers), formatted(r.TotalSeconds)
			for i, s := range []float64{r.SecondsMedian, r.SecondsP05} {
				if s > 0 {
					clock[1+i] = formatted(s)
				}
			}
		}
		summary = append(summary, append(row, clock...))
		for i := range r.Median {
			curves = append(curves, []string{r.Space, r.Strategy, strconv.Itoa(i + 1), formatted(r.Median[i]), formatted(r.P05[i])})
		}
	}
	var files []string
	for name, table := range map[string][][]string{"replay.csv": summary, "convergence.csv": curves} {
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(table); err != nil {
			return files, err
		}
		if err := dir.Write(name, &b); err != nil {
			return files, err
		}
		files = append(files, dir.Path(name))
	}
	return files, nil
}

// WriteScores writes score.csv.
func WriteScores(all []Scored, dir string) error {
	table := [][]string{{"space", "strategy", "budget", "repeats", "score"}}
	for _, s := range all {
		table = append(table, []string{s.Space, s.Strategy, strconv.Itoa(s.Budget), strconv.Itoa(s.Repeats), formatted(s.Score)})
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(table); err != nil {
		return err
	}
	d, err := safefile.MakeFolder(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Write("score.csv", &b)
}

// Plot draws how the searches converged; of searches for the front of the spaces also
// the fronts.
func Plot(all []*Result, spaces []*recorded.Space, dir *safefile.Folder) ([]string, error) {
	var lines []plots.Convergence
	for _, r := range all {
		lines = append(lines, plots.Convergence{Name: r.Strategy, Median: r.Median, Low: r.P05})
	}
	note := fmt.Sprintf("median of %s; the band reaches down to the 5th percentile", terminal.Count(all[0].Repeats, "search"))
	dir, err := dir.Make(plots.Folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	files, err := plots.Converging(all[0].Space, note, lines, dir)
	if err != nil || all[0].Fronts == nil {
		return files, err
	}
	more, err := plots.Fronts(fronts(all, spaces), dir)
	return append(files, more...), err
}

// fronts are each space's with what the strategies' first searches found.
func fronts(all []*Result, spaces []*recorded.Space) (figures []plots.TimeEnergy) {
	for i, s := range spaces {
		f := plots.TimeEnergy{Name: s.Name, Note: "first search of each strategy", Front: s.Front(), FrontName: "front of the space"}
		for p, cost := range s.Costs {
			if !math.IsNaN(cost) {
				f.Others = append(f.Others, pareto.Point{X: cost, Y: s.Energies[p]})
			}
		}
		for _, r := range all {
			name := fmt.Sprintf("%s, %.3f of the hypervolume", r.Strategy, f.Front.Share(r.Fronts[i]))
			f.Marked = append(f.Marked, plots.Marked{Name: name, Points: r.Fronts[i]})
		}
		figures = append(figures, f)
	}
	return figures
}

func formatted(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
