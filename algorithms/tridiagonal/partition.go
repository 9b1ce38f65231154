package tridiagonal

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed partition.cu
var partitionText string

// Sub-system sizes of the literature lie between these.
const (
	minPartRows = 4
	maxPartRows = 1250
	maxSteps    = 4 // recursive steps
)

// partRows are the sub-system sizes that a search may try: the literature's
// and powers of two between them.
var partRows = []int64{4, 5, 8, 10, 16, 20, 32, 35, 40, 64, 80, 100, 125, 128, 160, 200, 250, 256, 500, 512, 625, 1000, 1024, 1250}

// splitting is how the tunables divide a system.
type splitting struct {
	double    bool
	sizes     []int // rows of a sub-system, by level: m, m1, …
	equations int   // P
	threads   int   // L
	streams   int
	device    bool // the last interface is solved on the device
}

// level is one system of the recursion: the problem itself or the interface
// system of the level before.
type level struct {
	n, parts int
	kernel   partKernel
}

// partKernel is the shape of partition.cu's kernels.
type partKernel struct {
	double          bool
	rows            int // of a sub-system; 0: the whole system
	equations, team int
	threads         int
}

func nextPower(n int) int { return 1 << bits.Len(uint(max(1, n)-1)) }

// newPartKernel takes as many threads as rows need at so many equations each.
func newPartKernel(double bool, rows, equations, threads int) partKernel {
	for equations > 2 && equations/2 >= rows {
		equations /= 2
	}
	team := nextPower((rows + equations - 1) / equations)
	return partKernel{double, rows, equations, team, max(threads, team, 32)}
}

func (k partKernel) realBytes() int {
	if k.double {
		return 8
	}
	return 4
}

// sharedBytes is two boards with a pair per warp where a team spans warps.
func (k partKernel) sharedBytes() int {
	if k.team <= 32 {
		return 0
	}
	return 12 * k.threads / 32 * k.realBytes()
}

func (k partKernel) registers() int { return (3*k.equations+16)*k.realBytes()/4 + 24 }

func (k partKernel) source(whole bool) gpu.Source {
	real := "float"
	if k.double {
		real = "double"
	}
	s := gpu.Source{
		Name: "partition.cu",
		Text: partitionText,
		Defines: map[string]string{
			"REAL": real, "EQUATIONS": strconv.Itoa(k.equations), "TEAM": strconv.Itoa(k.team), "THREADS": strconv.Itoa(k.threads),
			"RADIX": "2", "SHUFFLE": "1", "PART_ROWS": strconv.Itoa(k.rows),
		},
		Headers: map[string]string{"equations.cuh": equationsText, "rows.cuh": rowsText, "blocks.cuh": blocksText, "divide.cuh": divideText},
		Kernels: []string{"whole"},
		Options: []string{"--std=c++14"},
	}
	if !whole {
		s.Kernels = []string{"reduce", "substitute_parts"}
	}
	return s
}

// Rows that one block solves whole.
func wholeRows(double bool) int {
	if double {
		return 2048
	}
	return 4096
}

func wholeKernel(double bool, n int) partKernel {
	k := newPartKernel(double, n, wholeRows(double)/512, 32)
	k.rows, k.threads = 0, max(32, k.team)
	return k
}

// levels divides n rows until the last interface has the size that the host
// or one block solves: the sizes given first, then on the device further ones
// like the last.
func (s splitting) levels(n int) []level {
	var list []level
	size := 0
	for i := 0; i < len(s.sizes) || s.device && n > wholeRows(s.double); i++ {
		if i < len(s.sizes) {
			size = s.sizes[i]
		} else {
			size = max(size, 64) // small sub-systems hardly shrink the system
		}
		parts := (n + size - 1) / size
		list = append(list, level{n, parts, newPartKernel(s.double, size, s.equations, s.threads)})
		n = 2 * parts
	}
	return list
}

// interfaceOf returns the size of the interface system of n rows in sub-systems of size rows.
func interfaceOf(n, size int) int { return 2 * ((n + size - 1) / size) }

// interfaceRows returns the size of the system that is left after the levels.
func interfaceRows(levels []level) int { return 2 * levels[len(levels)-1].parts }

