package tridiagonal

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"

	"bench/cuda"
	"bench/framework"
)

//go:embed thomas.cu
var thomasText string

func thomasVersion() framework.Version {
	return framework.Version{
		Name:      "thomas",
		Doc:       "elimination and back substitution of interleaved systems, a system shared by threads that hold its rows in registers",
		Source:    "Thomas, Elliptic Problems in Linear Difference Equations over a Network (1949)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "P", Doc: "equations per thread; 0: a whole system, with scratch memory", Values: append([]int64{0}, framework.PowersOfTwo(4, 32)...)},
			{Name: "G", Doc: "systems per block, side by side", Values: framework.PowersOfTwo(2, 256)},
		},
		Defaults: thomasDefaults,
		Valid:    thomasValid,
		Supports: func(params framework.Values, _ cuda.Facts) error {
			if params.Text("layout") != interleaved {
				return fmt.Errorf("thomas reads the same row of neighbouring systems together: layout %s is needed", interleaved)
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			arrays := int64(5)
			if v.Int("P") == 0 {
				arrays = 6
			}
			return arrays * rows(params) * realBytes(params)
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*interleavedThomas, error) {
			return &interleavedThomas{gpuRun: newGPURun(env, p), equations: int(v.Int("P")), columns: int(v.Int("G"))}, nil
		}),
	}
}

// thomasTeam is how many threads share a system of n rows.
func thomasTeam(n, equations int) int {
	if equations == 0 {
		return 1
	}
	return (n + equations - 1) / equations
}

// thomasRegisters estimates what a thread needs: its equations, which are all
// read before the first is used, and addresses.
func thomasRegisters(equations int, elementBytes int64) int {
	if equations == 0 {
		equations = 16 // two chunks of 8 rows
	}
	return 4*equations*int(elementBytes/4) + 32
}

// thomasDefaults keep a system's rows in registers, as few per thread as the
// block's threads allow, with enough systems side by side for whole lines of
// memory; sectors of 32 bytes move at half the speed. Scratch memory is for what
// does not fit.
func thomasDefaults(params framework.Values, facts cuda.Facts) framework.Values {
	n, element := int(params.Int("N")), realBytes(params)
	registers := facts.RegistersBlock
	if registers == 0 {
		registers = 64 << 10
	}
	if element == 8 && !facts.Embedded() {
		return thomasDouble(n, registers)
	}
	best := thomasTunables(0, 64)
	widest := int64(16) // bytes side by side
	for _, p := range []int{4, 8, 16} {
		if p == 4 && element == 4 || p == 16 && element == 8 {
			continue
		}
		g := thomasColumns(n, p, registers, element)
		if bytes := int64(g) * element; bytes > widest {
			widest, best = bytes, thomasTunables(p, g)
		}
	}
	return best
}

// thomasDouble are the defaults in float64 (docs/tridiagonal.md): half a line
// beside a second block is better than a whole one without, and scratch memory
// is better than a quarter.
func thomasDouble(n, registers int) framework.Values {
	const element, line = 8, 128
	for _, blocks := range []int{2, 1} {
		best, widest := framework.Values(nil), line/4
		for _, p := range []int{4, 8, 16} {
			g := thomasColumns(n, p, registers/blocks, element)
			if bytes := min(g*element, line); bytes > widest || bytes == widest && line/4 < bytes && bytes < line {
				widest, best = bytes, thomasTunables(p, g)
			}
		}
		if best != nil {
			return best
		}
	}
	return thomasTunables(0, 64)
}

func thomasTunables(p, g int) framework.Values { return framework.IntValues("P", p, "G", g) }

// thomasColumns is how many systems, of p rows per thread, a block of so many
// registers has side by side: at most a line, or 128 threads; 0 if it has too
// few registers for one.
func thomasColumns(n, p, registers int, element int64) int {
	team := thomasTeam(n, p)
	most := min(1024, registers/thomasRegisters(p, element)) / team
	if most == 0 {
		return 0
	}
	g := min(1<<(bits.Len(uint(most))-1), int(128/element))
	for g*team < 128 {
		g *= 2
	}
	return g
}

