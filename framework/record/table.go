package record

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"bench/framework"
	"bench/framework/stats"
	"bench/terminal"
)

// Varying returns the parameters, and the tunables, that differ between the
// rows, and the parameters that are the same in all of them.
func (r *Run) Varying() (params, tunables, constant []Column) {
	for _, c := range r.Columns.Params {
		if differs(r.Rows, func(w *Row) string { return w.Params.Get(c.Name).String() }) {
			params = append(params, c)
		} else {
			constant = append(constant, c)
		}
	}
	for _, c := range r.Columns.Tunables {
		if differsWithin(r.Rows, func(w *Row) framework.Value { return w.Tunables.Get(c.Name) }) {
			tunables = append(tunables, c)
		}
	}
	return params, tunables, constant
}

func differs(rows []Row, of func(*Row) string) bool {
	for i := range rows {
		if of(&rows[i]) != of(&rows[0]) {
			return true
		}
	}
	return false
}

// differsWithin ignores rows without a value: tunables of other versions.
func differsWithin(rows []Row, of func(*Row) framework.Value) bool {
	var first framework.Value
	for i := range rows {
		v := of(&rows[i])
		if !first.IsSet() {
			first = v
		} else if v.IsSet() && v != first {
			return true
		}
	}
	return false
}

// tableColumn is one column of the summary.
type tableColumn struct {
	head string
	left bool // aligned to the left
	cell func(*Row) string
}

// Table summarises a run for reading. Columns that are empty in every row are
// left out; what is the same in every row stands above. Tunables have a column where they
// differ, or are not the version's defaults.
func Table(r *Run, colours terminal.Palette) string {
	if len(r.Rows) == 0 {
		return "no points"
	}
	params, tunables, constant := r.Varying()
	title := []string{r.Rows[0].Algorithm}
	for _, c := range constant {
		title = append(title, c.Name+" "+r.Rows[0].Params.Get(c.Name).String())
	}
	instances := tableColumn{"instances", false, func(w *Row) string {
		if w.Time.Instances.Int() < 2 {
			return ""
		}
		return strconv.FormatInt(w.Time.Instances.Int(), 10)
	}}
	if s := instances.cell(&r.Rows[0]); s != "" && !differs(r.Rows, instances.cell) {
		title = append(title, s+" instances")
	}
	columns := []tableColumn{{"version", true, func(w *Row) string { return w.Version }}}
	for _, c := range []tableColumn{
		{"device", true, func(w *Row) string { return w.Device }},
		{"power mode", true, func(w *Row) string { return w.PowerMode }},
	} {
		if differs(r.Rows, c.cell) {
			columns = append(columns, c)
		} else if s := c.cell(&r.Rows[0]); s != "" {
			title = append(title, c.head+" "+s)
		}
	}
	for _, c := range params {
		columns = append(columns, tableColumn{c.Name, false, func(w *Row) string { return w.Params.Get(c.Name).String() }})
	}
	for _, c := range r.Columns.Tunables {
		varies := slices.ContainsFunc(tunables, func(t Column) bool { return t.Name == c.Name })
		if !varies && !slices.ContainsFunc(r.Rows, func(w Row) bool { return slices.Contains(w.Changed, c.Name) }) {
			continue
		}
		columns = append(columns, tableColumn{c.Name, false, func(w *Row) string { return w.Tunables.Get(c.Name).String() }})
	}
	columns = append(columns,
		tableColumn{"rate", false, func(w *Row) string {
			if w.Rate.Get().Trials.Int() == 0 {
				return "" // it is among the parameters
			}
			return Scaled(w.Rate.Get().Hz, "Hz")
		}},
		tableColumn{"time", false, func(w *Row) string {
			text := Scaled(w.Time.Median, "s")
			if w.NearFloor() {
				text = FloorMark + text
			}
			if w.Shared() != "" && text != "" {
				text = SharedMark + text
			}
			return text
		}},
		tableColumn{"±", false, func(w *Row) string { return w.Time.interval() }},
		instances,
		tableColumn{"p50", false, func(w *Row) string { return Scaled(w.Rate.Get().P50, "s") }},
		tableColumn{"p99", false, func(w *Row) string { return Scaled(w.Rate.Get().P99, "s") }},
		tableColumn{"p99.9", false, func(w *Row) string { return Scaled(w.Rate.Get().P999, "s") }},
		tableColumn{"worst", false, func(w *Row) string { return Scaled(w.Rate.Get().Worst, "s") }},
		tableColumn{"missed", false, func(w *Row) string { return percent(w.Rate.Get().MissShare) }},
		tableColumn{"in use", false, func(w *Row) string { return percent(w.Rate.Get().Used) }},
		tableColumn{"IQR", false, func(w *Row) string { return w.Time.spread() }},
		tableColumn{"hot", false, func(w *Row) string { return Scaled(w.Hot.Get().Median, "s") }},
		tableColumn{"GFLOP/s", false, func(w *Row) string { return rate(w.Work.GFLOPPerS) }},
		tableColumn{"GB/s", false, func(w *Row) string { return rate(w.Memory.GBytePerS) }},
		tableColumn{"of copy", false, func(w *Row) string { return percent(w.Memory.CopyShare) }},
		tableColumn{"power", false, func(w *Row) string { return w.marked(Scaled(w.Power.Get().Total, "W")) }},
		tableColumn{"energy", false, func(w *Row) string { return w.marked(Scaled(w.Energy.Get().Total, "J")) }},
	)
	if !differs(r.Rows, instances.cell) {
		columns = slices.DeleteFunc(columns, func(c tableColumn) bool { return c.head == instances.head })
	}
	columns = append(columns, tableColumn{"status", true, func(w *Row) string { return w.Status.Coloured(colours) }})
	return strings.Join(title, ", ") + "\n" + layOut(r.Rows, columns) + r.reasons(colours) + r.doubts()
}