func splittingOf(params, v framework.Values) (splitting, error) {
	s := splitting{
		double: params.Text("precision") == "f64", equations: int(v.Int("P")), threads: int(v.Int("L")),
		streams: int(v.Int("STREAMS")), device: v.Int("STAGE2") != 0,
	}
	steps := int(v.Int("R"))
	names := []string{"m", "m1", "m2", "m3", "m4"}
	if steps < 0 || steps > maxSteps {
		return s, fmt.Errorf("R = %d: want 0 to %d", steps, maxSteps)
	}
	for _, name := range names[:steps+1] {
		m := int(v.Int(name))
		if m < minPartRows || m > maxPartRows {
			return s, fmt.Errorf("%s = %d: want %d to %d", name, m, minPartRows, maxPartRows)
		}
		s.sizes = append(s.sizes, m)
	}
	for _, name := range names[steps+1:] { // which R does without
		if m := v.Int(name); m < 0 {
			return s, fmt.Errorf("%s = %d: want 0 or more", name, m)
		}
	}
	switch {
	case !framework.IsPowerOfTwo(s.equations) || s.equations < 2 || s.equations > 16:
		return s, fmt.Errorf("P = %d is not 2, 4, 8 or 16", s.equations)
	case !framework.IsPowerOfTwo(s.threads) || s.threads < 32:
		return s, fmt.Errorf("L = %d is not a power of two from 32 on", s.threads)
	case s.streams < 1 || s.streams > 32:
		return s, fmt.Errorf("STREAMS = %d: want 1 to 32", s.streams)
	case v.Int("STAGE2") < 0 || v.Int("STAGE2") > 1:
		return s, fmt.Errorf("STAGE2 = %d: want 0 or 1", v.Int("STAGE2"))
	}
	return s, nil
}

func partitionValid(params, v framework.Values, facts gpu.Facts) error {
	s, err := splittingOf(params, v)
	if err != nil {
		return err
	}
	levels := s.levels(int(params.Int("N")))
	kernels := []partKernel{}
	for _, l := range levels {
		kernels = append(kernels, l.kernel)
	}
	if s.device {
		kernels = append(kernels, wholeKernel(s.double, interfaceRows(levels)))
	}
	for _, k := range kernels {
		switch {
		case k.threads > facts.MaxThreadsBlock:
			return fmt.Errorf("%s of P = %s per thread take %s, the device allows %d per block",
				terminal.Count(k.rows, "row"), terminal.Count(k.equations, "equation"), terminal.Count(k.threads, "thread"), facts.MaxThreadsBlock)
		case facts.RegistersBlock > 0 && k.threads*k.registers() > facts.RegistersBlock:
			return fmt.Errorf("%s of P = %d need about %d registers, the device has %d per block",
				terminal.Count(k.threads, "thread"), k.equations, k.threads*k.registers(), facts.RegistersBlock)
		}
	}
	return nil
}

// partitionDefaults are the literature's heuristics (Veneva, ML-Based Optimum
// Sub-system Size for the GPU Implementation of the Tridiagonal Partition
// Method, tables 1 and 2: corrected sizes, streams, and recursive steps)
// where memory is shared with the CPU, and measured ones
// (algorithms/tridiagonal/README.md) elsewhere.
func partitionDefaults(params framework.Values, facts gpu.Facts, recursive bool) framework.Values {
	n, double := int(params.Int("N")), params.Text("precision") == "f64"
	s := splitting{double: double, equations: 4, threads: 128, streams: 1, device: true}
	if facts.Embedded() {
		s.threads, s.device, s.streams = 256, false, literatureStreams(n)
		s.sizes = []int{literatureRows(n)}
		if recursive {
			for steps := literatureSteps(n); len(s.sizes) <= steps; {
				size, rest := 10, n
				for _, m := range s.sizes {
					rest = interfaceOf(rest, m)
				}
				if len(s.sizes) > 1 || steps == 1 {
					size = literatureRows(rest)
				}
				s.sizes = append(s.sizes, size)
			}
		}
		return s.tunables(recursive)
	}
	size := 256
	s.equations, s.threads = 8, 64
	if n < 4_000_000 { // more, smaller sub-systems keep more threads busy
		size, s.equations = 64, 4
	}
	s.sizes = []int{size}
	if recursive {
		for rest := interfaceOf(n, size); rest > wholeRows(double) && len(s.sizes) <= maxSteps; rest = interfaceOf(rest, size) {
			s.sizes = append(s.sizes, size)
		}
	}
	return s.tunables(recursive)
}

