package tridiagonal

import (
	_ "embed"
	"errors"
	"fmt"
	"math/bits"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

var (
	//go:embed equations.cuh
	equationsText string
	//go:embed rows.cuh
	rowsText string
	//go:embed separators.cuh
	separatorsText string
	//go:embed blocks.cuh
	blocksText string
	//go:embed divide.cuh
	divideText string
	//go:embed cr.cu
	crText string
	//go:embed pcr.cu
	pcrText string
	//go:embed lf.cu
	lfText string
	//go:embed wm.cu
	wmText string
	//go:embed methods.cl
	methodsCL string
)

// method is one algorithm for systems that a block solves whole.
type method struct {
	name, doc, source, text string
	// blocks: threads exchange blocks of rows (blocks.cuh), not separators.
	blocks bool
	radix  bool // has the tunable r
	// flops is what a thread does between reading and writing its rows.
	flops func(shape) int64
}

var methods = []method{
	{name: "cr", doc: "cyclic reduction", text: crText, flops: crFLOPs,
		source: "Hockney, A Fast Direct Solution of Poisson's Equation Using Fourier Analysis (1965)"},
	{name: "pcr", doc: "parallel cyclic reduction", text: pcrText, flops: pcrFLOPs,
		source: "Hockney and Jesshope, Parallel Computers (1981)"},
	{name: "lf", doc: "Ladner-Fischer prefix sums over pairs of equations", text: lfText, flops: lfFLOPs, blocks: true,
		source: "Ladner and Fischer, Parallel Prefix Computation (1980)"},
	{name: "wm", doc: "divide and conquer in steps of radix r", text: wmText, flops: wmFLOPs, blocks: true, radix: true,
		source: "Wang and Mou, A Divide-and-Conquer Method of Solving Tridiagonal Systems on Hypercube Massively Parallel Computers (1991)"},
}

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	var list []framework.Version
	for _, m := range methods {
		list = append(list, m.version())
	}
	list = append(list, thomasVersion(), partitionVersion(false), partitionVersion(true))
	for _, p := range peers {
		list = append(list, p.version())
	}
	return list
}

// Lengths that a block's threads can share.
const (
	minBatchedN = 16
	maxBatchedN = 1 << 14
)

func (m method) version() framework.Version {
	tunables := []framework.Tunable{
		{Name: "S", Doc: "equations in shared memory per block; with SHUFFLE none, or L/8 where a system takes several warps", Values: append([]int64{0}, framework.PowersOfTwo(8, maxBatchedN)...)},
		{Name: "P", Doc: "equations per thread", Values: framework.PowersOfTwo(2, 32)},
		{Name: "L", Doc: "threads per block", Values: framework.PowersOfTwo(32, 1024)},
	}
	if m.radix {
		tunables = append(tunables, framework.Tunable{Name: "r", Doc: "blocks that merge in a step; the last step is smaller where r does not divide", Values: framework.PowersOfTwo(2, 8)})
	}
	tunables = append(tunables, framework.Tunable{Name: "SHUFFLE", Doc: "1: exchange by warp shuffles; 0: through shared memory", Values: []int64{0, 1}})
	return framework.Version{
		Name:        m.name,
		Doc:         m.doc + ", a block solves whole systems",
		Source:      m.source,
		Processor:   framework.GPU,
		Portable:    true,
		Tunables:    tunables,
		Defaults:    m.defaults,
		Valid:       m.valid,
		Supports:    m.supports,
		DeviceBytes: func(params, _ framework.Values) int64 { return 5 * rows(params) * realBytes(params) },
		New: framework.Typed(func(env framework.Env, p *problem, v framework.Values) (*batched, error) {
			s, err := m.shape(p.N, p.Double, v)
			s.opencl = env.Device.Facts().OpenCL != nil
			return &batched{gpuRun: newGPURun(env, p), shape: s}, err
		}),
	}
}

func (m method) supports(params framework.Values, facts gpu.Facts) error {
	n := params.Int("N")
	switch {
	case params.Text("layout") == interleaved && systems(params) > 1:
		return fmt.Errorf("%s reads a system's rows together: layout %s is needed", m.name, contiguous)
	case !framework.IsPowerOfTwo(int(n)) || n < minBatchedN || n > maxBatchedN:
		return fmt.Errorf("N = %d: want a power of two from %d to %d, because a system must fit in a block", n, minBatchedN, maxBatchedN)
	case systems(params) > 1<<31-1:
		return fmt.Errorf("batch = %d: at most %d", systems(params), 1<<31-1)
	}
	if params.Text("precision") == "f64" && !facts.Doubles() {
		return errors.New("precision f64: the device has none (cl_khr_fp64)")
	}
	if facts.SharedOptIn == 0 {
		return nil // the device is unknown
	}
	if err := m.valid(params, m.defaults(params, facts), facts); err != nil {
		return fmt.Errorf("no room on this device: %w", err)
	}
	return nil
}

