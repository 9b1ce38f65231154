package record

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"bench/framework"
)

// Varying returns the parameters, and the tunables, that differ between the
// rows, and the parameters that are the same in all of them.
func (r *Run) Varying() (params, tunables, constant []Column) {
	for _, c := range r.Columns.Params {
		if differs(r.Rows, func(w *Row) string { return w.Params[c.Name].String() }) {
			params = append(params, c)
		} else {
			constant = append(constant, c)
		}
	}
	for _, c := range r.Columns.Tunables {
		if differsWithin(r.Rows, func(w *Row) framework.Value { return w.Tunables[c.Name] }) {
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
// left out; what is the same in every row stands above.
func Table(r *Run) string {
	if len(r.Rows) == 0 {
		return "no points"
	}
	params, tunables, constant := r.Varying()
	title := []string{r.Rows[0].Algorithm}
	for _, c := range constant {
		title = append(title, c.Name+" "+r.Rows[0].Params[c.Name].String())
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
		columns = append(columns, tableColumn{c.Name, false, func(w *Row) string { return w.Params[c.Name].String() }})
	}
	for _, c := range tunables {
		columns = append(columns, tableColumn{c.Name, false, func(w *Row) string { return w.Tunables[c.Name].String() }})
	}
	columns = append(columns,
		tableColumn{"time", false, func(w *Row) string { return Scaled(w.Time.Median, "s") }},
		tableColumn{"±", false, func(w *Row) string { return w.Time.interval() }},
		tableColumn{"hot", false, func(w *Row) string { return Scaled(w.Hot.Median, "s") }},
		tableColumn{"GFLOP/s", false, func(w *Row) string { return rate(w.Work.GFLOPPerS) }},
		tableColumn{"GB/s", false, func(w *Row) string { return rate(w.Memory.GBytePerS) }},
		tableColumn{"of copy", false, func(w *Row) string { return percent(w.Memory.CopyShare) }},
		tableColumn{"power", false, func(w *Row) string { return Scaled(w.Power.Total, "W") }},
		tableColumn{"energy", false, func(w *Row) string { return Scaled(w.Energy.Total, "J") }},
	)
	columns = append(columns, tableColumn{"status", true, func(w *Row) string { return string(w.Status) }})
	return strings.Join(title, ", ") + "\n" + layOut(r.Rows, columns) + r.reasons() + r.doubts()
}

// doubts names the points whose interval is not as narrow as was asked for.
func (r *Run) doubts() string {
	var versions []string
	points := map[string]int{}
	for _, w := range r.Rows {
		if w.Time.Converged == "false" {
			if points[w.Version] == 0 {
				versions = append(versions, w.Version)
			}
			points[w.Version]++
		}
	}
	for i, v := range versions {
		versions[i] = fmt.Sprintf("%s (%d)", v, points[v])
	}
	if len(versions) == 0 {
		return ""
	}
	return "\nnot converged, by version (points): " + strings.Join(versions, ", ")
}

// reasons lists why points are not ok, each reason once, with the points it
// was given for.
func (r *Run) reasons() string {
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
			where = fmt.Sprintf("%d points", n)
		}
		fmt.Fprintf(&b, "\n%s, %s, %s: %s", g.version, where, g.status, g.reason)
	}
	return b.String()
}

// interval is the larger half of the median's confidence interval.
func (s Statistics) interval() string {
	if !s.Low.IsSet() || !s.High.IsSet() {
		return ""
	}
	m := s.Median.Float()
	return percent(Measured(math.Max(s.High.Float()-m, m-s.Low.Float()) / m))
}

func percent(share Number) string {
	if !share.IsSet() {
		return ""
	}
	return digits(100*share.Float(), 2) + " %"
}

// rate has four significant digits, and no prefix: its unit has one.
func rate(x Number) string {
	if !x.IsSet() {
		return ""
	}
	return digits(x.Float(), 4)
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
