package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"example.org/bench/internal/terminal/digits"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning/replay"
)

// readReplay returns the section of a folder of bench replay.
func readReplay(dir, name string) (*Section, error) {
	rows, err := readMaps(filepath.Join(dir, replay.SummaryFile))
	if err != nil {
		return nil, err
	}
	s := &Section{Title: name, Kind: "replay"}
	t := Table{Title: "strategies", Note: "Fractions of the optimum at the end of the budget; evaluations until the median (Standard 1) and the 5th percentile (Standard 2) reach 95 % of it."}
	columns := []struct {
		column, head string
		numeric      bool
	}{{"space", "space", false}, {"strategy", "strategy", false}, {"budget", "budget", true}, {"repeats", "repeats", true}, {"median", "median", true}, {"p05", "5th percentile", true},
		{"standard1_evaluations", "Standard 1", true}, {"standard2_evaluations", "Standard 2", true}, {"mean_invalid", "invalid", true}, {"own_time_s", "own time", true}}
	for _, c := range columns {
		t.Head = append(t.Head, Head{c.head, c.numeric})
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b map[string]string) int { // the nearest to the optimum first
		x, y := numberOf(a["p05"]), numberOf(b["p05"])
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, row := range rows {
		var cells []cell
		for _, c := range columns {
			text := row[c.column]
			if c.column == "own_time_s" {
				text = digits.Scaled(numberOf(text), "s")
			}
			cells = append(cells, cell{text, numberOf(row[c.column])})
		}
		t.add(-1, cells...)
		first := "not within the budget"
		if n := row["standard1_evaluations"]; n != "" {
			first = "after " + n + " evaluations"
		}
		s.Verdict = append(s.Verdict, fmt.Sprintf("%s on %s: %s of the optimum in the median of %s searches of %s evaluations, %s in the 5th percentile; the median reaches 95 %% %s.",
			row["strategy"], row["space"], digits.Percent(numberOf(row["median"])), row["repeats"], row["budget"], digits.Percent(numberOf(row["p05"])), first))
	}
	t.trim()
	s.Tables = []Table{t}
	c, err := replay.ConvergenceOf(dir)
	if err != nil {
		return nil, err
	}
	if c != nil {
		s.Figures = []Figure{convergenceFigure(c)}
	}
	return s, nil
}

// readMaps reads a CSV file with a header: each row by column.
func readMaps(path string) ([]map[string]string, error) {
	rows, _, err := textfile.ReadTable(path)
	if err != nil {
		return nil, err
	}
	var maps []map[string]string
	for _, row := range rows[1:] {
		m := map[string]string{}
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		maps = append(maps, m)
	}
	return maps, nil
}

func numberOf(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