func (s splitting) tunables(recursive bool) framework.Values {
	v := framework.Values{
		"m": framework.IntValue(int64(s.sizes[0])), "P": framework.IntValue(int64(s.equations)), "L": framework.IntValue(int64(s.threads)),
		"STREAMS": framework.IntValue(int64(s.streams)), "STAGE2": framework.IntValue(0),
	}
	if s.device {
		v["STAGE2"] = framework.IntValue(1)
	}
	if recursive {
		v["R"] = framework.IntValue(int64(len(s.sizes) - 1))
		for i := 1; i <= maxSteps; i++ {
			size := 10 // without effect beyond R
			if i < len(s.sizes) {
				size = s.sizes[i]
			}
			v["m"+strconv.Itoa(i)] = framework.IntValue(int64(size))
		}
	}
	return v
}

// literatureRows returns the corrected optimum sub-system size.
func literatureRows(n int) int {
	switch {
	case n <= 4500:
		return 4
	case n <= 25_000:
		return 8
	case n <= 50_000:
		return 16
	case n <= 75_000:
		return 20
	case n <= 10_000_000:
		return 32
	}
	return 64
}

func literatureStreams(n int) int {
	for _, x := range []struct{ n, streams int }{{100_000, 1}, {200_000, 2}, {400_000, 4}, {1_000_000, 8}, {2_000_000, 16}} {
		if n <= x.n {
			return x.streams
		}
	}
	return 32
}

// literatureSteps is the optimum number of recursive steps; the table's
// intervals leave gaps, which go to the lower number.
func literatureSteps(n int) int {
	switch {
	case n < 2_300_000:
		return 0
	case n < 5_000_000:
		return 1
	case n < 10_000_000:
		return 2
	}
	return 3
}

func partitionVersion(recursive bool) framework.Version {
	name, doc, steps := "partition", "the partition method in three stages: interface equations, interface system, back substitution", []framework.Tunable(nil)
	if recursive {
		name, doc = "recursive", "the partition method, its interface systems partitioned in turn"
		steps = []framework.Tunable{{Name: "R", Doc: "recursive steps; on the device more follow until a block holds the rest", Values: []int64{0, 1, 2, 3, 4}}}
		for i := 1; i <= maxSteps; i++ {
			steps = append(steps, framework.Tunable{Name: "m" + strconv.Itoa(i), Doc: fmt.Sprintf("rows of a sub-system of interface system %d", i), Values: partRows})
		}
	}
	return framework.Version{
		Name: name,
		Doc:  doc,
		Source: "Austin, Berndt and Moulton, A Memory Efficient Parallel Tridiagonal Solver (2004); Veneva, ML-Based Optimum Sub-system Size " +
			"for the GPU Implementation of the Tridiagonal Partition Method",
		Processor: framework.GPU,
		Tunables: append([]framework.Tunable{
			{Name: "m", Doc: "rows of a sub-system", Values: partRows},
			{Name: "P", Doc: "equations per thread", Values: framework.PowersOfTwo(2, 16)},
			{Name: "L", Doc: "threads per block", Values: framework.PowersOfTwo(32, 512)},
			{Name: "STREAMS", Doc: "streams that copy and compute meanwhile; the device's stage 2 takes one", Values: framework.PowersOfTwo(1, 32)},
			{Name: "STAGE2", Doc: "the interface system is solved on 0: the host, 1: the device", Values: []int64{0, 1}},
		}, steps...),
		Defaults: func(params framework.Values, facts gpu.Facts) framework.Values {
			return partitionDefaults(params, facts, recursive)
		},
		Valid: partitionValid,
		Supports: func(params framework.Values, _ gpu.Facts) error {
			if b := systems(params); b > 1 {
				return fmt.Errorf("%s solves one system: batch = 1 is needed, not %d", name, b)
			}
			return nil
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			s, err := splittingOf(params, v)
			if err != nil {
				return 0
			}
			total := 5 * params.Int("N")
			for _, l := range s.levels(int(params.Int("N"))) {
				total += 5 * 2 * int64(l.parts)
			}
			return total * realBytes(params)
		},
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*partition, error) {
			s, err := splittingOf(framework.Values{"precision": framework.TextValue(map[bool]string{true: "f64", false: "f32"}[p.Double])}, v)
			if err != nil {
				return nil, err
			}
			return &partition{gpuRun: newGPURun(env, p), splitting: s, levels: s.levels(p.N)}, nil
		}),
	}
}
