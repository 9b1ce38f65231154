// Package axis makes the axes of figures: their ends, and ticks with distinct texts. An axis has a bounded
// number of ticks, whatever the values.
package axis

import (
	"math"
	"slices"

	"example.org/bench/internal/terminal/digits"
)

// The least and the greatest absolute value that an axis tells from 0 and from infinity.
// Values beyond stand at the axis's end. Within these bounds differences and ratios of two
// values are finite float64s too.
const (
	least    = 1e-300
	greatest = 1e300
)

// mostTicks is the largest number of multiples of a step that become ticks.
const mostTicks = 512

// Span is a range of values that grows with each value added.
type Span struct{ Min, Max float64 }

// NewSpan returns a range without values.
func NewSpan() Span { return Span{math.Inf(1), math.Inf(-1)} }

// Include adds the values that are finite.
func (s *Span) Include(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			s.Min, s.Max = math.Min(s.Min, v), math.Max(s.Max, v)
		}
	}
}

// Wide reports whether a linear axis would hide the small values.
func (s Span) Wide() bool { return s.Min > 0 && s.Max/s.Min > 12 }

// bounded returns the ends, limited to what an axis shows; 0 and 1 without values.
func (s Span) bounded() (low, high float64) {
	if !(s.Min <= s.Max) {
		return 0, 1
	}
	within := func(v float64) float64 { return math.Max(-greatest, math.Min(greatest, v)) }
	return within(s.Min), within(s.Max)
}

// Tick is a place on an axis; without a Text it is a line alone.
type Tick struct {
	Value float64
	Text  string
}

// Axis is a range with its ticks. No two texts are the same.
type Axis struct {
	Log      bool
	Min, Max float64
	Ticks    []Tick
	Label    string // the title, with the unit of the ticks unless each has its own
}

// Share returns where a value lies between the ends: 0 at Min, 1 at Max. It is limited to
// -1 and 2, so that no place in a drawing is far outside. A value without a place, such as
// NaN, is at 0.
func (a Axis) Share(v float64) float64 {
	var share float64
	if a.Log {
		share = (math.Log(v) - math.Log(a.Min)) / (math.Log(a.Max) - math.Log(a.Min))
	} else {
		share = (v - a.Min) / (a.Max - a.Min)
	}
	if math.IsNaN(share) {
		return 0
	}
	return math.Max(-1, math.Min(2, share))
}

// Widen puts room at both ends, as a share of the length.
func (a *Axis) Widen(share float64) {
	if a.Log {
		room := math.Pow(10, share*(math.Log10(a.Max)-math.Log10(a.Min)))
		a.Min, a.Max = math.Max(a.Min/room, math.SmallestNonzeroFloat64), math.Min(a.Max*room, math.MaxFloat64)
		return
	}
	room := share * (a.Max - a.Min)
	a.Min, a.Max = a.Min-room, a.Max+room
}

// FromZero returns a linear axis from zero that holds all of s, with some room beyond. If
// values are negative, it begins below the least.
func FromZero(s Span, title, unit string) Axis {
	low, high := s.bounded()
	if low >= 0 {
		if high <= 0 {
			high = 1
		}
		high = math.Max(high, least)
		return linear(0, high*1.06, Step(high, 7), title, unit)
	}
	high = math.Max(high, 0)
	extent := math.Max(high-low, least)
	if high > 0 {
		high += extent * 0.06
	}
	return linear(low-extent*0.06, high, Step(extent, 7), title, unit)
}

// relative is the least room beside the values, as a share of their size. It keeps the
// ticks' texts short.
const relative = 1e-5

// Around returns an axis that holds s with room on both sides. It is logarithmic if s is
// wide, else linear and not from zero, so that close points stay apart.
func Around(s Span, title, unit string) Axis {
	if s.Wide() {
		return Logarithmic(s, title, unit)
	}
	low, high := s.bounded()
	size := math.Max(math.Abs(low), math.Abs(high))
	room := (high - low) * 0.12
	switch {
	case size < least:
		room = 1
	case room == 0:
		room = size * 0.1
	default:
		room = math.Max(room, size*relative)
	}
	from := low - room
	if low >= 0 {
		from = math.Max(0, from)
	}
	return Linear(from, high+room, 6, title, unit)
}

