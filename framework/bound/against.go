package bound

import (
	"fmt"
	"math"
)

// Differences say in what two points differ that bears on their time: what changed from
// the second to the first.
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
	for _, x := range []struct {
		name string
		a, b float64
		unit string
	}{
		{"launches", a.launches, b.launches, ""},
		{"spilled bytes a thread", a.spills, b.spills, ""},
		{"registers a thread", a.registers, b.registers, ""},
		{"shared memory a block", a.shared, b.shared, " bytes"},
		{"occupancy", 100 * a.occupancy, 100 * b.occupancy, " %"},
		{"waves", a.waves, b.waves, ""},
		{"instructions of warps", a.instructions, b.instructions, ""},
		{"lanes of an instruction", a.lanes, b.lanes, ""},
		{"bytes from and to memory", a.memory, b.memory, ""},
		{"use of sectors", 100 * a.use, 100 * b.use, " %"},
		{"passes of shared memory an access", a.passes, b.passes, ""},
		{"atomic operations", a.atomics, b.atomics, ""},
		{"code", a.code, b.code, " bytes"},
	} {
		// What differs by less does not explain a time.
		if most := math.Max(math.Abs(x.a), math.Abs(x.b)); most > 0 && math.Abs(x.a-x.b) > 0.03*most {
			say("%s %.4g → %.4g%s", x.name, x.a, x.b, x.unit)
		}
	}
	for class := range b.mix {
		a.mix[class] += 0
	}
	for _, class := range ordered(a.mix) {
		if x, y := a.mix[class], b.mix[class]; math.Abs(x-y) > 0.05*math.Max(a.instructions, b.instructions) {
			say("%s instructions %.4g → %.4g", class, x, y)
		}
	}
	return list
}

type sums struct {
	launches, spills, registers, shared, occupancy, waves, instructions, lanes, memory, use, passes, atomics, code float64
	mix                                                                                                            map[string]float64
}

// sumOf adds up a run's kernels; what is no count is that of the one that takes longest.
func sumOf(w Why) sums {
	s, longest := sums{mix: map[string]float64{}}, -1.0
	for _, k := range w.Kernels {
		n := float64(k.Launches)
		s.launches += n
		s.memory += n * k.MemoryBytes
		s.atomics += n * k.Atomics
		for class, x := range k.Mix {
			s.mix[class] += n * x
			s.instructions += n * x
		}
		if n*k.Model > longest {
			longest = n * k.Model
			s.spills, s.registers, s.shared, s.occupancy, s.waves = float64(k.SpillBytes), float64(k.Registers), float64(k.SharedBytes), k.Occupancy, k.Waves
			s.lanes, s.use, s.passes, s.code = k.Lanes, k.SectorUse, k.SharedPasses, float64(k.CodeBytes)
		}
	}
	return s
}