// shape is a method's kernel: tunables with what follows from them.
type shape struct {
	method  method
	n       int
	double  bool
	P, L    int
	radix   int
	shuffle bool
	opencl  bool // the kernel is that of methods.cl
}

func (m method) shape(n int, double bool, v framework.Values) (shape, error) {
	s := shape{method: m, n: n, double: double, P: int(v.Int("P")), L: int(v.Int("L")), radix: int(v.Int("r")), shuffle: v.Int("SHUFFLE") != 0}
	switch {
	case !framework.IsPowerOfTwo(s.P) || s.P < 2 || s.P > 32:
		return s, fmt.Errorf("P = %d is not 2, 4, 8, 16 or 32", s.P)
	case !framework.IsPowerOfTwo(s.L):
		return s, fmt.Errorf("L = %d is not a power of two", s.L)
	case v.Int("SHUFFLE") < 0 || v.Int("SHUFFLE") > 1:
		return s, fmt.Errorf("SHUFFLE = %d: want 0 or 1", v.Int("SHUFFLE"))
	case m.radix && s.radix != 2 && s.radix != 4 && s.radix != 8:
		return s, fmt.Errorf("r = %d is not 2, 4 or 8", s.radix)
	case n < 2*s.P:
		return s, fmt.Errorf("P = %d leaves a system of N = %d fewer than two threads; at most %d", s.P, n, n/2)
	case s.L < s.threads():
		return s, fmt.Errorf("L = %s of P = %s hold less than a system of N = %d; want at least %d", terminal.Count(s.L, "thread"), terminal.Count(s.P, "equation"), n, s.threads())
	case s.shuffle && !m.blocks && s.threads() > 32:
		return s, fmt.Errorf("SHUFFLE = 1 needs a system in one warp: N/P = %d is above 32", s.threads())
	}
	if want := s.equations(); int(v.Int("S")) != want {
		return s, fmt.Errorf("S = %d: with P = %d, L = %d and SHUFFLE = %d it must be %d", v.Int("S"), s.P, s.L, v.Int("SHUFFLE"), want)
	}
	return s, nil
}

// threads that share a system.
func (s shape) threads() int { return s.n / s.P }

// equations in shared memory per block: the tunable S.
func (s shape) equations() int {
	switch {
	case !s.shuffle:
		return s.P * s.L
	case s.threads() > 32:
		return s.L / 8 // two boards with a pair per warp
	}
	return 0
}

// sharedBytes is three values per equation: b is 1. Two boards with a pair per
// thread are more than two equations per thread.
func (s shape) sharedBytes() int {
	values := 3 * s.equations()
	if s.method.blocks && !s.shuffle {
		values = max(values, 12*s.L)
	}
	return values * s.realBytes()
}

// localBytes is the local memory of a group in OpenCL: so many values per equation as arrays are handed over without a
// barrier between, and at least two boards of a method.
func (s shape) localBytes(buffers int) int {
	boards := 6
	if s.method.blocks {
		boards = 12
	}
	return max(buffers*s.P, boards) * s.L * s.realBytes()
}

// buffers is how many of the three arrays of a group's equations lie in local memory at a time: the more, the fewer
// barriers. With all of it NVIDIA's OpenCL launches nothing (CL_OUT_OF_RESOURCES, driver 580.159.04).
func (s shape) buffers(facts gpu.Facts) int {
	n := 3
	for n > 1 && s.localBytes(n) >= facts.SharedPerBlock {
		n--
	}
	return n
}

func (s shape) realBytes() int {
	if s.double {
		return 8
	}
	return 4
}

func (s shape) source() gpu.Source {
	real, shuffle := "float", 0
	if s.double {
		real = "double"
	}
	if s.shuffle {
		shuffle = 1
	}
	return gpu.Source{
		Name: s.method.name + ".cu",
		Text: s.method.text,
		Defines: map[string]string{
			"REAL": real, "EQUATIONS": strconv.Itoa(s.P), "THREADS": strconv.Itoa(s.L), "TEAM": strconv.Itoa(s.threads()),
			"RADIX": strconv.Itoa(max(2, s.radix)), "SHUFFLE": strconv.Itoa(shuffle),
		},
		Headers: map[string]string{"equations.cuh": equationsText, "rows.cuh": rowsText, "separators.cuh": separatorsText, "blocks.cuh": blocksText, "divide.cuh": divideText},
		Kernels: []string{s.method.name},
		Options: []string{"--std=c++14"},
	}
}

