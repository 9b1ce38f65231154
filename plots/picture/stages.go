package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
)

// Stages are the shares of a run's kernels in its time and energy.
type Stages struct {
	Points []StagedPoint
	// Kernels are in the order of their first appearance. The number of a kernel gives its colour.
	Kernels []string
	// Title is the figure's. Note is what all points share, with Sums. Sums says what the shares are, and
	// what their sums are relative to the whole runs.
	Title, Note, Sums string
	// Doubtful is set where a share is in doubt.
	Doubtful bool
}

// MostStaged is how many points a figure of stages holds; more points take several figures.
const MostStaged = 12

// StagedPoint is a point whose stages are known.
type StagedPoint struct {
	Name string
	Row  int // its index in the run
	// Time and Energy are by stage; Energy is nil if that of a stage is unknown.
	Time, Energy []Share
	// WholeTime and WholeEnergy are those of a whole run, in s and J; NaN if unknown.
	WholeTime, WholeEnergy float64
}

// Share is the share of a kernel.
type Share struct {
	Kernel   int // in Stages.Kernels
	Value    float64
	Share    float64 // of the sum over the kernels
	Doubtful bool
}

// StagesOf returns the stages of a run; nil if no point has any.
func StagesOf(run *record.Run) *Stages {
	names := NamesOf(run)
	s := &Stages{}
	var times, energies []float64
	for i := range run.Rows {
		w := &run.Rows[i]
		if len(w.Stages) == 0 {
			continue
		}
		p := StagedPoint{Name: names.Of(w), Row: i, WholeTime: w.Stages[0].Whole.Float(), WholeEnergy: w.Stages[0].WholeEnergy.Float()}
		for _, x := range w.Stages {
			kernel := s.kernel(x.Name)
			p.Time = append(p.Time, Share{kernel, x.Time.Float(), x.Share.Float(), x.Hollow()})
			if x.EnergyShare.IsSet() {
				p.Energy = append(p.Energy, Share{kernel, x.Energy.Float(), x.EnergyShare.Float(), x.HollowEnergy()})
			}
		}
		for _, x := range slices.Concat(p.Time, p.Energy) {
			s.Doubtful = s.Doubtful || x.Doubtful
		}
		time, energy := w.Together()
		times, energies = append(times, time.Float()), append(energies, energy.Float())
		s.Points = append(s.Points, p)
	}
	if len(s.Points) == 0 {
		return nil
	}
	s.Title = run.Rows[0].Algorithm + ": share of each kernel in time"
	s.Sums = "each kernel measured alone"
	if sums := between(times); sums != "" {
		s.Sums += ", their sum " + sums + " of the run's time"
	}
	if sums := between(energies); sums != "" {
		s.Sums += " and " + sums + " of its energy"
		s.Title += " (above) and energy (below)"
	}
	s.Note = strings.Join(slices.DeleteFunc([]string{names.Common, s.Sums}, func(p string) bool { return p == "" }), "; ")
	return s
}

// kernel returns the number of a kernel.
func (s *Stages) kernel(name string) int {
	i := slices.Index(s.Kernels, name)
	if i < 0 {
		i = len(s.Kernels)
		s.Kernels = append(s.Kernels, name)
	}
	return i
}

// ShareTicks returns the ticks of an axis of shares.
func ShareTicks() (all []axis.Tick) {
	for percent := 0; percent <= 100; percent += 20 {
		all = append(all, axis.Tick{Value: float64(percent) / 100, Text: fmt.Sprintf("%d %%", percent)})
	}
	return all
}

// between says between which shares the values are; empty if none is known.
func between(values []float64) string {
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	if len(values) == 0 {
		return ""
	}
	low, high := digits.Percent(slices.Min(values)), digits.Percent(slices.Max(values))
	if low == high {
		return low
	}
	return strings.TrimSuffix(low, " %") + " to " + high
}
