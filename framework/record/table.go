package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
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

// Table summarises a run for reading, within a width; a width of 0 is no bound. The rows of CPU and
// GPU are two tables. Columns that are empty in every row are left out; what is the same in every row
// stands above. Tunables have a column where they differ, or are not the version's defaults. Where
// the width is too small, it leaves out columns and names them, and below terminal.Narrow each row is a
// block.
func Table(r *Run, colours terminal.Palette, width int) string {
	if len(r.Rows) == 0 {
		return "no points"
	}
	var tables []string
	var processors []framework.Processor
	for _, w := range r.Rows {
		if slices.Contains(processors, w.Processor) {
			continue
		}
		processors = append(processors, w.Processor)
		part := *r
		part.Rows = slices.DeleteFunc(slices.Clone(r.Rows), func(other Row) bool { return other.Processor != w.Processor })
		tables = append(tables, part.table(colours, width))
	}
	return strings.Join(tables, "\n\n") + r.stages(width) + r.reasons(colours) + r.doubts()
}

// table returns the table of rows of one processor.
func (r *Run) table(colours terminal.Palette, width int) string {
	params, tunables, constant := r.Varying()
	title := []string{r.Rows[0].Algorithm}
	for _, c := range constant {
		title = append(title, c.Name+" "+r.Rows[0].Params.Get(c.Name).String())
	}
	columns := []tableColumn{{"version", true, naming, func(w *Row) string { return w.Version }}}
	same := func(c tableColumn, words string) {
		if differs(r.Rows, c.cell) {
			columns = append(columns, c)
		} else if s := c.cell(&r.Rows[0]); s != "" {
			title = append(title, strings.TrimSpace(fmt.Sprintf(words, s)))
		}
	}
	same(tableColumn{"device", true, naming, func(w *Row) string { return w.Device }}, "device %s")
	same(tableColumn{"power mode", true, naming, func(w *Row) string { return w.PowerMode }}, "power mode %s")
	for _, c := range params {
		columns = append(columns, tableColumn{c.Name, false, naming, func(w *Row) string { return w.Params.Get(c.Name).String() }})
	}
	for _, c := range r.Columns.Tunables {
		varies := slices.ContainsFunc(tunables, func(t Column) bool { return t.Name == c.Name })
		if !varies && !slices.ContainsFunc(r.Rows, func(w Row) bool { return slices.Contains(w.Changed, c.Name) }) {
			continue
		}
		columns = append(columns, tableColumn{c.Name, false, naming, func(w *Row) string { return w.Tunables.Get(c.Name).String() }})
	}
	rate := func(of func(Rate) string) func(*Row) string { return func(w *Row) string { return of(w.Rate.Get()) } }
	columns = append(columns,
		tableColumn{"rate", false, naming, rate(func(t Rate) string {
			if t.Trials.Int() == 0 {
				return "" // it is among the parameters
			}
			return within(t.Hz, t.Low, t.High, "Hz")
		})},
		tableColumn{"time", false, needed, func(w *Row) string {
			text := w.Time.Text()
			if w.NearFloor() {
				text = FloorMark + text
			}
			if w.Shared() != "" && text != "" {
				text = SharedMark + text
			}
			return text
		}},
		tableColumn{"±", false, needed, func(w *Row) string { return w.Time.interval() }})
	same(tableColumn{"instances", false, soon, func(w *Row) string {
		if w.Time.Instances.Int() < 2 {
			return ""
		}
		return strconv.FormatInt(w.Time.Instances.Int(), 10)
	}}, "%s instances")
	columns = append(columns,
		tableColumn{"p50", false, soon, rate(func(t Rate) string { return within(t.P50, t.P50Low, t.P50High, "s") })},
		tableColumn{"p99", false, needed, rate(func(t Rate) string { return within(t.P99, t.P99Low, t.P99High, "s") })},
		tableColumn{"p99.9", false, later, rate(func(t Rate) string { return within(t.P999, t.P999Low, t.P999High, "s") })},
		tableColumn{"worst", false, needed, rate(func(t Rate) string { return digits.Scaled(t.Worst.Float(), "s") })},
		tableColumn{"missed", false, needed, rate(func(t Rate) string { return digits.Percent(t.MissShare.Float()) })},
		tableColumn{"in use", false, soon, rate(func(t Rate) string { return digits.Percent(t.Used.Float()) })},
		tableColumn{"IQR", false, first, func(w *Row) string { return w.Time.spread() }},
		tableColumn{"hot", false, soon, func(w *Row) string { return w.Hot.Get().Text() }},
		tableColumn{r.named("executed ", "GFLOP/s"), false, later, func(w *Row) string { return w.byTime(r.FLOPRate(w)) }},
		tableColumn{r.named("accessed ", "GB/s"), false, later, func(w *Row) string { return w.byTime(r.ByteRate(w)) }},
		tableColumn{"of copy", false, soon, func(w *Row) string {
			if r.Rates == ExecutedRates {
				return "" // caches serve a part of what is accessed
			}
			return digits.Percent(w.Memory.CopyShare.Float())
		}},
		tableColumn{"power", false, later, func(w *Row) string {
			return w.marked(digits.Known(w.Power.Get().Total.Float(), w.Power.Get().Uncertainty.Float(), "W"))
		}},
		tableColumn{"energy", false, needed, func(w *Row) string {
			return w.marked(digits.Known(w.Energy.Get().Total.Float(), w.Energy.Get().Uncertainty.Float(), "J"))
		}},
	)
	status := tableColumn{"status", true, needed, func(w *Row) string { return w.Status.Coloured(colours) }}
	if len(r.Rows) > 1 && r.Rows[0].Status == OK {
		same(status, "all %s")
	} else {
		columns = append(columns, status)
	}
	return strings.Join(title, ", ") + "\n" + layOut(r.Rows, columns, width)
}

