package tridiagonal

import (
	_ "embed"
	"fmt"
	"math/bits"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cluster"
	"example.org/bench/internal/terminal"
)

//go:embed thomas.cu
var thomasText string

//go:embed teams.cu
var teamsText string

//go:embed sides.cuh
var sidesText string

func thomasVersion() framework.Version {
	return framework.Version{
		Name:      "thomas",
		Doc:       "elimination and back substitution of interleaved systems, a system shared by threads that hold its rows in registers",
		Source:    "Thomas, Elliptic Problems in Linear Difference Equations over a Network (1949)",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "P", Doc: "equations per thread; 0: a whole system, with scratch memory", Values: append([]int64{0}, framework.PowersOfTwo(4, 32)...)},
			{Name: "G", Doc: "systems per block, side by side", Values: framework.PowersOfTwo(2, 256)},
			{Name: "CLUSTER", Doc: "blocks of a cluster that share a system; 0: one block has it", Values: append([]int64{0}, framework.PowersOfTwo(2, cluster.Largest)...)},
			{Name: "BLOCKS", Doc: "least number of blocks per multiprocessor that must have registers; 0: the compiler's choice", Values: []int64{0, 2, 3, 4}},
			{Name: "AHEAD", Doc: "1: blocks stay, and read the rows of their next systems while they solve", Values: []int64{0, 1}},
		},
		Defaults: thomasDefaults,
		Valid:    thomasValid,
		Supports: func(params framework.Values, _ gpu.Facts) error {
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
			return newInterleavedThomas(newGPURun(env, p), v), nil
		}),
	}
}

