package energy

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/bench/analysis/bound"
)

// Costs beside those of bound.Quantities: watts while a run lasts, and of all multiprocessors with work.
const (
	Running = "running"
	Active  = "active multiprocessors"
)

// names are the quantities that have costs.
var names = append([]string{Running, Active}, bound.Quantities...)

// Observation is a point whose energy is measured or asked for.
type Observation struct {
	Name  string
	Work  bound.Work
	Time  float64 // of one run, where runs follow each other
	Clock float64 // of the multiprocessors meanwhile; 0: not known
	// Energy and Idle belong to a measured point: the energy of one run, and power while nothing runs.
	Energy, Idle float64
}

// Cost is what one unit of an amount takes.
type Cost struct {
	Of string `json:"of"` // what it is of, as in docs/why.md#energy
	// Each is joules: of a second for running and active multiprocessors, else of an operation, a byte or a pass.
	Each float64 `json:"each_J"`
	// Uncertainty is half its 95 % interval; for a cost of 0 how much it may be. Absent: unknown.
	Uncertainty float64 `json:"uncertainty_J,omitempty"`
}

// Model is what a GPU's energy goes to.
type Model struct {
	Identity string    `json:"identity"` // of the GPU, its driver and its power mode
	Device   string    `json:"device"`   // the GPU's name
	Measured time.Time `json:"measured"` // when the loads were measured
	Points   int       `json:"points"`   // how many of them
	Idle     float64   `json:"idle_W"`   // power while nothing runs
	Spread   float64   `json:"idle_spread_W"`
	// Scatter is the relative standard deviation of the loads' energies from the model.
	Scatter float64 `json:"scatter"`
	// Unseen is the same of each load from a model fitted to the others, if these tell all its costs.
	Unseen float64 `json:"unseen"`
	// Condition is the condition of the fit's columns, each divided by its norm: by how much more an error
	// may weigh in what costs have in common than in what tells them apart.
	Condition float64 `json:"condition"`
	// Clock is the highest clock of the loads, and Least the lowest, which is below it if power was limited.
	Clock float64 `json:"clock_Hz"`
	Least float64 `json:"least_clock_Hz"`
	// Limit is the power at which clocks were lowered; 0: at none.
	Limit float64 `json:"limit_W,omitempty"`
	// Exponent is the power of the clock that operations' energy follows, between ExponentLow and ExponentHigh
	// (95 %); 0 for all: the clock did not vary enough to tell.
	Exponent     float64 `json:"exponent"`
	ExponentLow  float64 `json:"exponent_low"`
	ExponentHigh float64 `json:"exponent_high"`
	Costs        []Cost  `json:"costs"` // those that the loads have
	// Covariance is the covariance of Costs, in their order.
	Covariance [][]float64 `json:"covariance"`
}

// Constants of a calibration.
const (
	spare = 4 // points in addition to one per cost
	// leastVaried is the least ratio of clocks for their exponent to be fitted.
	leastVaried  = 1.05
	mostExponent = 4.0
	exponentStep = 0.05
)

// amountsOf returns what costs are multiplied by, in the order of names, at an exponent.
func (o Observation) amountsOf(exponent, highest float64) []float64 {
	f := 1.0
	if o.Clock > 0 && highest > 0 {
		f = o.Clock / highest
	}
	core := math.Pow(f, exponent)
	row := make([]float64, len(names))
	for j, name := range names {
		switch name {
		case Running:
			row[j] = o.Time
		case Active:
			row[j] = o.Time * o.Work.Active * core * f
		case bound.DRAMBytes, bound.LaunchOf: // memory has a voltage of its own
			row[j] = o.Work.Amounts[name]
		default:
			row[j] = o.Work.Amounts[name] * core
		}
	}
	return row
}

// Fit finds the costs that fit the observations' energies best, by relative errors.
func Fit(list []Observation) (Model, error) {
	m := Model{Points: len(list), Least: math.Inf(1)}
	var idle []float64
	for _, o := range list {
		idle = append(idle, o.Idle)
		if o.Clock > 0 {
			m.Clock, m.Least = max(m.Clock, o.Clock), min(m.Least, o.Clock)
		}
	}
	if m.Clock == 0 {
		m.Least = 0
	}
	m.Limit = m.limit(list)
	present := 0
	for j := range names {
		if slices.ContainsFunc(list, func(o Observation) bool { return o.amountsOf(0, m.Clock)[j] > 0 }) {
			present++
		}
	}
	if len(list) < present+spare {
		return m, fmt.Errorf("%d loads with energy do not tell %d costs: want %d", len(list), present, present+spare)
	}
	m.Idle, m.Spread = meanAndDeviation(idle)
	at := func(exponent float64) (fitted, *mat.Dense) { return m.fit(list, exponent) }
	best, a := at(0)
	if m.Clock > leastVaried*m.Least && m.Least > 0 {
		m.exponent(len(list)-present, func(exponent float64) float64 {
			f, _ := at(exponent)
			return f.residual
		})
		best, a = at(m.Exponent)
	}
	free := float64(len(list) - len(best.used))
	m.Scatter = math.Sqrt(best.residual / free)
	m.unseen(list, a, best.used)
	return m, m.costs(list, best, a)
}