// named returns a rate's name, behind the word if rates are of what versions execute.
func (r *Run) named(word, name string) string {
	if r.Rates == ExecutedRates {
		return word + name
	}
	return name
}

// marked puts a mark before a figure of power or energy that is in doubt.
func (row *Row) marked(figure string) string {
	if figure == "" || len(row.Doubts) == 0 {
		return figure
	}
	return "? " + figure
}

// overAll is a share that the table shows as more than 100 %. OverCopy is one of the copy's rate that is more than another
// kernel may gain by its order of accesses: the FFT reaches 1.01 with data that no cache of an H100 holds.
const (
	overAll  = 1.005
	OverCopy = 1.05
)

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
		return w.Memory.CopyShare.Float() >= OverCopy // false for none
	})
	line("up to 105 % of copy", ": the ceiling is what one kernel copies, and not the most that memory serves", func(w *Row) bool {
		return w.Memory.CopyShare.Float() >= overAll && w.Memory.CopyShare.Float() < OverCopy
	})
	line("above 100 % of the multiply-adds", ": nominal_flops counts more than is computed, or in a wider type", func(w *Row) bool {
		return w.Work.FMAShare.IsSet() && w.Work.FMAShare.Float() >= overAll
	})
	if i := slices.IndexFunc(r.Rows, func(w Row) bool { return w.NearFloor() }); i >= 0 {
		what := "two events with nothing between them are %s apart"
		if device := r.Rows[i].Device; strings.HasPrefix(device, "opencl:") {
			what = "what times them takes %s of its own on " + device
		}
		line(FloorMark+" times below ten times the event floor", ": "+fmt.Sprintf(what, digits.Scaled(r.Rows[i].Floor.Float(), "s"))+", which is part of the time", (*Row).NearFloor)
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

// interval returns the ±, behind a mark where the median is not well known.
func (s Statistics) interval() string {
	text := digits.Doubt(s.Half())
	if s.Doubtful() {
		return Doubted + text
	}
	return text
}

// spread returns the distance between the quartiles, relative to the median; a single sample
// has none.
func (s Statistics) spread() string {
	if s.Samples.Int() == 1 {
		return ""
	}
	return digits.Percent(s.Q3.minus(s.Q1).over(s.Median).Float())
}

// Interval writes how well a median is known: the larger distance to an end of
// its interval, relative to it, e.g. "9.2 %"; empty where there is no interval.
func Interval(s stats.Summary) string { return digits.Doubt(s.Interval()) }

// Text returns the median, to the place to which it is known.
func (s Statistics) Text() string { return within(s.Median, s.Low, s.High, "s") }

// within returns a value, to the place to which its interval gives it.
func within(x, low, high Number, unit string) string {
	return digits.Known(x.Float(), digits.Half(x.Float(), low.Float(), high.Float()), unit)
}

// byTime returns a rate, which is known as well as the time that it is of; its unit has a prefix.
func (row *Row) byTime(rate Number) string {
	return digits.Known(rate.Float(), rate.Float()*row.Time.Half(), "")
}
