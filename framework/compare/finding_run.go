package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// OfRun returns the finding of one run: which version leads, how deadlines were met, or what was
// measured.
func OfRun(run Run) Finding {
	if run.Samples == nil && run.Results != nil {
		run.Samples, _ = record.ReadSamples("", run.Run) // of results no file is read
	}
	f := released(run.Run)
	if f.Text == "" {
		if c, err := OfVersions(run); err == nil {
			f = c.Lead()
		} else {
			f = alone(run.Run)
		}
	}
	doubtful := 0
	for i := range run.Rows {
		if run.Rows[i].Time.Doubtful() {
			doubtful++
		}
	}
	if doubtful > 0 {
		f.Text += fmt.Sprintf("; %s uncertain (%s)", terminal.Count(doubtful, "median"), record.Doubted)
	}
	return f
}

// released says how runs at a rate met their deadlines; empty if there were none.
func released(run *record.Run) Finding {
	points, late := 0, 0
	var misses, releases int64
	var slowest, highest *record.Row
	for i := range run.Rows {
		r := run.Rows[i].Rate.Get()
		if !r.P99.IsSet() {
			continue
		}
		points++
		misses, releases = misses+r.Misses.Int(), releases+r.Releases.Int()
		if r.Misses.Int() > 0 {
			late++
		}
		if slowest == nil || r.P99.Float() > slowest.Rate.Get().P99.Float() {
			slowest = &run.Rows[i]
		}
		if r.Trials.Int() > 0 && (highest == nil || r.Hz.Float() > highest.Rate.Get().Hz.Float()) {
			highest = &run.Rows[i]
		}
	}
	if points == 0 {
		return Finding{}
	}
	text := fmt.Sprintf("no deadline was missed at %s", terminal.Count(points, "point"))
	if late > 0 {
		text = fmt.Sprintf("deadlines were missed at %d of %s (%d of %s)", late, terminal.Count(points, "point"), misses, terminal.Count(releases, "release"))
	}
	r := slowest.Rate.Get()
	text += fmt.Sprintf("; p99 at most %s (%s)", digits.Interval(r.P99.Float(), r.P99Low.Float(), r.P99High.Float(), "s"), slowest.Version)
	if highest != nil {
		r = highest.Rate.Get()
		text += fmt.Sprintf("; highest rate %s (%s)", digits.Interval(r.Hz.Float(), r.Low.Float(), r.High.Float(), "Hz"), highest.Version)
	}
	return Finding{text, true}
}

// alone says what was timed if no two versions share a problem.
func alone(run *record.Run) Finding {
	n := 0
	var least, most *record.Row
	for i := range run.Rows {
		w := &run.Rows[i]
		if t := w.Time.Median.Float(); !math.IsNaN(t) {
			if n++; n == 1 || t < least.Time.Median.Float() {
				least = w
			}
			if n == 1 || t > most.Time.Median.Float() {
				most = w
			}
		}
	}
	if n == 0 {
		return Finding{}
	}
	text := func(w *record.Row) string {
		if run.Info.RelativeTo != "" {
			return digits.Scaled(w.Time.Median.Float(), "")
		}
		return w.Time.Text()
	}
	f := Finding{Text: fmt.Sprintf("%s takes %s", least.Version, text(least))}
	if n > 1 {
		times := text(least)
		if last := text(most); last != times {
			times += " to " + last
		}
		f.Text = fmt.Sprintf("%d points take %s, and no two versions share a problem", n, times)
	}
	return f
}

// OfVersions compares the versions of a run with those that lead. It returns an error if there
// is nothing to compare.
func OfVersions(run Run) (*Comparison, error) {
	metric := "time"
	if !slices.ContainsFunc(run.Rows, func(w record.Row) bool { return w.Time.Median.IsSet() }) {
		metric = "latency"
	}
	opt := Options{By: ByVersion, Metrics: []string{metric}, MixCaches: true}
	c, err := New([]Run{run}, opt)
	if err != nil {
		return nil, err
	}
	opt.leaders = c.Leaders()
	return New([]Run{run}, opt)
}

// Lead returns the finding of a comparison with the leading levels: where each is shown to be best,
// and by how much.
func (c *Comparison) Lead() Finding {
	f := Finding{}
	var texts []string
	of := c.standings()
	for _, leader := range c.Leaders() {
		if text := c.lead(leader, of[leader]); text != "" {
			texts, f.Told = append(texts, text), f.Told || slices.ContainsFunc(of[leader], standing.told)
		}
	}
	f.Text = strings.Join(texts, ". ")
	return f
}

// lead returns the finding of a leader's group, in which the others have these standings; empty if none has a
// ratio.
func (c *Comparison) lead(leader string, others []standing) string {
	t := c.Tables[0]
	best := 0
	shared := 0
	for _, cells := range c.ByPoint() {
		if len(cells) < 2 || !slices.ContainsFunc(cells, func(x Cell) bool { return x.Level == leader }) {
			continue
		}
		shared++
		if !slices.ContainsFunc(cells, func(x Cell) bool { return x.Level != leader && (x.Ratio == nil || x.Ratio.Verdict != Worse) }) {
			best++
		}
	}
	if shared == 0 {
		return ""
	}
	word := "fastest"
	if t.Metric.Name != "time" {
		word = "best in " + t.Metric.Name
	}
	text := fmt.Sprintf("%s %s at %d of %s", leader, word, best, terminal.Count(shared, "problem"))
	if best == 0 {
		text = "no version is shown to be " + word
		if len(c.groups) > 1 {
			text += " at the problems of " + leader
		}
	}
	if len(others) > 0 {
		text += ", " + sentence(others, func(s standing) string {
			if best > 0 && s.worse > 0 && s.better == 0 && s.metric.Name == "time" {
				return s.ahead() + s.rest()
			}
			return s.text()
		})
	}
	return text
}

// ahead says how far the baseline is ahead of the level in time.
func (s standing) ahead() string {
	low, high := s.ends()
	text := fmt.Sprintf("%s times as fast as %s", digits.Known(s.mean, s.mean*s.doubt, ""), s.level)
	if low == high {
		return text
	}
	return text + " (" + digits.Range(low, high, "") + ")"
}