// marked puts a mark before a figure of power or energy that is in doubt.
func (row *Row) marked(figure string) string {
	if figure == "" || len(row.Doubts) == 0 {
		return figure
	}
	return "? " + figure
}

// overAll is a share that the table shows as more than 100 %.
const overAll = 1.005

// doubts has a line for each kind of doubt about figures, with the points that
// it is of.
func (r *Run) doubts() string {
	var b strings.Builder
	line := func(what, why string, of func(*Row) bool) {
		if points := r.byVersion(of); points != "" {
			fmt.Fprintf(&b, "\n%s, by version (points): %s%s", what, points, why)
		}
	}
	line("above 100 % of copy", ": such data stays in caches, the copy's does not", func(w *Row) bool {
		return w.Memory.CopyShare.IsSet() && w.Memory.CopyShare.Float() >= overAll
	})
	line("above 100 % of the multiply-adds", ": nominal_flops counts more than is computed, or in a wider type", func(w *Row) bool {
		return w.Work.FMAShare.IsSet() && w.Work.FMAShare.Float() >= overAll
	})
	if i := slices.IndexFunc(r.Rows, func(w Row) bool { return w.NearFloor() }); i >= 0 {
		line(FloorMark+" times below ten times the event floor",
			fmt.Sprintf(": two events with nothing between them are %s apart, which is part of the time", Scaled(r.Rows[i].Floor, "s")),
			(*Row).NearFloor)
	}
	var kinds []string
	for _, w := range r.Rows {
		for _, d := range w.Doubts {
			if !slices.Contains(kinds, d) {
				kinds = append(kinds, d)
			}
		}
	}
	for _, d := range kinds {
		line("power and energy in doubt (?)", ": "+d, func(w *Row) bool { return w.Power.Get().Total.IsSet() && slices.Contains(w.Doubts, d) })
		line("no power and energy", ": "+d, func(w *Row) bool { return !w.Power.Get().Total.IsSet() && slices.Contains(w.Doubts, d) })
	}
	for _, text := range []string{r.unquiet(), r.sharing()} {
		if text != "" {
			fmt.Fprintf(&b, "\n%s", text)
		}
	}
	return b.String()
}

// FloorMark marks a time that is not far above the event floor.
const FloorMark = "*"

// Doubted marks a time that is not well known.
const Doubted = "~"