// Linear returns a linear axis between these ends with about n steps.
func Linear(low, high float64, n int, title, unit string) Axis {
	low, high = Span{low, high}.bounded()
	return linear(low, high, Step(high-low, n), title, unit)
}

// linear returns a linear axis with these steps. If there is a unit, its label has it with
// the prefix of the largest tick.
func linear(low, high, step float64, title, unit string) Axis {
	a := Axis{Min: low, Max: high, Label: title}
	values := Multiples(step, low, high)
	text := counts(values, false)
	if unit != "" && len(values) > 0 {
		p := digits.PrefixOf(math.Max(math.Abs(values[0]), math.Abs(values[len(values)-1])))
		text = func(v float64, n int) string { return Text(v/p.Factor, n) }
		a.Label = title + " (" + p.Symbol + unit + ")"
	}
	// Enough digits for the step, in the largest.
	digits := math.Floor(math.Log10(math.Max(math.Abs(low), math.Abs(high))/step)) + 1
	a.Ticks = labelled(values, max(usual, int(math.Min(digits, exact))), text)
	return a
}

// Logarithmic returns an axis that holds the positive part of s, with some room on both sides.
// Each tick has its own prefix and unit, so the label needs none.
func Logarithmic(s Span, title, unit string) Axis {
	low, high := s.bounded()
	if high <= 0 {
		low, high = 1, 1
	}
	low, high = math.Max(low, least), math.Max(high, least)
	const leastRoom, mostRoom = 1.1, 1e6
	room := math.Max(leastRoom, math.Min(mostRoom, math.Pow(10, 0.05*(math.Log10(high)-math.Log10(low)))))
	a := Axis{Log: true, Min: low / room, Max: high * room, Label: title}
	values, named := a.decades()
	if len(named) < 3 { // a decade has too few
		named = Multiples(Step(a.Max-a.Min, 8), a.Min, a.Max)
		values = slices.Compact(slices.Sorted(slices.Values(slices.Concat(values, named))))
	}
	a.Ticks = make([]Tick, 0, len(values))
	plain := counts(named, false)
	texts := labelled(named, usual, func(v float64, n int) string {
		if unit == "" {
			return plain(v, n)
		}
		p := digits.PrefixOf(v)
		return Text(v/p.Factor, n) + " " + p.Symbol + unit
	})
	for _, v := range values {
		t := Tick{Value: v}
		if i := slices.IndexFunc(texts, func(x Tick) bool { return x.Value == v }); i >= 0 {
			t.Text = texts[i].Text
		}
		a.Ticks = append(a.Ticks, t)
	}
	return a
}

// decades returns the ticks of a logarithmic axis, and those that have a text: about
// eight, or fewer than three if the axis is shorter than a decade.
func (a Axis) decades() (values, named []float64) {
	decades := math.Log10(a.Max) - math.Log10(a.Min)
	factors := []float64{1}
	switch {
	case decades < 1.5:
		factors = []float64{1, 2, 5}
	case decades < 3:
		factors = []float64{1, 3}
	}
	every := max(1, int(math.Ceil(decades/8)))
	const lines = 4 // decades between names, up to which each has a line
	for e := int(math.Floor(math.Log10(a.Min))); float64(e) <= math.Log10(a.Max); e++ {
		for f := 1.0; f < 10; f++ {
			v := f * math.Pow(10, float64(e))
			if v < a.Min || v > a.Max {
				continue
			}
			isNamed := e%every == 0 && slices.Contains(factors, f)
			if isNamed {
				named = append(named, v)
			}
			if every == 1 || f == 1 && (every <= lines || isNamed) {
				values = append(values, v)
			}
		}
	}
	return values, named
}

// most is how many texts fit side by side.
const most = 12

