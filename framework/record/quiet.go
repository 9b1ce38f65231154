package record

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// conditions returns the means over the instances that know them.
func conditions(instances []Result) Conditions {
	var c Conditions
	var columns [6][]float64
	for _, x := range instances {
		if x.Conditions == nil {
			continue
		}
		m := x.Conditions
		c.Workers = known(int64(m.Workers))
		for i, v := range []float64{m.CPUs, m.Waiting, m.Others, m.Steal, m.Registers, m.Copy} {
			if !math.IsNaN(v) {
				columns[i] = append(columns[i], v)
			}
		}
	}
	for i, n := range []*Number{&c.CPUs, &c.Waiting, &c.Others, &c.Steal, &c.Registers, &c.Copy} {
		*n = meanOf(columns[i])
	}
	return c
}

func meanOf(x []float64) Number {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return Measured(sum / float64(len(x)))
}

// The shares from which on a cause of noise is told.
const (
	shortOfCPUs = 0.95 // of its CPUs, or less, a version had
	loaded      = 0.05 // of the CPUs, or more, others had
	stolen      = 0.005
	slowed      = 1.2 // times its best a canary's loop takes, or more
	unslowed    = 1.1 // or less
)

// Disturbance returns what others had of the machine m while a point was timed, in words; empty
// for little, or where the kernel does not tell.
func (c Conditions) Disturbance(m machine.Facts) string {
	var list []string
	if c.CPUs.IsSet() && c.Waiting.IsSet() && c.Workers.IsSet() {
		workers := float64(c.Workers.Int())
		if c.CPUs.Float() < shortOfCPUs*workers && c.Waiting.Float() > (1-shortOfCPUs)*workers {
			list = append(list, shortage(c.CPUs.Float(), workers, m))
		}
	}
	if c.Others.IsSet() && c.Others.Float() >= loaded {
		list = append(list, fmt.Sprintf("other programs %.0f %%", 100*c.Others.Float()))
	}
	if c.Steal.IsSet() && c.Steal.Float() >= stolen {
		list = append(list, "steal "+digits.Percent(c.Steal.Float()))
	}
	return strings.Join(list, ", ")
}

// shortage says that workers had fewer CPUs than they are, and where a quota is the cause.
func shortage(had, workers float64, m machine.Facts) string {
	text := fmt.Sprintf("workers got %.1f of %.3g CPUs", had, workers)
	if m.Limited(workers) {
		text += fmt.Sprintf(" (this cgroup's quota is %.3g)", m.CPUQuota)
	}
	return text
}

// unquiet says how many points did not converge, which may be known well all the same, and what of the
// machine may have caused it; empty where all are.
func (r *Run) unquiet() string {
	all, worst := 0, 0.0
	var open []*Row
	for i := range r.Rows {
		w := &r.Rows[i]
		if !w.Time.Median.IsSet() || w.Time.Converged == "" {
			continue
		}
		all++
		if w.Time.Converged == "false" {
			open = append(open, w)
			if half := w.Time.Half(); half > worst { // not where it is NaN
				worst = half
			}
		}
	}
	if len(open) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %s did not converge", len(open), terminal.Count(all, "point"))
	if worst > 0 {
		half := digits.Doubt(worst)
		if worst <= 1 {
			half = "±" + half
		}
		text += " (worst " + half + ")"
	}
	if slices.ContainsFunc(open, func(w *Row) bool { return w.Time.Doubtful() }) {
		text += fmt.Sprintf(", %s those beyond %.0f %%", Doubted, 100*wellKnown)
	}
	if causes := r.causes(open); len(causes) > 0 {
		return text + ": " + strings.Join(causes, ", ") + "; rerun when quiet, or use bench ab"
	}
	if !slices.ContainsFunc(open, func(w *Row) bool { return w.Others.IsSet() || w.CPUs.IsSet() }) {
		return text
	}
	return text + ": no other load was seen; measure longer (measure.min_time_s), or use bench ab"
}

// causes returns what the machine did while these points were timed.
func (r *Run) causes(points []*Row) (list []string) {
	mean := func(of func(*Row) Number) float64 {
		var x []float64
		for _, w := range points {
			if n := of(w); n.IsSet() {
				x = append(x, n.Float())
			}
		}
		return meanOf(x).Float()
	}
	workers := mean(func(w *Row) Number { return w.Workers.number() })
	if had := mean(func(w *Row) Number {
		if !w.Workers.IsSet() {
			return Number{}
		}
		return w.CPUs
	}); had < shortOfCPUs*workers && mean(func(w *Row) Number { return w.Waiting }) > (1-shortOfCPUs)*workers {
		list = append(list, shortage(had, workers, r.Info.Machine))
	}
	if others := mean(func(w *Row) Number { return w.Others }); others >= loaded {
		list = append(list, fmt.Sprintf("other programs %.0f %%", 100*others))
	}
	if steal := mean(func(w *Row) Number { return w.Steal }); steal >= stolen {
		list = append(list, "steal "+digits.Percent(steal))
	}
	registers := r.slowdown(points, func(w *Row) Number { return w.Registers })
	copying := r.slowdown(points, func(w *Row) Number { return w.Copy })
	switch {
	case copying >= slowed && registers <= unslowed:
		list = append(list, "only the copy slow: host memory is shared")
	case copying >= slowed && registers >= slowed:
		list = append(list, "loop and copy slow: the CPU is shared or its clock moves")
	}
	return list
}

// slowdown returns the median of a canary's time at these points by its best at any;
// NaN where it is not known.
func (r *Run) slowdown(points []*Row, of func(*Row) Number) float64 {
	best := math.Inf(1)
	for i := range r.Rows {
		if x := of(&r.Rows[i]); x.IsSet() {
			best = min(best, x.Float())
		}
	}
	var x []float64
	for _, w := range points {
		if n := of(w); n.IsSet() {
			x = append(x, n.Float())
		}
	}
	if len(x) == 0 {
		return math.NaN()
	}
	return stats.Median(x) / best
}
