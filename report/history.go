package report

import (
	"fmt"
	"math"
	"slices"

	"bench/framework/history"
	"bench/terminal"
	"bench/terminal/digits"
)

// recentRuns is how many last runs' changes count in the verdict, as bench history check
// has it by default.
const recentRuns = 10

// readHistory is the section of a history's file.
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
		if f := historyFigure(j); len(f.Series) > 0 { // of runs without a right date there is none
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

// historyFigure is a series run by run, with its levels.
func historyFigure(j *history.Judged) Figure {
	f := Figure{Title: fmt.Sprintf("%s, %s, %s", j.Point, j.Metric, j.MachineName), Group: "history",
		Note: "Error bars are each run's own 95 % interval. Lines are levels; hollow marks are outliers.",
		X:    Axis{Title: "run"}, Y: Axis{Title: j.Series.Metric.Title, Unit: j.Series.Metric.Unit}}
	alike := Series{Name: "runs", Mark: MarkPoints}
	other := Series{Name: "other surroundings", Mark: MarkPoints, Colour: 1}
	at := make([]float64, 0, len(j.Alikes)) // the run's number of each of Alikes
	for i, e := range j.Entries {
		m, ok := e.Metrics[j.Metric]
		if !ok {
			continue
		}
		s := &other
		if len(at) < len(j.Alikes) && j.Alikes[len(at)] == e {
			s, at = &alike, append(at, float64(i+1))
		}
		low, high := m.Low, m.High
		if !(low > 0) {
			low, high = math.NaN(), math.NaN()
		}
		s.X, s.Y, s.Low, s.High = append(s.X, float64(i+1)), append(s.Y, m.Value), append(s.Low, low), append(s.High, high)
		s.Label = append(s.Label, e.Revision)
	}
	alike.Doubtful = j.Result.Outliers
	for _, s := range []Series{alike, other} {
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	levels := Series{Name: "levels", Mark: MarkPlain, Colour: 2}
	for _, l := range j.Result.Levels {
		if len(levels.X) > 0 { // a gap
			levels.X, levels.Y = append(levels.X, at[l.From]), append(levels.Y, math.NaN())
		}
		levels.X, levels.Y = append(levels.X, at[l.From], at[l.To-1]), append(levels.Y, math.Exp(l.Mean), math.Exp(l.Mean))
	}
	if len(levels.X) > 0 {
		f.Series = append(f.Series, levels)
	}
	return f
}
