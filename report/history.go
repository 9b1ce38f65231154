package report

import (
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/history"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/plots/picture"
)

// recentRuns is how many last runs' changes count in the verdict, as in bench history check by default.
const recentRuns = 10

// readHistory returns the section of a history's file.
func readHistory(path, name string) (*Section, error) {
	f, err := history.Read(path)
	if err != nil {
		return nil, err
	}
	c := f.Check(recentRuns)
	s := &Section{Title: name, Kind: "history", Warnings: slices.Concat(c.Damaged, c.Notes)}
	s.Verdict = append(s.Verdict, fmt.Sprintf("%s, %d series: %s.", terminal.Count(c.Runs, "run"), len(c.Series), c.Verdict))
	quiet := 0
	t := Table{Title: "series", Note: "Noise is the standard deviation from run to run. Runs are those with the last one's surroundings, which are judged together.",
		Head: []Head{{"point", false}, {"metric", false}, {"machine", false}, {"verdict", false}, {"runs", true}, {"level", true}, {"noise", true}, {"what", false}}}
	changes := Table{Title: "changes", Head: []Head{{"point", false}, {"metric", false}, {"machine", false}, {"revision", false}, {"after", false}, {"until", false}, {"found in", false}, {"ratio", true}, {"from", true}, {"to", true}, {"what", false}}}
	for _, j := range c.Series {
		what := j.Text()
		if j.Verdict == history.NoChange {
			quiet++
		} else {
			s.Verdict = append(s.Verdict, fmt.Sprintf("%s, %s (%s): %s.", j.Point, j.Metric, j.MachineName, what))
		}
		level := word("")
		noise := word("")
		if j.Alike > 0 {
			level = cell{digits.Known(j.Value, (j.High-j.Low)/2, j.Series.Metric.Unit), j.Value}
		}
		if j.Alike > 1 {
			noise = cell{digits.Percent(j.Noise), j.Noise}
		}
		t.add(-1, word(j.Point), word(j.Metric), word(j.MachineName), word(string(j.Verdict)), cell{fmt.Sprint(j.Alike), float64(j.Alike)}, level, noise, word(what))
		for _, x := range j.Changes {
			known := func(v float64) cell { return cell{digits.Known(v, digits.Half(x.Ratio, x.Low, x.High), ""), v} }
			changes.add(-1, word(j.Point), word(j.Metric), word(j.MachineName), word(x.Revision), word(x.After), word(x.Until), word(x.Found),
				known(x.Ratio), known(x.Low), known(x.High), word(j.Sentence(x)))
		}
		if f := historyFigure(j); len(f.Series) > 0 { // without dated runs there is none
			s.Figures = append(s.Figures, f)
		}
	}
	if quiet > 0 {
		s.Verdict = append(s.Verdict, fmt.Sprintf("No change in %d series.", quiet))
	}
	for _, g := range c.Gone {
		s.Warnings = append(s.Warnings, "not measured any more: "+g)
	}
	s.Tables = append(s.Tables, t)
	if len(changes.Rows) > 0 {
		s.Tables = append(s.Tables, changes)
	}
	return s, nil
}

// historyFigure returns a series run by run, with its levels. It has no series if no run has a valid date.
func historyFigure(j *history.Judged) Figure {
	f := Figure{Title: fmt.Sprintf("%s, %s, %s", j.Point, j.Metric, j.MachineName), Group: "history",
		Note: "Error bars are each run's own 95 % interval. Lines are levels; hollow marks are outliers."}
	h := picture.HistoryOf(j)
	if h == nil {
		return f
	}
	f.X, f.Y = sweptAxis(h.X, "run", ""), axisOf(h.Y, j.Series.Metric.Title, j.Series.Metric.Unit)
	for _, l := range h.Lines {
		f.Series = append(f.Series, seriesOf(l, func(picture.Point) int { return -1 }))
	}
	levels := Series{Name: "levels", Mark: MarkPlain, Colour: 2}
	for _, l := range h.Levels {
		if len(levels.X) > 0 { // a gap
			levels.X, levels.Y = append(levels.X, l.From), append(levels.Y, math.NaN())
		}
		levels.X, levels.Y = append(levels.X, l.From, l.To), append(levels.Y, l.Value, l.Value)
	}
	if len(levels.X) > 0 {
		f.Series = append(f.Series, levels)
	}
	return f
}
