package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/bench/internal/terminal/digits"
)

// HeatMap is the least cost found for each pair of values of two tunables.
type HeatMap struct {
	Name string
	X, Y string
	// XShare and YShare are the shares of the cost's variance that X and Y
	// explain.
	XShare, YShare   float64
	XValues, YValues []float64
	// XTexts and YTexts are what to write for the values; nil: the numbers.
	XTexts, YTexts []string
	// Ranged says that a value stands for all values up to the next.
	Ranged bool
	// Cost is by y and x; NaN if nothing valid was found, +Inf if the space has no point.
	Cost      [][]float64
	Objective string // "time", "energy" or "edp"
	// Evaluated says that only the evaluated points of the space are known: +Inf then marks the others.
	Evaluated bool
	// Full is the cost of which cells are shares; 0: the least.
	Full float64
	// Title and Note are those of the page; empty: those of a search.
	Title, Note string
}

// Cells is a heat map as it is drawn: values ascend, and cells are coloured by their shares of the best.
type Cells struct {
	Name, Title, Note string
	X, Y              Places
	// Share is Full divided by the cost, by y and x; NaN: none found, 0: no point.
	Share [][]float64
	Cost  [][]float64
	Unit  string
	Empty string // meaning of a cell without a point
}

// Places are values side by side.
type Places struct {
	Label string
	Texts []string
}

// Cells returns nil for a map without a cost.
func (m HeatMap) Cells() *Cells {
	least := math.Inf(1)
	for _, row := range m.Cost {
		for _, c := range row {
			if c < least { // false for NaN
				least = c
			}
		}
	}
	if math.IsInf(least, 1) {
		return nil
	}
	xs, ys := ascending(m.XValues), ascending(m.YValues)
	h := &Cells{Name: m.Name, X: placesOf(m.X, m.XValues, m.XTexts, xs), Y: placesOf(m.Y, m.YValues, m.YTexts, ys), Unit: unitOf(m.Objective), Empty: "not in the space",
		Title: cmp.Or(m.Title, m.Name+": best "+m.Objective+" as % of the least found for each "+m.X+" and "+m.Y), Note: cmp.Or(m.Note, m.note(least))}
	if m.Evaluated {
		h.Empty = "not evaluated"
	}
	full := cmp.Or(m.Full, least)
	for _, i := range ys {
		var shares, costs []float64
		for _, j := range xs {
			shares, costs = append(shares, full/m.Cost[i][j]), append(costs, m.Cost[i][j])
		}
		h.Share, h.Cost = append(h.Share, shares), append(h.Cost, costs)
	}
	return h
}

// Has reports whether what holds for a cell's share.
func (h *Cells) Has(what func(share float64) bool) bool {
	return slices.ContainsFunc(h.Share, func(row []float64) bool { return slices.ContainsFunc(row, what) })
}

func (m *HeatMap) note(least float64) string {
	note := fmt.Sprintf("best %s; of the variance %s explains %.0f %%, %s %.0f %%", digits.Scaled(least, unitOf(m.Objective)), m.X, 100*m.XShare, m.Y, 100*m.YShare)
	if m.Ranged {
		note += "; a value stands for all up to the next"
	}
	return note
}

func unitOf(objective string) string {
	switch objective {
	case "energy":
		return "J"
	case "edp":
		return "Js"
	}
	return "s"
}

// ascending returns the order of the values.
func ascending(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return order
}

func placesOf(name string, values []float64, texts []string, order []int) Places {
	p := Places{Label: name}
	for _, i := range order {
		text := strconv.FormatFloat(values[i], 'f', -1, 64)
		if texts != nil {
			text = texts[i]
		}
		p.Texts = append(p.Texts, text)
	}
	return p
}
