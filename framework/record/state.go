package record

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/textfile"
)

// The columns of a machine's state are these, or begin with them.
const (
	clockColumn    = "clock_"
	eventColumn    = "throttle_events_"
	coolingColumn  = "cooling_"
	fanColumn      = "fan_"
	alarmColumn    = "current_alarms"
	pinnedColumn   = "jetson_clocks"
	throttleColumn = "throttled_by"
)

// noThrottle is the cell of throttleColumn where files tell that nothing throttled.
const noThrottle = "none"

// state is texts by column.
type state map[string]string

func (c state) number(column string, x float64) { c[column] = strconv.FormatFloat(x, 'g', -1, 64) }

// stateCells returns the state of a point's instances: limits and first values of the first
// instance, last values of the last, differences of counters added up. What no file
// told has no cell.
func stateCells(instances []Result) state {
	c := state{}
	events := map[string]float64{}
	var by []string
	for _, r := range instances {
		if r.StateBefore == nil || r.StateAfter == nil {
			continue
		}
		before, after := *r.StateBefore, *r.StateAfter
		for name, n := range after.Events {
			if was, ok := before.Events[name]; ok {
				events[name] += n - was
			}
		}
		by = append(by, machine.Throttled(before, after)...)
		if before.Events != nil || before.Cooling != nil {
			c[throttleColumn] = noThrottle
		}
	}
	for name, n := range events {
		c.number(eventColumn+identifier(name), n)
	}
	if by != nil {
		slices.Sort(by)
		c[throttleColumn] = strings.Join(slices.Compact(by), "; ")
	}
	if s := instances[0].StateBefore; s != nil {
		c.limits(*s)
		c.moment(*s, "before")
	}
	if s := instances[len(instances)-1].StateAfter; s != nil {
		c.moment(*s, "after")
	}
	if len(c) == 0 {
		return nil
	}
	return c
}

// limits sets the cells of what a point does not change.
func (c state) limits(s machine.State) {
	for _, x := range s.Clocks {
		name := clockColumn + identifier(x.Name)
		if x.Min > 0 {
			c.number(name+"_min_Hz", x.Min)
		}
		if x.Max > 0 {
			c.number(name+"_max_Hz", x.Max)
		}
		if x.Governor != "" {
			c[name+"_governor"] = x.Governor
		}
	}
	if pinned, known := s.Pinned(); known {
		c[pinnedColumn] = map[bool]string{true: "on", false: "off"}[pinned]
	}
}

// moment sets the cells of one moment.
func (c state) moment(s machine.State, when string) {
	for _, x := range s.Clocks {
		if x.Current > 0 {
			c.number(clockColumn+identifier(x.Name)+"_"+when+"_Hz", x.Current)
		}
	}
	for name, v := range s.Cooling {
		c.number(coolingColumn+identifier(name)+"_"+when, v)
	}
	for name, v := range s.Fans {
		c.number(fanColumn+identifier(name)+"_"+when, v)
	}
	if s.Alarms != nil {
		c[alarmColumn] = strings.Join(s.Alarms, "; ")
	}
}

// stateTexts are columns of cells.
type stateTexts []string

func (s stateTexts) write(t *table, rows []Row) error {
	for _, column := range s {
		t.addColumn(column, stateCellKind(column), func(i int) string { return rows[i].State[column] })
	}
	return nil
}

func (s stateTexts) reader(header []string) (rowsReader, error) {
	at := make([]int, len(s))
	for i, column := range s {
		if at[i] = slices.Index(header, column); at[i] < 0 {
			return nil, fmt.Errorf("column %s of %s is missing", column, InfoFile)
		}
	}
	known := textfile.Texts{}
	return eachRow(func(cells []string, w *Row) error {
		for i, column := range s {
			if cell := cells[at[i]]; cell != "" {
				put(&w.State, column, known.Keep(cell))
			}
		}
		return nil
	}), nil
}

// BoardWarning says in one line at how many measured points a Jetson's clocks were
// free to move, and at how many the board throttled; empty if at none.
func BoardWarning(results []Result) string {
	measured, free := 0, 0
	var throttled []string
	points := 0
	for _, r := range results {
		if r.Status != OK || r.StateBefore == nil || r.StateAfter == nil {
			continue
		}
		measured++
		if pinned, known := r.StateBefore.Pinned(); known && !pinned {
			free++
		}
		if by := machine.Throttled(*r.StateBefore, *r.StateAfter); by != nil {
			points++
			throttled = append(throttled, by...)
		}
	}
	var parts []string
	if free > 0 {
		parts = append(parts, fmt.Sprintf("clocks were free to move at %d of %s (sudo jetson_clocks pins them)", free, terminal.Count(measured, "point")))
	}
	if points > 0 {
		slices.Sort(throttled)
		parts = append(parts, fmt.Sprintf("the board throttled at %d of %s, by %s", points, terminal.Count(measured, "point"), strings.Join(slices.Compact(throttled), ", ")))
	}
	return strings.Join(parts, "; ")
}