// byVersion counts the points that are so, as "stockham (2), fftw (1)".
func (r *Run) byVersion(so func(*Row) bool) string {
	var versions []string
	points := map[string]int{}
	for i := range r.Rows {
		if w := &r.Rows[i]; so(w) {
			if points[w.Version] == 0 {
				versions = append(versions, w.Version)
			}
			points[w.Version]++
		}
	}
	for i, v := range versions {
		versions[i] = fmt.Sprintf("%s (%d)", v, points[v])
	}
	return strings.Join(versions, ", ")
}

// reasons lists why points are not ok, each reason once, with the points it
// was given for.
func (r *Run) reasons(colours terminal.Palette) string {
	type group struct {
		status          Status
		version, reason string
	}
	var order []group
	points := map[group][]int{}
	for _, w := range r.Rows {
		if w.Reason == "" {
			continue
		}
		g := group{w.Status, w.Version, strings.Join(strings.Fields(w.Reason), " ")}
		if points[g] == nil {
			order = append(order, g)
		}
		points[g] = append(points[g], w.Point)
	}
	var b strings.Builder
	for _, g := range order {
		where := fmt.Sprintf("point %d", points[g][0])
		if n := len(points[g]); n > 1 {
			where = terminal.Count(n, "point")
		}
		fmt.Fprintf(&b, "\n%s, %s, %s: %s", g.version, where, g.status.Coloured(colours), g.reason)
	}
	return b.String()
}

// interval is the ±, behind a mark where the median is not well known.
func (s Statistics) interval() string {
	text := Doubt(s.half())
	if s.Doubtful() {
		return Doubted + text
	}
	return text
}

// spread is the distance between the quartiles, relative to the median; a single sample
// has none.
func (s Statistics) spread() string {
	if s.Samples.Int() == 1 {
		return ""
	}
	return percent(s.Q3.minus(s.Q1).over(s.Median))
}

// Interval writes how well a median is known: the larger distance to an end of
// its interval, relative to it, e.g. "9.2 %"; empty where there is no interval.
func Interval(s stats.Summary) string { return Doubt(s.Interval()) }

// Doubt writes half of an interval as a share of the value, as tables do behind ±. Above
// 100 % the share says nothing of the value: it is "unknown". Empty for NaN.
func Doubt(half float64) string {
	if half > 1 {
		return "unknown"
	}
	return percent(Measured(half))
}

// PlusMinus writes a value with half of its interval, in the value's unit.
func PlusMinus(x, half Number, unit string) string {
	switch {
	case !x.IsSet() || !half.IsSet():
		return Scaled(x, unit)
	case half.Float() > math.Abs(x.Float()):
		return Scaled(x, unit) + " ± unknown"
	}
	return Scaled(x, unit) + " ± " + Scaled(half, unit)
}

// percent has two significant digits, below 1 % one.
func percent(share Number) string {
	if !share.IsSet() {
		return ""
	}
	x := 100 * share.Float()
	if x == 0 {
		return "0 %"
	}
	if magnitude(x, 1) < 0 {
		return significant(x, 1) + " %"
	}
	return digits(x, 2) + " %"
}

// rate has four significant digits, and no prefix: its unit has one.
func rate(x Number) string {
	if !x.IsSet() {
		return ""
	}
	return significant(x.Float(), 4)
}

// layOut aligns the columns, without those that are empty in every row.
func layOut(rows []Row, columns []tableColumn) string {
	var kept []tableColumn
	var widths []int
	for _, c := range columns {
		width, empty := utf8.RuneCountInString(c.head), true
		for j := range rows {
			s := c.cell(&rows[j])
			width, empty = max(width, utf8.RuneCountInString(s)), empty && s == ""
		}
		if !empty {
			kept, widths = append(kept, c), append(widths, width)
		}
	}
	var b strings.Builder
	line := func(cell func(tableColumn) string) {
		var l strings.Builder
		for i, c := range kept {
			s := cell(c)
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(s))
			if c.left {
				l.WriteString(s + pad + "  ")
			} else {
				l.WriteString(pad + s + "  ")
			}
		}
		fmt.Fprintln(&b, strings.TrimRight(l.String(), " "))
	}
	line(func(c tableColumn) string { return c.head })
	for i := range rows {
		line(func(c tableColumn) string { return c.cell(&rows[i]) })
	}
	return strings.TrimRight(b.String(), "\n")
}
