package picture

import (
	"fmt"
	"math"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Turns are versions that took turns: for each pair a row of its control and one of its treatment, with
// every repeat's ratio.
type Turns struct {
	Title, Note string
	X           axis.Axis
	Rows        []Strip // the first on top
}

// Strip is the repeats of a control or a treatment.
type Strip struct {
	Point string // what distinguishes the problem from the others: "N 1024"
	Name  string
	Style int // of Kinds
	compare.Mean
}

// Kinds are the names of a repeat of each style. Mean and Same are those of the other marks.
var Kinds = []string{"a repeat, A by itself", "a repeat, B / A"}

// Names of marks.
const (
	MeanName = "mean, 95 % interval"
	SameName = "no difference"
)

// Text returns the mean with its interval.
func (s Strip) Text() string { return digits.Interval(s.Value, s.Low, s.High, "") }

// TurnsOf returns the measured pairs, named by the parameters that differ between them; nil without a pair.
func TurnsOf(r *experiment.Turns) *Turns {
	var points []plan.Point
	for _, p := range r.Pairs {
		if p.Result != nil {
			points = append(points, p.A)
		}
	}
	if len(points) == 0 {
		return nil
	}
	t := &Turns{Title: "ratio of median times, samples taken in turns"}
	varying := experiment.VaryingParams(points)
	repeats := 0
	for _, p := range r.Pairs {
		if p.Result == nil {
			continue
		}
		var settings []string
		for _, n := range p.A.ParamOrder {
			if varying[n] {
				settings = append(settings, n+" "+p.A.Params[n].String())
			}
		}
		point := strings.Join(settings, ", ")
		t.Rows = append(t.Rows, Strip{point, p.A.Version + " by itself", 0, p.Result.Control})
		repeats = len(p.Result.Control.Ratios)
		if p.Result.Treatment != nil {
			t.Rows = append(t.Rows, Strip{point, p.B.Version + " / " + p.A.Version, 1, *p.Result.Treatment})
		}
	}
	t.Note = fmt.Sprintf("%s; %s, the first on top", points[0].Algorithm, terminal.Count(repeats, "repeat"))
	t.scale()
	return t
}

// scale makes the axis, which holds all ratios, and 1.
func (t *Turns) scale() {
	all := axis.NewSpan()
	all.Include(1)
	for _, r := range t.Rows {
		all.Include(r.Ratios...)
		all.Include(r.Low, r.High)
	}
	const label = "ratio of the medians"
	if all.Wide() {
		t.X = axis.Logarithmic(all, label, "")
		return
	}
	room := math.Max((all.Max-all.Min)*0.06, 1e-4)
	t.X = axis.Axis{Min: all.Min - room, Max: all.Max + room, Label: label}
	step := axis.Step(t.X.Max-t.X.Min, 7)
	for _, v := range axis.Multiples(step, t.X.Min, t.X.Max) {
		t.X.Ticks = append(t.X.Ticks, axis.Tick{Value: v, Text: fmt.Sprintf("%.*f", axis.Decimals(step), v)})
	}
}

// The repeats begin so far below the middle of a row, and end so far above it, as shares of its height. The
// first repeat is on top.
const (
	StripBelow = 0.42
	StripAbove = 0.20
)

// Offset returns how far above the middle of its row a repeat is, as a share of the row's height.
func (s Strip) Offset(repeat int) float64 {
	return -StripBelow + (StripAbove+StripBelow)*(1-(float64(repeat)+0.5)/float64(len(s.Ratios)))
}
