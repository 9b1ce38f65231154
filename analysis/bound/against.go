package bound

import (
	"fmt"
	"math"

	"example.org/bench/internal/terminal/digits"
)

// Differences returns the differences between two points that bear on their time: what changed from from to
// of.
func Differences(of, from Why) []string {
	list := []string{}
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	switch {
	case of.Time > 0 && from.Time > 0:
		say("time %.4g → %.4g µs (×%.3g)", 1e6*from.Time, 1e6*of.Time, of.Time/from.Time)
	case of.Model > 0 && from.Model > 0:
		say("model's time %.4g → %.4g µs (×%.3g); the other was not measured", 1e6*from.Model, 1e6*of.Model, of.Model/from.Model)
	}
	if of.Title() != from.Title() {
		say("bound by %s → %s", from.Title(), of.Title())
	}
	if len(of.Kernels) == 0 || len(from.Kernels) == 0 {
		return list
	}
	a, b := sumOf(from), sumOf(of)
	for _, q := range quantities {
		if x, y := q.of(a), q.of(b); differ(x, y) {
			list = append(list, q.text(x, y))
		}
	}
	for class := range b.mix {
		a.mix[class] += 0
	}
	for _, class := range ordered(a.mix) {
		if x, y := a.mix[class], b.mix[class]; math.Abs(x-y) > 0.05*math.Max(a.instructions, b.instructions) {
			say("%s instructions %s → %s", class, short(x), short(y))
		}
	}
	return list
}

// quantity is compared with the same quantity of another point.
type quantity struct {
	name, unit string
	of         func(sums) float64
	// worse is 1 if more is worse, -1 if less is worse, and 0 if neither is.
	worse float64
	// use names the part of the GPU whose time the quantity takes, and change the change whose gain tells the
	// cost of the quantity; empty: none.
	use, change string
}

func (q quantity) text(from, to float64) string {
	return fmt.Sprintf("%s %s → %s%s", q.name, short(from), short(to), q.unit)
}

// short returns a count, with an SI prefix if it is large.
func short(x float64) string {
	if math.Abs(x) < 1e5 {
		return fmt.Sprintf("%.4g", x)
	}
	p := digits.PrefixOf(x)
	return fmt.Sprintf("%.3g %s", x/p.Factor, p.Symbol)
}

// differ reports whether a difference is large enough to explain a time.
func differ(a, b float64) bool {
	most := math.Max(math.Abs(a), math.Abs(b))
	return most > 0 && math.Abs(a-b) > 0.03*most
}

var quantities = []quantity{
	{"launches", "", func(s sums) float64 { return s.launches }, 1, "", "fuse-launches"},
	{"spills", " B a thread", func(s sums) float64 { return s.spills }, 1, "", "spills"},
	{"registers a thread", "", func(s sums) float64 { return s.registers }, 0, "", ""},
	{"shared memory a block", " bytes", func(s sums) float64 { return s.shared }, 0, "", ""},
	{"occupancy", " %", func(s sums) float64 { return 100 * s.occupancy }, -1, "", "occupancy"},
	{"waves", "", func(s sums) float64 { return s.waves }, 0, "", "larger-grid"},
	{"instructions of warps", "", func(s sums) float64 { return s.instructions }, 1, issued, ""},
	{"lanes of an instruction", "", func(s sums) float64 { return s.lanes }, -1, "", "divergence"},
	{"bytes from and to memory", "", func(s sums) float64 { return s.memory }, 1, memoryUse, ""},
	{"use of sectors", " %", func(s sums) float64 { return 100 * s.use }, -1, "", "coalesce"},
	{"passes of shared memory an access", "", func(s sums) float64 { return s.passes }, 1, "", "bank-conflicts"},
	{"atomic operations", "", func(s sums) float64 { return s.atomics }, 1, atomicUse, ""},
	{"barriers of a warp", "", func(s sums) float64 { return s.barriers }, 1, "", "fewer-barriers"},
	{"code", " bytes", func(s sums) float64 { return s.code }, 1, "", "smaller-code"},
}

type sums struct {
	launches, spills, registers, shared, occupancy, waves, instructions, lanes, memory, l2, use, passes, atomics, barriers, code float64
	mix                                                                                                                          map[string]float64
}

// sumOf adds up a run's kernels. A quantity that is no count is that of the kernel that takes longest.
func sumOf(w Why) sums {
	s, longest := sums{mix: map[string]float64{}}, -1.0
	for _, k := range w.Kernels {
		n := float64(k.Launches)
		s.launches += n
		s.memory += n * k.MemoryBytes
		s.l2 += n * k.L2Sectors
		s.atomics += n * k.Atomics
		for class, x := range k.Mix {
			s.mix[class] += n * x
			s.instructions += n * x
		}
		if n*k.Model > longest {
			longest = n * k.Model
			s.spills, s.registers, s.shared, s.occupancy, s.waves = float64(k.SpillBytes), float64(k.Registers), float64(k.SharedBytes), k.Occupancy, k.Waves
			s.lanes, s.use, s.passes, s.barriers, s.code = k.Lanes, k.SectorUse, k.SharedPasses, k.Barriers, float64(k.CodeBytes)
		}
	}
	return s
}
