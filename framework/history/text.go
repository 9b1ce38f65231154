package history

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// amount says by how much a change is: 12.0 ± 1.5 %.
func (c Change) amount() string {
	change := math.Abs(c.Ratio - 1)
	if half := (c.High - c.Low) / 2; half > 0 && half <= change {
		return digits.PlusMinus(100*change, 100*half, "") + " %"
	}
	return digits.Percent(change)
}

// Sentence says a change in words.
func (j *Judged) Sentence(c Change) string {
	word := j.Series.Metric.Better
	if c.Ratio > 1 {
		word = j.Series.Metric.Worse
	}
	var b strings.Builder
	if c.Drift {
		fmt.Fprintf(&b, "drift: %s by %s since %s", word, c.amount(), c.Revision)
	} else {
		fmt.Fprintf(&b, "%s by %s from %s on (between %s and %s)", word, c.amount(), c.Revision, c.After, c.Until)
	}
	switch {
	case c.Ago == 0:
		fmt.Fprintf(&b, "; found in the last run")
	default:
		fmt.Fprintf(&b, "; found in %s, %s ago", c.Found, terminal.Count(c.Ago, "run"))
	}
	if len(c.Also) > 0 {
		fmt.Fprintf(&b, "; with it changed %s", strings.Join(c.Also, ", "))
	}
	if c.NotTheCode != "" {
		fmt.Fprintf(&b, "; not the code: %s", c.NotTheCode)
	}
	return b.String()
}

// Text says a series' verdict in words.
func (j *Judged) Text() string {
	switch j.Verdict {
	case Worse, Better, DriftWorse, DriftBetter, NotTheCode:
		return j.Sentence(j.Changes[len(j.Changes)-1])
	case Failed:
		return "failed: " + j.Reason
	case Surroundings:
		return "surroundings changed, not judged against the old level: " + j.Reason
	case Unknown:
		return "unknown: " + j.Reason
	}
	text := fmt.Sprintf("no change in %s, noise %s", terminal.Count(j.Alike, "run"), digits.Percent(j.Noise))
	if len(j.Levels) > 0 {
		text += fmt.Sprintf(", on two levels %s apart", digits.Percent(j.Levels[1]/j.Levels[0]-1))
	}
	return text
}

// Heading says what was judged, and the gate's verdict.
func (c *Check) Heading() string {
	return fmt.Sprintf("%s: %s, %d series; gate: %s", c.File, terminal.Count(c.Runs, "run"), len(c.Series), c.Verdict)
}

// Text is the check for a terminal: what changed, a line each, and how many series did
// not.
func (c *Check) Text() string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Heading())
	quiet := 0
	low, high := math.Inf(1), 0.0
	for _, j := range c.Series {
		if j.Verdict == NoChange {
			quiet++
			low, high = min(low, j.Noise), max(high, j.Noise)
			continue
		}
		fmt.Fprintf(&b, "%s, %s (%s): %s\n", j.Point, j.Metric, j.MachineName, j.Text())
	}
	if quiet > 0 {
		fmt.Fprintf(&b, "no change in %s, noise %s to %s\n", countSeries(quiet), digits.Percent(low), digits.Percent(high))
	}
	for _, g := range c.Gone {
		fmt.Fprintf(&b, "not measured any more: %s\n", g)
	}
	return b.String()
}

func countResults(n int) string {
	if n == 1 {
		return "1 result is"
	}
	return strconv.Itoa(n) + " results are"
}

func countSeries(n int) string { return strconv.Itoa(n) + " series" }

// Markdown is the check for a merge request's comment.
func (c *Check) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### Performance: %s\n\n", c.Verdict)
	var rows []*Judged
	quiet := 0
	for _, j := range c.Series {
		if j.Verdict == NoChange {
			quiet++
		} else {
			rows = append(rows, j)
		}
	}
	if len(rows) > 0 {
		b.WriteString("| point | metric | machine | verdict |\n|---|---|---|---|\n")
		for _, j := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(j.Point), cell(j.Metric), cell(j.MachineName), cell(j.Text()))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "No change in %d of %d series; %s in the history.\n", quiet, len(c.Series), terminal.Count(c.Runs, "run"))
	for _, d := range slices.Concat(c.Damaged, c.Notes) {
		fmt.Fprintf(&b, "\n> %s\n", cell(d))
	}
	return b.String()
}

// cell is a text in a table of Markdown, where nothing of it is markup.
func cell(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", ">", "&gt;", "[", "\\[", "]", "\\]", "@", "&#64;", "#", "\\#", "!", "\\!", "\n", " ", "\r", " ").Replace(text)
}

// Show lists every series with its level and changes.
func (c *Check) Show() string {
	var b strings.Builder
	fmt.Fprintln(&b, c.Heading())
	for _, j := range c.Series {
		fmt.Fprintf(&b, "\n%s, %s\n", j.Point, j.Series.Metric.Title)
		fmt.Fprintf(&b, "  on %s (machine %s), config %s: %s, %d with the last one's surroundings", j.MachineName, j.Machine, j.Config, terminal.Count(j.Runs, "run"), j.older+j.Alike)
		if j.older > 0 {
			fmt.Fprintf(&b, ", of which the last %d are judged", j.Alike)
		}
		b.WriteByte('\n')
		if j.Alike > 0 {
			fmt.Fprintf(&b, "  level %s", digits.Known(j.Value, (j.High-j.Low)/2, j.Series.Metric.Unit))
			if j.Low > 0 {
				fmt.Fprintf(&b, " ± %s", digits.Doubt((j.High-j.Low)/2/j.Value))
			}
			if j.Alike > 1 {
				fmt.Fprintf(&b, ", noise %s", digits.Percent(j.Noise))
			}
			b.WriteByte('\n')
		}
		for _, x := range j.Changes {
			fmt.Fprintf(&b, "  %s\n", j.Sentence(x))
		}
		if len(j.Outliers) > 0 {
			fmt.Fprintf(&b, "  outliers in %s\n", strings.Join(j.Outliers, ", "))
		}
		if len(j.Around) > 0 {
			fmt.Fprintf(&b, "  surroundings changed: %s\n", strings.Join(j.Around, "; "))
		}
		fmt.Fprintf(&b, "  %s\n", j.Text())
	}
	for _, g := range c.Gone {
		fmt.Fprintf(&b, "\nnot measured any more: %s\n", g)
	}
	return b.String()
}