// thomasTeam is how many threads of each of so many blocks share a system of
// n rows.
func thomasTeam(n, equations, blocks int) int {
	if equations == 0 {
		return 1
	}
	rows := equations * max(1, blocks)
	return (n + rows - 1) / rows
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
func thomasDefaults(params framework.Values, facts gpu.Facts) framework.Values {
	n, element := int(params.Int("N")), realBytes(params)
	registers := facts.RegistersBlock
	if registers == 0 {
		registers = 64 << 10
	}
	if cluster.Runs(facts) && !facts.Embedded() {
		if v := thomasClustered(n, element); v != nil {
			return v
		}
	}
	if element == 8 && !facts.Embedded() {
		return thomasDouble(n, registers)
	}
	best := thomasTunables(0, 64, 0, 0)
	widest := int64(16) // bytes side by side
	for _, p := range []int{4, 8, 16} {
		if p == 4 && element == 4 || p == 16 && element == 8 {
			continue
		}
		g := thomasColumns(n, p, registers, element)
		if bytes := int64(g) * element; bytes > widest {
			widest, best = bytes, thomasTunables(p, g, 0, 0)
		}
	}
	return best
}

// thomasClustered are the defaults of long systems where there are clusters
// (algorithms/tridiagonal/README.md): whole lines side by side, and as many blocks as hold
// the rows. More than 8 blocks are slower than half lines in float32, and than
// blocks of twice the threads in float64, whose next rows are read ahead. It is
// nil where one block is better, or 16 are too few.
func thomasClustered(n int, element int64) framework.Values {
	const p = 8
	rows := func(threads, g int) int { return p * threads / g } // of a block
	blocks := func(rows int) int { return 1 << bits.Len(uint((n-1)/rows)) }
	switch {
	case element == 4 && n > rows(512, 32) && n <= 8*rows(512, 32):
		return thomasTunables(p, 32, blocks(rows(512, 32)), 0)
	case element == 4 && n > 8*rows(512, 32) && n <= cluster.Largest*rows(512, 16):
		return thomasTunables(p, 16, blocks(rows(512, 16)), 0)
	case element == 8 && n > rows(256, 16) && n <= rows(512, 16):
		return thomasTunables(p, 16, 0, 1)
	case element == 8 && n > rows(512, 16) && n <= 8*rows(256, 16):
		return thomasTunables(p, 16, blocks(rows(256, 16)), 1)
	case element == 8 && n > 8*rows(256, 16) && n <= cluster.Largest*rows(512, 16):
		return thomasTunables(p, 16, blocks(rows(512, 16)), 1)
	}
	return nil
}

// thomasDouble are the defaults in float64 (algorithms/tridiagonal/README.md): half a line
// beside a second block is better than a whole one without, and scratch memory
// is better than a quarter.
func thomasDouble(n, registers int) framework.Values {
	const element, line = 8, 128
	for _, blocks := range []int{2, 1} {
		best, widest := framework.Values(nil), line/4
		for _, p := range []int{4, 8, 16} {
			g := thomasColumns(n, p, registers/blocks, element)
			if bytes := min(g*element, line); bytes > widest || bytes == widest && line/4 < bytes && bytes < line {
				widest, best = bytes, thomasTunables(p, g, 0, 0)
			}
		}
		if best != nil {
			return best
		}
	}
	return thomasTunables(0, 64, 0, 0)
}

func thomasTunables(p, g, blocks, ahead int) framework.Values {
	return framework.IntValues("P", p, "G", g, "CLUSTER", blocks, "BLOCKS", 0, "AHEAD", ahead)
}

// thomasColumns is how many systems, of p rows per thread, a block of so many
// registers has side by side: at most a line, or 128 threads; 0 if it has too
// few registers for one.
func thomasColumns(n, p, registers int, element int64) int {
	team := thomasTeam(n, p, 1)
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

func thomasValid(params, v framework.Values, facts gpu.Facts) error {
	p, g, blocks, element := int(v.Int("P")), int(v.Int("G")), int(v.Int("CLUSTER")), realBytes(params)
	switch {
	case p != 0 && (!framework.IsPowerOfTwo(p) || p < 4 || p > 32):
		return fmt.Errorf("P = %d is not 0, 4, 8, 16 or 32", p)
	case !framework.IsPowerOfTwo(g):
		return fmt.Errorf("G = %d is not a power of two", g)
	case blocks < 0 || blocks == 1 || blocks > cluster.Largest:
		return fmt.Errorf("CLUSTER = %d is not 0 or 2 to %d", blocks, cluster.Largest)
	case blocks > 0 && p == 0:
		return fmt.Errorf("CLUSTER = %s keep a system in registers: P = 0 does not", terminal.Count(blocks, "block"))
	case v.Int("BLOCKS") < 0 || v.Int("BLOCKS") > 32:
		return fmt.Errorf("BLOCKS = %d is not 0 to 32", v.Int("BLOCKS"))
	case v.Int("AHEAD") < 0 || v.Int("AHEAD") > 1:
		return fmt.Errorf("AHEAD = %d is not 0 or 1", v.Int("AHEAD"))
	case v.Int("AHEAD") != 0 && (p == 0 || facts.ComputeMajor < 8):
		return fmt.Errorf("AHEAD = %d copies rows to shared memory: it needs P > 0 and compute capability 8.0, the device has %d.%d",
			v.Int("AHEAD"), facts.ComputeMajor, facts.ComputeMinor)
	case blocks > 0 && !cluster.Runs(facts):
		return fmt.Errorf("CLUSTER = %d: the device has no clusters; they need compute capability 9.0", blocks)
	}
	threads := g * thomasTeam(int(params.Int("N")), p, blocks)
	if threads > facts.MaxThreadsBlock {
		return fmt.Errorf("G = %s of N/P = %s are %d threads per block, the device allows %d",
			terminal.Count(g, "system"), terminal.Count(threads/g, "thread"), threads, facts.MaxThreadsBlock)
	}
	if r := thomasRegisters(p, element); r > 255 || facts.RegistersBlock > 0 && threads*r > facts.RegistersBlock {
		return fmt.Errorf("P = %d and G = %d need about %d registers in %s, the device has 255 per thread and %d per block",
			p, g, r, terminal.Count(threads, "thread"), facts.RegistersBlock)
	}
	like := &interleavedThomas{gpuRun: gpuRun{p: &problem{N: int(params.Int("N")), Double: element == 8}}, thomasSetting: settingOf(v)}
	if b := like.sharedBytes(); b > facts.SharedOptIn {
		return fmt.Errorf("P = %d and G = %d need %d bytes of shared memory per block, the device allows %d", p, g, b, facts.SharedOptIn)
	}
	return nil
}

// thomasSetting are the tunables.
type thomasSetting struct {
	equations, columns int
	blocks             int // of a cluster; 0 without
	atOnce             int // per multiprocessor
	ahead              bool
}

func settingOf(v framework.Values) thomasSetting {
	return thomasSetting{equations: int(v.Int("P")), columns: int(v.Int("G")), blocks: int(v.Int("CLUSTER")), atOnce: int(v.Int("BLOCKS")),
		ahead: v.Int("AHEAD") != 0}
}

// interleavedThomas is version "thomas" at one point.
type interleavedThomas struct {
	gpuRun
	thomasSetting
	scratch gpu.Pointer
	kernel  gpu.Kernel
	shape   gpu.Launch
}

func newInterleavedThomas(run gpuRun, v framework.Values) *interleavedThomas {
	return &interleavedThomas{gpuRun: run, thomasSetting: settingOf(v)}
}

func (s *interleavedThomas) source() gpu.Source {
	real := "float"
	if s.p.Double {
		real = "double"
	}
	source := gpu.Source{
		Name:    "thomas.cu",
		Text:    thomasText,
		Defines: map[string]string{"REAL": real, "THREADS": strconv.Itoa(s.threads())},
		Headers: map[string]string{"equations.cuh": equationsText},
		Kernels: []string{"thomas"},
		Options: []string{"--std=c++14"},
	}
	if s.equations == 0 {
		return source
	}
	source.Name, source.Text = "teams.cu", teamsText
	source.Headers["sides.cuh"], source.Headers["cluster.cuh"] = sidesText, cluster.Header
	ahead := 0
	if s.ahead {
		ahead = 1
	}
	for name, value := range map[string]int{"EQUATIONS": s.equations, "COLUMNS": s.columns, "TEAM": s.team(), "CLUSTER": max(1, s.blocks),
		"BLOCKS": s.atOnce, "AHEAD": ahead} {
		source.Defines[name] = strconv.Itoa(value)
	}
	return source
}

func (s *interleavedThomas) team() int { return thomasTeam(s.p.N, s.equations, s.blocks) }

func (s *interleavedThomas) threads() int { return s.columns * s.team() }

// sharedBytes are two boards of three values per thread; in a cluster the
// pairs of all blocks with the two unknowns around this one, twice where blocks
// stay; and the next systems' rows.
func (s *interleavedThomas) sharedBytes() int {
	if s.equations == 0 {
		return 0
	}
	values, boards := 6*s.threads(), 1
	if s.ahead {
		values += 4 * s.equations * s.threads()
		boards = 2
	}
	if s.blocks > 0 {
		values += boards * (6*s.blocks + 2) * s.columns
	}
	return values * int(s.p.realBytes())
}

func (s *interleavedThomas) PreRun() (err error) {
	if err := s.open(); err != nil {
		return err
	}
	s.transfer(s.data)
	if s.equations == 0 {
		if s.scratch, err = s.Alloc(s.p.bytes()); err != nil {
			return err
		}
	}
	if s.kernel, err = s.Kernel(s.source()); err != nil {
		return err
	}
	s.shape, err = s.launch()
	return err
}

// launch is a block or a cluster for each group of systems, or as many as the
// device holds where they stay.
func (s *interleavedThomas) launch() (gpu.Launch, error) {
	groups := (s.p.Batch + s.columns - 1) / s.columns
	shape := gpu.Launch{Block: gpu.Dim3{X: s.threads()}, SharedBytes: s.sharedBytes()}
	if s.blocks > 0 {
		shape.Cluster = gpu.Dim3{X: s.blocks}
	}
	if s.ahead {
		atOnce, err := s.groupsAtOnce(shape)
		if err != nil {
			return shape, err
		}
		if atOnce < 1 {
			return shape, fmt.Errorf("the device holds no cluster of %s with %s and %d bytes of shared memory each",
				terminal.Count(s.blocks, "block"), terminal.Count(s.threads(), "thread"), shape.SharedBytes)
		}
		groups = min(groups, atOnce)
	}
	shape.Grid = gpu.Dim3{X: groups * max(1, s.blocks)}
	return shape, nil
}

func (s *interleavedThomas) groupsAtOnce(shape gpu.Launch) (int, error) {
	if s.blocks > 0 {
		return s.kernel.ActiveClusters(shape)
	}
	n, err := s.kernel.ActiveBlocks(s.threads(), shape.SharedBytes)
	return n * s.Device.Facts().Multiprocessors, err
}

func (s *interleavedThomas) Run() error {
	if s.equations == 0 {
		return s.kernel.Launch(s.Env.Stream, s.shape, s.data.a, s.data.b, s.data.c, s.data.d, s.data.x, s.scratch, int32(s.p.N), int64(s.p.Batch))
	}
	return s.kernel.Launch(s.Env.Stream, s.shape, s.data.a, s.data.b, s.data.c, s.data.d, s.data.x, int32(s.p.N), int64(s.p.Batch))
}

func (s *interleavedThomas) Verify() ([]framework.Check, error) {
	return s.verify(s.data.x, s.levels())
}

func (s *interleavedThomas) VerifyFast() ([]framework.Check, error) {
	return s.verifyFast(s.data.x, s.levels())
}

// levels are the rounds of elimination of what the round before left: a
// thread's rows, each step of the reduction, and the blocks' pairs.
func (s *interleavedThomas) levels() int {
	levels := bits.Len(uint(s.team()))
	if s.blocks > 0 {
		levels++
	}
	return levels
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
	if s.blocks > 0 {
		reduction += 4 + 4 // it does, and the unknowns around the block come in
	}
	w.FLOPs = int64(columns) * int64(s.team()) * (like.separatorFLOPs() + reduction)
	if s.blocks > 0 {
		blocks, r := int64(s.blocks), like.reciprocalFLOPs()
		w.FLOPs = blocks * (w.FLOPs + int64(columns)*(seamFLOPs+(blocks-1)*(11+r)+18+2*r)) // Sides
		w.ClusterBytes = blocks * blocks * 6 * int64(columns) * s.p.realBytes()
	}
	w.LoadBytes, w.StoreBytes = 4*element, element
	return w
}