// sourceCL is the method in OpenCL C.
func (s shape) sourceCL(facts gpu.Facts) gpu.Source {
	d := gpu.Defines("EQUATIONS", s.P, "THREADS", s.L, "TEAM", s.threads(), "TEAM_LEVELS", bits.Len(uint(s.threads()))-1,
		"RADIX", max(2, s.radix), "RADIX_LEVELS", bits.Len(uint(max(2, s.radix)))-1, "BUFFERS", s.buffers(facts))
	d["METHOD_"+s.method.name] = "1"
	if s.double {
		d["DOUBLE"] = "1"
	}
	return gpu.Source{Name: "methods.cl", Text: methodsCL, Defines: d, Kernels: []string{"batched"}}
}

func (m method) valid(params, v framework.Values, facts gpu.Facts) error {
	s, err := m.shape(int(params.Int("N")), params.Text("precision") == "f64", v)
	if err != nil {
		return err
	}
	if warp := max(facts.WarpSize, 1); s.L%warp != 0 {
		return fmt.Errorf("L = %d is not a multiple of the warp's %d threads", s.L, warp)
	}
	if s.L > facts.MaxThreadsBlock {
		return fmt.Errorf("L = %d exceeds the device's %d threads per block", s.L, facts.MaxThreadsBlock)
	}
	registers := s.registers()
	const most = 255 // registers per thread, of every compute capability from 3.5 on
	if registers > most {
		return fmt.Errorf("P = %d needs about %d registers per thread, the device has %d", s.P, registers, most)
	}
	if facts.RegistersBlock > 0 && s.L*registers > facts.RegistersBlock {
		return fmt.Errorf("P = %d and L = %d need about %d registers per block, the device has %d", s.P, s.L, s.L*registers, facts.RegistersBlock)
	}
	if facts.OpenCL != nil {
		switch b := s.localBytes(1); {
		case s.shuffle:
			return errors.New("SHUFFLE = 1: OpenCL C 1.2 has no shuffles; want 0")
		case b > facts.SharedPerBlock:
			return fmt.Errorf("P = %d and L = %d need %d bytes of local memory per work-group, the device allows %d", s.P, s.L, b, facts.SharedPerBlock)
		}
		return nil
	}
	if b := s.sharedBytes(); b > facts.SharedOptIn {
		return fmt.Errorf("S = %d needs %d bytes of shared memory per block, the device allows %d", v.Int("S"), b, facts.SharedOptIn)
	}
	return nil
}

// registers estimates what a thread needs: its rows, of which three values
// stay live, a few equations and addresses.
func (s shape) registers() int { return (3*s.P+16)*s.realBytes()/4 + 8 }

// batched is one method at one point.
type batched struct {
	gpuRun
	shape  shape
	kernel gpu.Kernel
}

func (s *batched) PreRun() (err error) {
	if err := s.open(); err != nil {
		return err
	}
	s.transfer(s.data)
	source := s.shape.source()
	if s.shape.opencl {
		source = s.shape.sourceCL(s.Device.Facts())
	}
	s.kernel, err = s.Kernel(source)
	return err
}

func (s *batched) Run() error {
	systems := s.shape.L / s.shape.threads()
	launch := gpu.Launch{
		Grid:        gpu.Dim3{X: (s.p.Batch + systems - 1) / systems},
		Block:       gpu.Dim3{X: s.shape.L},
		SharedBytes: s.shape.sharedBytes(),
	}
	if s.shape.opencl {
		launch.SharedBytes = s.shape.localBytes(s.shape.buffers(s.Device.Facts()))
	}
	return s.kernel.Launch(s.Env.Stream, launch, s.data.a, s.data.b, s.data.c, s.data.d, s.data.x, int64(s.p.Batch))
}

// Verify counts a level of elimination for the rows of a thread and one for
// every doubling of the threads.
func (s *batched) Verify() ([]framework.Check, error) {
	return s.verify(s.data.x, bits.Len(uint(s.shape.threads())))
}

func (s *batched) VerifyFast() ([]framework.Check, error) {
	return s.verifyFast(s.data.x, bits.Len(uint(s.shape.threads())))
}

func (s *batched) Work() framework.Work {
	systems := s.shape.L / s.shape.threads()
	blocks := (s.p.Batch + systems - 1) / systems
	return s.p.Nominal().Executing(framework.Work{
		FLOPs:     int64(blocks) * int64(s.shape.L) * s.shape.method.flops(s.shape),
		LoadBytes: 4 * s.p.bytes(), StoreBytes: s.p.bytes(),
	})
}
