package replay

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"example.org/bench/framework/pareto"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/textfile"
	"example.org/bench/plots"
	"example.org/bench/plots/picture"
	"example.org/bench/tuning/recorded"
)

// The files of a folder of bench replay.
const (
	SummaryFile = "replay.csv"
	curvesFile  = "convergence.csv"
)

// Write writes both files, and returns their names.
func Write(all []*Result, dir *safefile.Folder) ([]string, error) {
	summary := [][]string{{"space", "strategy", "budget", "repeats", "median", "p05", "phi", "standard1_evaluations", "standard2_evaluations",
		"mean_evaluations", "mean_invalid", "own_time_s", "compilers", "standard1_s", "standard2_s", "mean_s"}}
	points := [][]string{{"space", "strategy", "evaluations", "median", "p05"}}
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
			points = append(points, []string{r.Space, r.Strategy, strconv.Itoa(i + 1), formatted(r.Median[i]), formatted(r.P05[i])})
		}
	}
	var files []string
	for name, table := range map[string][][]string{SummaryFile: summary, curvesFile: points} {
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

// WriteScores writes score.csv, and runs.csv.gz of the searches made for it.
func WriteScores(all []Scored, ours []Searches, dir string) error {
	table := [][]string{{"space", "strategy", "budget", "budget_s", "repeats", "score"}}
	for _, s := range all {
		seconds := ""
		if s.BudgetSeconds > 0 {
			seconds = formatted(s.BudgetSeconds)
		}
		table = append(table, []string{s.Space, s.Strategy, strconv.Itoa(s.Budget), seconds, strconv.Itoa(s.Repeats), formatted(s.Score)})
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
	if err := d.Write("score.csv", &b); err != nil {
		return err
	}
	var runs bytes.Buffer
	packed := gzip.NewWriter(&runs)
	if err := errors.Join(writeSearches(packed, ours), packed.Close()); err != nil {
		return err
	}
	return d.Write("runs.csv.gz", &runs)
}

// writeSearches writes what ReadSearches reads.
func writeSearches(w io.Writer, all []Searches) error {
	table := [][]string{append(slices.Clone(runsHeader), runSeconds)}
	for _, s := range all {
		for run, costs := range s.Runs {
			before := 0.0
			for i, cost := range costs {
				ms := ""
				if !math.IsNaN(cost) {
					ms = strconv.FormatFloat(cost*1e3, 'g', 12, 64)
				}
				table = append(table, []string{s.Space, s.Strategy, strconv.Itoa(run), strconv.Itoa(i + 1), ms, formatted(s.Ends[run][i] - before)})
				before = s.Ends[run][i]
			}
		}
	}
	return csv.NewWriter(w).WriteAll(table)
}

// Figures returns figures of how the searches converged and, for searches for the front of the spaces, of the
// fronts.
func Figures(all []*Result, spaces []*recorded.Space) plots.Figures {
	figures := plots.Converging(converging(all[0].Space, all[0].Repeats, curves(all)))
	if all[0].Fronts == nil {
		return figures
	}
	return append(figures, plots.Fronts(fronts(all, spaces))...)
}

func curves(all []*Result) (lines []picture.Curve) {
	for _, r := range all {
		lines = append(lines, picture.Curve{Name: r.Strategy, Median: r.Median, Low: r.P05})
	}
	return lines
}

func converging(space string, repeats int, lines []picture.Curve) *picture.Convergence {
	return picture.NewConvergence(space, fmt.Sprintf("median of %s; the band reaches down to the 5th percentile", terminal.Count(repeats, "search")), lines)
}

// FiguresOf returns the figures of a folder that Write has written to, without fronts, since these need the
// spaces.
func FiguresOf(dir string) (plots.Figures, error) {
	c, err := ConvergenceOf(dir)
	return plots.Converging(c), err
}

// ConvergenceOf returns how the searches of such a folder converged.
func ConvergenceOf(dir string) (*picture.Convergence, error) {
	path := filepath.Join(dir, SummaryFile)
	summary, _, err := textfile.ReadTable(path)
	if err != nil {
		return nil, err
	}
	column := func(table [][]string, name string) int { return slices.Index(table[0], name) }
	at := column(summary, "repeats")
	if at < 0 || len(summary) < 2 {
		return nil, fmt.Errorf("%s: want a column repeats and a row for each strategy", path)
	}
	repeats, err := strconv.Atoi(summary[1][at])
	if err != nil {
		return nil, fmt.Errorf("%s: repeats is %q", path, summary[1][at])
	}
	path = filepath.Join(dir, curvesFile)
	table, rows, err := textfile.ReadTable(path)
	if err != nil {
		return nil, err
	}
	var columns [4]int
	for i, name := range []string{"space", "strategy", "median", "p05"} {
		if columns[i] = column(table, name); columns[i] < 0 {
			return nil, fmt.Errorf("%s: no column %s", path, name)
		}
	}
	space := ""
	var lines []picture.Curve
	for n, row := range table[1:] {
		if name := row[columns[1]]; len(lines) == 0 || lines[len(lines)-1].Name != name {
			lines = append(lines, picture.Curve{Name: name})
		}
		l := &lines[len(lines)-1]
		space = row[columns[0]]
		var ends [2]float64
		for i := range ends {
			x, err := strconv.ParseFloat(row[columns[2+i]], 64)
			if err != nil || !(x >= 0 && x <= 1) {
				return nil, fmt.Errorf("%s: line %d: %q is not a fraction of the optimum, from 0 to 1", path, rows[n+1], row[columns[2+i]])
			}
			ends[i] = x
		}
		l.Median, l.Low = append(l.Median, ends[0]), append(l.Low, ends[1])
	}
	return converging(space, repeats, lines), nil
}

// fronts returns the fronts of each space with what the strategies' first searches found.
func fronts(all []*Result, spaces []*recorded.Space) (figures []*picture.TimeEnergy) {
	for i, s := range spaces {
		front := s.Front()
		f := &picture.TimeEnergy{Name: s.Name, Title: s.Name + ": time and energy of one run", Note: "first search of each strategy", Fronts: []picture.Front{{Points: front}}, FrontName: "front of the space"}
		for p, cost := range s.Costs {
			if !math.IsNaN(cost) {
				f.Others = append(f.Others, pareto.Point{X: cost, Y: s.Energies[p]})
			}
		}
		for style, r := range all {
			name := fmt.Sprintf("%s, %.3f of the hypervolume", r.Strategy, front.Share(r.Fronts[i]))
			f.Marked = append(f.Marked, picture.Marked{Name: name, Style: style, Points: r.Fronts[i]})
		}
		f.Scale()
		figures = append(figures, f)
	}
	return figures
}

func formatted(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