// Swept returns the axis of a swept parameter, from its least to its greatest value, with
// ticks at the values where their texts fit. Powers of two are written 64, 1Ki, 8Mi. The
// values are sorted.
func Swept(name string, values []float64, log bool) Axis {
	all := NewSpan()
	all.Include(values...)
	low, high := all.bounded()
	values = slices.Compact(slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !(v >= low && v <= high) }))
	log = log && low >= least
	a := Axis{Log: log, Min: low, Max: high, Label: name}
	switch {
	case low == high && log:
		a.Min, a.Max = low/2, high*2
	case high-low < least:
		room := math.Max(0.5, math.Abs(low)*relative)
		a.Min, a.Max = low-room, high+room
	}
	if len(values) == 0 {
		return a
	}
	if log || len(values) <= most && sparse(values) {
		shown := values
		if log {
			shown = distinct(values)
		}
		every := (len(shown) + most - 1) / most
		var named []float64
		for i := 0; i < len(shown); i += every {
			named = append(named, shown[i])
		}
		texts := labelled(named, usual, counts(named, Binary(values)))
		for i, v := range shown {
			t := Tick{Value: v}
			if i%every == 0 {
				if j := slices.IndexFunc(texts, func(x Tick) bool { return x.Value == v }); j >= 0 {
					t.Text = texts[j].Text
				}
			}
			a.Ticks = append(a.Ticks, t)
		}
		return a
	}
	steps := Multiples(Step(a.Max-a.Min, 6), a.Min, a.Max)
	a.Ticks = labelled(steps, usual, counts(steps, false))
	return a
}

// Step returns 1, 2 or 5 times a power of ten, such that about n steps make x; 0 if x is
// too small or too large for any.
func Step(x float64, n int) float64 {
	raw := x / float64(n)
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	if !(mag > 0) || math.IsInf(mag, 0) {
		return 0
	}
	for _, f := range []float64{1, 2, 5} {
		if f*mag >= raw*(1-1e-9) {
			return f * mag
		}
	}
	return 10 * mag
}

// Multiples returns the multiples of step between the ends that differ as float64s,
// ascending, at most mostTicks; none if step is not positive.
func Multiples(step, low, high float64) (values []float64) {
	if !(step > 0) || !(low <= high) {
		return nil
	}
	first := math.Ceil(low/step - 1e-9)
	for i := range mostTicks {
		v := (first + float64(i)) * step
		if !(v <= high+step*1e-6) {
			break
		}
		if len(values) == 0 || v > values[len(values)-1] {
			values = append(values, v)
		}
	}
	return values
}

// Decimals returns how many decimals distinguish multiples of step.
func Decimals(step float64) int {
	return max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
}

// Digits of a tick's text: as a rule, and at most.
const (
	usual = 4
	exact = 17
)

// labelled returns ticks with texts of so many digits, or of more if two would read the
// same. A value that still reads like one before has no tick.
func labelled(values []float64, digits int, text func(v float64, digits int) string) (ticks []Tick) {
	for n := digits; n <= exact; n++ {
		ticks = ticks[:0]
		for _, v := range values {
			if t := text(v, n); !slices.ContainsFunc(ticks, func(x Tick) bool { return x.Text == t }) {
				ticks = append(ticks, Tick{v, t})
			}
		}
		if len(ticks) == len(values) {
			break
		}
	}
	return ticks
}

// distinct leaves out the values that a reader cannot tell from the one before, or from the
// last, on a logarithmic axis that holds all. The last one is kept.
func distinct(values []float64) (some []float64) {
	last := values[len(values)-1]
	near := math.Pow(10, 0.004*(math.Log10(last)-math.Log10(values[0])))
	for i, v := range values {
		if i == len(values)-1 || len(some) == 0 || v > some[len(some)-1]*near && v*near < last {
			some = append(some, v)
		}
	}
	return some
}

// sparse reports whether texts at the values themselves would not touch on a linear axis.
func sparse(values []float64) bool {
	for i := 1; i < len(values); i++ {
		if (values[i]-values[i-1])/(values[len(values)-1]-values[0]) < 0.06 {
			return false
		}
	}
	return true
}