// tellsAlone is the leverage of a load that alone tells one of the costs: no fit to the others has it.
const tellsAlone = 0.9

// unseen finds how far each load is from a model that was fitted to the others.
func (m *Model) unseen(list []Observation, a *mat.Dense, used []int) {
	columns := columnsOf(a, used)
	inv := inverse(columns)
	if inv == nil {
		return
	}
	n := 0.0
	for i, o := range list {
		if row := columns.RowView(i); mat.Inner(row, inv, row) > tellsAlone {
			continue
		}
		f, _ := m.fit(slices.Concat(list[:i], list[i+1:]), m.Exponent)
		off := 1 - m.Idle*o.Time/o.Energy
		for j, x := range o.amountsOf(m.Exponent, m.Clock) {
			off -= f.x[j] * x / o.Energy
		}
		m.Unseen += off * off
		n++
	}
	m.Unseen = math.Sqrt(m.Unseen / max(1, n))
}

// heldDown is the share of the highest clock below which power or heat holds it down.
const heldDown = 0.97

func (m Model) lowered(o Observation) bool { return o.Clock > 0 && o.Clock < heldDown*m.Clock }

// alike is the largest difference of powers at a limit.
const alike = 0.1

// limit returns the highest power of the loads whose clock was lowered. It is 0 if these are not several of
// about the same power: something else then lowered the clock.
func (m Model) limit(list []Observation) float64 {
	var powers []float64
	for _, o := range list {
		if m.lowered(o) {
			powers = append(powers, o.Energy/o.Time)
		}
	}
	if len(powers) < 2 || slices.Min(powers) < (1-alike)*slices.Max(powers) {
		return 0
	}
	return slices.Max(powers)
}

// design returns what the costs are multiplied by, divided by each energy.
func (m Model) design(list []Observation, exponent float64) *mat.Dense {
	a := mat.NewDense(len(list), len(names), nil)
	for i, o := range list {
		for j, x := range o.amountsOf(exponent, m.Clock) {
			a.Set(i, j, x/o.Energy)
		}
	}
	return a
}

// fit returns the solution at an exponent, and the shares of each energy to which it was fitted.
func (m Model) fit(list []Observation, exponent float64) (fitted, *mat.Dense) {
	a, b := m.design(list, exponent), make([]float64, len(list))
	for i, o := range list {
		b[i] = 1 - m.Idle*o.Time/o.Energy
	}
	return nonnegative(a, b), a
}

// exponent finds the exponent with the least residual, and the range of those whose residual no F test tells
// from it: 4 is about its bound at 95 %.
func (m *Model) exponent(free int, residual func(float64) float64) {
	var all []float64
	least := math.Inf(1)
	for k := 0; float64(k)*exponentStep <= mostExponent; k++ {
		r := residual(float64(k) * exponentStep)
		if all = append(all, r); r < least {
			least, m.Exponent = r, float64(k)*exponentStep
		}
	}
	m.ExponentLow, m.ExponentHigh = m.Exponent, m.Exponent
	for k, r := range all {
		if x := float64(k) * exponentStep; r <= least*(1+4/float64(max(1, free))) {
			m.ExponentLow, m.ExponentHigh = min(m.ExponentLow, x), max(m.ExponentHigh, x)
		}
	}
}

// costs sets each cost with its uncertainty, including that of the exponent.
func (m *Model) costs(list []Observation, f fitted, a *mat.Dense) error {
	beside := columnsOf(a, f.used)
	if m.ExponentHigh > 0 {
		beside = m.besideExponent(list, f)
	}
	columnsByNorm, _ := unit(beside)
	m.Condition = mat.Cond(columnsByNorm, 2)
	inv := inverse(beside)
	if inv == nil {
		return errors.New("the loads do not tell one cost from another")
	}
	var columns []int
	at := map[int]int{} // place of a column in the inverse
	for n, j := range f.used {
		at[j] = n
	}
	for j, name := range names {
		if mat.Norm(a.ColView(j), 2) == 0 {
			continue
		}
		c := Cost{Of: name, Each: f.x[j]}
		if n, used := at[j]; used {
			c.Uncertainty = 2 * m.Scatter * math.Sqrt(inv.At(n, n))
		} else if e := alone(beside, inv, a.ColView(j)); !math.IsInf(e, 0) {
			c.Uncertainty = 2 * m.Scatter * e
		}
		columns = append(columns, j)
		m.Costs = append(m.Costs, c)
	}
	for _, j := range columns {
		row := make([]float64, len(columns))
		for l, k := range columns {
			p, ok := at[j]
			q, ok2 := at[k]
			if ok && ok2 {
				row[l] = m.Scatter * m.Scatter * inv.At(p, q)
			}
		}
		m.Covariance = append(m.Covariance, row)
	}
	return nil
}