func thomasValid(params, v framework.Values, facts cuda.Facts) error {
	p, g, element := int(v.Int("P")), int(v.Int("G")), realBytes(params)
	switch {
	case p != 0 && (!framework.IsPowerOfTwo(p) || p < 4 || p > 32):
		return fmt.Errorf("P = %d is not 0, 4, 8, 16 or 32", p)
	case !framework.IsPowerOfTwo(g):
		return fmt.Errorf("G = %d is no power of two", g)
	}
	threads := g * thomasTeam(int(params.Int("N")), p)
	if threads > facts.MaxThreadsBlock {
		return fmt.Errorf("G = %d systems of N/P = %d threads are %d threads per block, the device allows %d",
			g, threads/g, threads, facts.MaxThreadsBlock)
	}
	if r := thomasRegisters(p, element); r > 255 || facts.RegistersBlock > 0 && threads*r > facts.RegistersBlock {
		return fmt.Errorf("P = %d and G = %d need about %d registers in %d threads, the device has 255 per thread and %d per block",
			p, g, r, threads, facts.RegistersBlock)
	}
	if b := thomasShared(p, threads, element); b > facts.SharedOptIn {
		return fmt.Errorf("P = %d and G = %d need %d bytes of shared memory per block, the device allows %d", p, g, b, facts.SharedOptIn)
	}
	return nil
}

// thomasShared is two boards of three values per thread.
func thomasShared(equations, threads int, elementBytes int64) int {
	if equations == 0 {
		return 0
	}
	return 6 * threads * int(elementBytes)
}

// interleavedThomas is version "thomas" at one point.
type interleavedThomas struct {
	gpuRun
	equations, columns int
	scratch            cuda.Pointer
	kernel             cuda.Kernel
}

func (s *interleavedThomas) source() cuda.Source {
	real := "float"
	if s.p.Double {
		real = "double"
	}
	return cuda.Source{
		Name: "thomas.cu",
		Text: thomasText,
		Defines: map[string]string{"REAL": real, "EQUATIONS": strconv.Itoa(s.equations), "COLUMNS": strconv.Itoa(s.columns),
			"TEAM": strconv.Itoa(s.team()), "THREADS": strconv.Itoa(s.columns * s.team())},
		Headers: map[string]string{"equations.cuh": equationsText},
		Kernels: []string{"thomas"},
		Options: []string{"--std=c++14"},
	}
}

func (s *interleavedThomas) team() int { return thomasTeam(s.p.N, s.equations) }

func (s *interleavedThomas) PreRun() (err error) {
	if err := s.open(); err != nil {
		return err
	}
	if s.equations == 0 {
		if s.scratch, err = s.Alloc(s.p.bytes()); err != nil {
			return err
		}
	}
	s.kernel, err = s.Kernel(s.source())
	return err
}

func (s *interleavedThomas) Run() error {
	threads := s.columns * s.team()
	launch := cuda.Launch{
		Grid:        cuda.Dim3{X: (s.p.Batch + s.columns - 1) / s.columns},
		Block:       cuda.Dim3{X: threads},
		SharedBytes: thomasShared(s.equations, threads, s.p.realBytes()),
	}
	return s.kernel.Launch(s.Env.Stream, launch, s.data.a, s.data.b, s.data.c, s.data.d, s.data.x, s.scratch, int32(s.p.N), int64(s.p.Batch))
}

func (s *interleavedThomas) Verify() ([]framework.Check, error) {
	return s.verify(s.data.x, bits.Len(uint(s.team())))
}

func (s *interleavedThomas) VerifyFast() ([]framework.Check, error) {
	return s.verifyFast(s.data.x, bits.Len(uint(s.team())))
}

func (s *interleavedThomas) Work() framework.Work {
	w := s.p.Nominal()
	element := s.p.bytes()
	if s.equations == 0 {
		// A pivot, c, d and x; the CPU version also counts a division.
		w.FLOPs = (thomasFLOPs - 1 + shape{double: s.p.Double}.reciprocalFLOPs()) * int64(s.p.elements())
		w.LoadBytes, w.StoreBytes = 6*element, 3*element
		return w
	}
	like := shape{n: s.team() * s.equations, P: s.equations, shuffle: true, double: s.p.Double}
	reduction := like.combineFLOPs()*int64(bits.Len(uint(s.team()-1))) - 4 // the last step needs no a and c
	columns := (s.p.Batch + s.columns - 1) / s.columns * s.columns
	w.FLOPs = int64(columns) * int64(s.team()) * (like.separatorFLOPs() + reduction)
	w.LoadBytes, w.StoreBytes = 4*element, element
	return w
}
