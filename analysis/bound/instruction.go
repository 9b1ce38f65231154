package bound

import (
	"math"
	"strings"

	"example.org/bench/analysis/ptx"
	"example.org/bench/analysis/trace"
)

// The parts of a division or root with a change.
var (
	shifted       = []ptx.Part{{Class: ptx.Integer, Count: 2}}
	approximated  = []ptx.Part{{Class: ptx.FP32, Count: 1}, {Class: ptx.SFU, Count: 1}}
	approximate64 = []ptx.Part{{Class: ptx.FP64, Count: 1}, {Class: ptx.SFU, Count: 1}}
)

// parts returns about the instructions of a GPU into which the PTX instruction at that index of the code is
// compiled.
func (s *multiprocessor) parts(i *ptx.Instruction, at int32) []ptx.Part {
	switch {
	case s.divisors != nil && s.divisors[at]: // rsqrt has the quotient
		return nil
	case i.Parts == nil:
		s.one[0] = ptx.Part{Class: i.Class, Count: i.Cost}
		return s.one[:]
	case i.Class == ptx.Integer && s.ch&shifts != 0:
		return shifted
	case i.Class == ptx.FP32 && s.ch&approximate != 0:
		return approximated
	case i.Class == ptx.FP64 && s.ch&approximate != 0:
		return approximate64
	}
	return i.Parts
}

// divisors returns the roots of floats by which something is divided. With approximate instructions both are
// one rsqrt.
func divisors(l *trace.Launch) []bool {
	divides := make([]bool, l.Code.Registers())
	for n := range l.Code.Size() {
		if i := l.Code.Instruction(n); strings.HasPrefix(i.Text, "div.rn.f32") && len(i.Reads) > 0 {
			divides[i.Reads[len(i.Reads)-1]] = true
		}
	}
	roots := make([]bool, l.Code.Size())
	for n := range roots {
		i := l.Code.Instruction(n)
		roots[n] = strings.HasPrefix(i.Text, "sqrt.rn.f32") && len(i.Writes) > 0 && divides[i.Writes[0]]
	}
	return roots
}

// spread returns how many times as many sectors an access of all lanes touches if the lanes of a warp take
// one way. Each lane takes its work along, and the lanes come from as many warps as a warp has ways. The
// result is by numbers of lanes, each of which is a way.
func spread(l *trace.Launch) float64 {
	ways, warps := 0, 0
	for _, b := range l.Blocks {
		for _, w := range b.Warps {
			if len(w.Steps) == 0 {
				continue
			}
			var seen [ptx.WarpSize + 1]bool
			warps++
			for _, x := range w.Steps {
				if !seen[x.Lanes] && x.Lanes > 0 {
					seen[x.Lanes] = true
					ways++
				}
			}
		}
	}
	return max(1, float64(ways)/float64(max(1, warps)))
}

// apart returns the factor of spread for one access, each of whose lanes touches a sector at most.
func (s *multiprocessor) apart(x *trace.Step) float64 {
	if s.ch&together == 0 || x.Lanes < ptx.WarpSize || x.Sectors == 0 {
		return 1
	}
	return max(1, min(s.spread, ptx.WarpSize/float64(x.Sectors)))
}

// cost returns how many instructions the parts are. If all lanes of a warp take part, those of other ways are
// included.
func (s *multiprocessor) cost(parts []ptx.Part, x *trace.Step) float64 {
	c := 0.0
	for _, p := range parts {
		c += float64(p.Count)
	}
	return math.Max(c*s.shared(x), 1.0/ptx.WarpSize)
}

// latency returns the cycles from an instruction to its result. The parts of a division or root depend on
// each other, and those that decide between ways run beside them.
func (m *Machine) latency(class ptx.Class, parts []ptx.Part) (cycles float64) {
	if len(parts) == 1 {
		return m.Latency[class] + float64(parts[0].Count-1)/m.Issue*schedulers
	}
	for _, p := range parts {
		switch p.Class {
		case ptx.SFU:
			cycles += m.Latency[p.Class]
		case ptx.Control:
		default:
			cycles += float64(p.Count) * m.Latency[p.Class]
		}
	}
	return cycles
}

// shared returns the share of an instruction that belongs to this step, if warps take one way.
func (s *multiprocessor) shared(x *trace.Step) float64 {
	if s.ch&together != 0 && x.Lanes < ptx.WarpSize {
		return float64(x.Lanes) / ptx.WarpSize
	}
	if s.ofData != nil && s.ofData[x.At] {
		return s.widen
	}
	return 1
}

// ofData returns the instructions that compute with loaded data and not with addresses, and the loads from
// addresses in data, which do not lie beside others of the same thread.
func ofData(l *trace.Launch) []bool {
	k := l.Code
	data, loaded := make([]bool, k.Size()), make([]bool, k.Registers())
	for changed := true; changed; {
		changed = false
		for n := range data {
			i := k.Instruction(n)
			is := data[n]
			for _, r := range i.Reads {
				is = is || loaded[r]
			}
			if is && (i.Class != ptx.LoadStore || i.Load) {
				data[n] = true
			}
			if is || i.Load {
				for _, r := range i.Writes {
					changed = changed || !loaded[r]
					loaded[r] = true
				}
			}
		}
	}
	return data
}

// occupy puts parts into the units of scheduler k from t on, and returns when the last is done.
func (s *multiprocessor) occupy(parts []ptx.Part, x *trace.Step, k int, t float64) (done float64) {
	for _, p := range parts {
		rate := s.m.Rates[p.Class]
		if p.Class == ptx.FP64 && s.ch&single != 0 {
			rate = s.m.Rates[ptx.FP32]
		}
		unit := &s.unit[k][p.Class]
		*unit = max(*unit, t) + float64(p.Count)*s.shared(x)/rate*float64(len(s.scheduler))
		done = max(done, *unit)
	}
	return done
}