// besideExponent returns the used columns, and the change of the sum of the costs with the exponent.
func (m *Model) besideExponent(list []Observation, f fitted) *mat.Dense {
	low, a := m.design(list, m.Exponent-exponentStep), m.design(list, m.Exponent)
	high := m.design(list, m.Exponent+exponentStep)
	all := mat.NewDense(len(list), len(f.used)+1, nil)
	for i := range list {
		slope := 0.0
		for n, j := range f.used {
			all.Set(i, n, a.At(i, j))
			slope += f.x[j] * (high.At(i, j) - low.At(i, j)) / (2 * exponentStep)
		}
		all.Set(i, len(f.used), slope)
	}
	return all
}

func meanAndDeviation(list []float64) (mean, deviation float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	for _, x := range list {
		deviation += (x - mean) * (x - mean) / float64(max(1, len(list)-1))
	}
	return mean, math.Sqrt(deviation)
}

// Part is the part of an energy that goes to one thing.
type Part struct {
	Of     string  `json:"of"`       // idle power, or what an amount is of (docs/why.md#energy)
	Energy float64 `json:"energy_J"` // of one run
	Share  float64 `json:"share"`    // of the predicted energy
}

// IdlePower is the power of a machine that does nothing.
const IdlePower = "idle power"

// Predict returns the energy of one run, with half its 95 % interval, and what it goes to, most first.
// unknown are amounts whose cost the calibration lacks.
func (m Model) Predict(o Observation) (energy, uncertainty float64, parts []Part, unknown []string) {
	row := m.row(o, m.Exponent)
	energy = m.Idle * o.Time
	parts = []Part{{Of: IdlePower, Energy: energy}}
	for k, c := range m.Costs {
		if x := c.Each * row[k]; x > 0 {
			parts = append(parts, Part{Of: c.Of, Energy: x})
			energy += x
		}
	}
	for _, name := range bound.Quantities {
		if o.Work.Amounts[name] > 0 && !slices.ContainsFunc(m.Costs, func(c Cost) bool { return c.Of == name }) {
			unknown = append(unknown, name)
		}
	}
	f := 1.0
	if most := m.Limit * o.Time; most > m.Idle*o.Time && energy > most { // the clock was lower than is known
		f = (most - m.Idle*o.Time) / (energy - m.Idle*o.Time)
		energy = most
	}
	for i := range parts {
		if parts[i].Of != IdlePower {
			parts[i].Energy *= f
		}
		parts[i].Share = parts[i].Energy / energy
	}
	slices.SortStableFunc(parts, func(a, b Part) int {
		switch {
		case a.Energy > b.Energy:
			return -1
		case a.Energy < b.Energy:
			return 1
		}
		return strings.Compare(a.Of, b.Of)
	})
	own := max(m.Scatter, m.Unseen) * energy
	idle := m.Spread * o.Time
	clock := (m.total(o, m.ExponentHigh) - m.total(o, m.ExponentLow)) / 4
	return energy, 2 * math.Sqrt(f*f*m.variance(row)+own*own+idle*idle+clock*clock), parts, unknown
}

// row returns what the costs are multiplied by, in their order.
func (m Model) row(o Observation, exponent float64) []float64 {
	all := o.amountsOf(exponent, m.Clock)
	row := make([]float64, len(m.Costs))
	for k, c := range m.Costs {
		row[k] = all[slices.Index(names, c.Of)]
	}
	return row
}

func (m Model) total(o Observation, exponent float64) float64 {
	sum := m.Idle * o.Time
	for k, x := range m.row(o, exponent) {
		sum += m.Costs[k].Each * x
	}
	return sum
}

// variance returns the variance of a sum of costs.
func (m Model) variance(row []float64) (v float64) {
	for j, x := range row {
		for k, y := range row {
			v += x * m.Covariance[j][k] * y
		}
	}
	return max(0, v)
}

// check returns an error if the content of a file cannot be a model.
func (m Model) check() error {
	for _, c := range m.Costs {
		if !slices.Contains(names, c.Of) || !(c.Each >= 0) {
			return fmt.Errorf("cost of %q: want one of %s, at least 0", c.Of, strings.Join(names, ", "))
		}
	}
	if len(m.Costs) == 0 || len(m.Covariance) != len(m.Costs) {
		return fmt.Errorf("%d costs and a covariance of %d: want as many", len(m.Costs), len(m.Covariance))
	}
	for _, row := range m.Covariance {
		if len(row) != len(m.Costs) {
			return fmt.Errorf("a row of %d in the covariance of %d costs", len(row), len(m.Costs))
		}
	}
	return nil
}
