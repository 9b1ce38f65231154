package bicubic

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

var (
	//go:embed kernels/fused.cu
	fusedText string
	//go:embed kernels/fused.cl
	fusedCL string
)

// fusedVersion returns v5.
func fusedVersion() framework.Version {
	return framework.Version{
		Name: "v5", Doc: "threads go down some columns: each row interpolated across once, four of them in registers, wide stores; constant weights",
		Processor: framework.GPU,
		Portable:  true,
		Tunables: append(blockTunables(),
			framework.Tunable{Name: "VECTOR", Doc: "output columns per thread, stored at once; divides the output's columns", Values: []int64{1, 2, 4}},
			framework.Tunable{Name: "RUN", Doc: "input rows per thread", Values: []int64{1, 2, 4, 8, 16, 32, 64}},
			framework.Tunable{Name: "BLOCKS", Doc: "least number of blocks per multiprocessor that must have registers", Values: []int64{1, 2, 4, 8, 16}},
			framework.Tunable{Name: "STORE", Doc: "0: plain stores, 1: evict first, 2: write through", Values: []int64{0, 1, 2}},
		),
		Defaults: fusedDefaults,
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			return fusedValid(shapeOf(params), v, facts)
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			return wholeBytes(params, v) + gpu.SizeOf(columnTable(shapeOf(params), int(v.Int("VECTOR"))))
		},
		New: framework.Typed(newFused),
	}
}

// widest returns the widest store, in elements, that divides the output's columns.
func widest(s shape) int {
	for _, n := range []int{4, 2} {
		if s.outCols()%n == 0 {
			return n
		}
	}
	return 1
}

// fusedDefaults returns the fastest tunables on one H200 (algorithms/bicubic/README.md): few output rows per
// thread, so that what is stored at one time lies close together.
func fusedDefaults(params framework.Values, _ gpu.Facts) framework.Values {
	s := shapeOf(params)
	return framework.IntValues("BX", 128, "BY", 1, "VECTOR", widest(s), "RUN", max(1, 8/s.RowFactor), "BLOCKS", 1, "STORE", 0)
}

func fusedValid(s shape, v framework.Values, facts gpu.Facts) error {
	if err := validBlock(v, facts); err != nil {
		return err
	}
	vector, run, store := int(v.Int("VECTOR")), int(v.Int("RUN")), v.Int("STORE")
	threads, blocks := int(v.Int("BX")*v.Int("BY")), int(v.Int("BLOCKS"))
	switch {
	case vector != 1 && vector != 2 && vector != 4:
		return fmt.Errorf("VECTOR = %d: want 1, 2 or 4", vector)
	case s.outCols()%vector != 0:
		return fmt.Errorf("VECTOR = %d does not divide the output's %s", vector, terminal.Count(s.outCols(), "column"))
	case run < 1:
		return fmt.Errorf("RUN = %d: want at least 1", run)
	case facts.OpenCL != nil:
		if blocks != 1 || store != 0 {
			return fmt.Errorf("BLOCKS = %d, STORE = %d: OpenCL has no such hints; want 1 and 0", blocks, store)
		}
		return nil
	case store < 0 || store > 2:
		return fmt.Errorf("STORE = %d: want 0, 1 or 2", store)
	case blocks < 1 || blocks > facts.MaxBlocksPerSM || blocks*threads > facts.MaxThreadsPerSM:
		return fmt.Errorf("BLOCKS = %s of %s: want at least 1 and no more than the device's %d blocks and %d threads per multiprocessor",
			terminal.Count(blocks, "block"), terminal.Count(threads, "thread"), facts.MaxBlocksPerSM, facts.MaxThreadsPerSM)
	}
	registers := fusedRegisters(vector, windowOf(s.ColumnFactor, vector))
	if threads*registers > facts.RegistersBlock {
		return fmt.Errorf("BX·BY = %s of at least about %d registers, a block has %d", terminal.Count(threads, "thread"), registers, facts.RegistersBlock)
	}
	return nil
}

// fusedRegisters estimates the least registers of a thread: five rows, a row's points and their columns,
// weights that are not constant, addresses.
func fusedRegisters(vector int, w window) int {
	registers := 5*vector + 2*w.width + 24
	if !w.same {
		registers += vector * w.width
	}
	return registers
}

// window is the input columns that a thread's output columns need: SAME_PHASES and WINDOW in the kernel.
type window struct {
	same  bool // all threads have the same phases
	width int
}

func windowOf(factor, vector int) window {
	switch {
	case vector%factor == 0:
		return window{same: true, width: vector/factor + 3}
	case factor%vector == 0:
		return window{width: 4}
	}
	return window{width: 5}
}

// columnTable returns weightTable if weights differ from thread to thread, else one number that no thread
// reads.
func columnTable(s shape, vector int) []float32 {
	w := windowOf(s.ColumnFactor, vector)
	if w.same {
		return []float32{0}
	}
	return weightTable(s, vector, w.width)
}

// weightTable returns, for each phase of a thread's first column, the weights of the thread's columns for its
// whole window.
func weightTable(s shape, vector, width int) []float32 {
	phases := s.Basis.phases(s.ColumnFactor)
	table := make([]float32, s.ColumnFactor*vector*width)
	for first := range s.ColumnFactor {
		if (first+vector-1)/s.ColumnFactor+4 > width {
			continue // no thread starts there
		}
		for k := range vector {
			phase, cell := (first+k)%s.ColumnFactor, (first+k)/s.ColumnFactor
			for i, w := range phases[phase] {
				if w != 0 {
					table[(first*vector+k)*width+cell+i] = w
				}
			}
		}
	}
	return table
}

// initialiser returns weights as C++.
func initialiser(phases [][4]float32) string {
	var b strings.Builder
	b.WriteString("{")
	for _, w := range phases {
		b.WriteString("{")
		for _, x := range w {
			b.WriteString(strconv.FormatFloat(float64(x), 'e', 9, 32) + "f,")
		}
		b.WriteString("},")
	}
	b.WriteString("}")
	return b.String()
}

func newFused(env framework.Env, p *problem, v framework.Values) (*single, error) {
	base, s := newGPURun(env, p), p.shape
	vector, run := int(v.Int("VECTOR")), int(v.Int("RUN"))
	block := gpu.Dim3{X: int(v.Int("BX")), Y: int(v.Int("BY"))}
	groups := s.outCols() / vector
	across := tiles(groups, block.X)
	launch, err := grid(across, tiles(tiles(s.Rows, run), block.Y), block)
	if err != nil {
		return nil, err
	}
	w := windowOf(s.ColumnFactor, vector)
	header := "#define ROW_WEIGHTS " + initialiser(s.Basis.phases(s.RowFactor)) + "\n"
	if w.same {
		header += "#define COLUMN_WEIGHTS " + initialiser(s.Basis.phases(s.ColumnFactor)) + "\n"
	}
	d := defines(s, v)
	d["R"], d["C"] = strconv.Itoa(s.RowFactor), strconv.Itoa(s.ColumnFactor)
	base.source = gpu.Source{
		Name: "fused.cu", Text: fusedText, Headers: map[string]string{"weights.cuh": header},
		Defines: d, Kernels: []string{"fused"},
	}
	base.textCL = fusedCL
	// In each direction: the weight, its product, three multiply-adds.
	base.rounding = rounding{steps: 10}
	base.work = fusedWork(s, vector, run)
	return &single{
		gpuRun: base, launch: launch, table: columnTable(s, vector),
		arguments: []any{int32(s.Rows), int32(s.Cols), uint32(groups), uint32(across)},
	}, nil
}

// weightedFLOPs returns the operations of the kernel's function weighted.
func weightedFLOPs(w [4]float32) (flops int64) {
	for _, x := range w {
		if x != 0 {
			flops += 2
		}
	}
	if flops == 2 && w[0]+w[1]+w[2]+w[3] == 1 {
		return 0 // a product with 1
	}
	return flops - 1
}

// fusedWork counts what remains if constant weights are 0: no products with them, and no loads that only they
// use.
func fusedWork(s shape, vector, run int) framework.Work {
	w := windowOf(s.ColumnFactor, vector)
	rowPhases, columnPhases := s.Basis.phases(s.RowFactor), s.Basis.phases(s.ColumnFactor)
	groups := int64(s.outCols() / vector)
	runs := int64(tiles(s.Rows, run))

	var down int64 // for a group and an input row
	before := int64(2)
	for _, x := range rowPhases {
		down += int64(vector) * weightedFLOPs(x)
		if x[0] != 0 {
			before = 3
		}
	}
	across, loads, table := int64(vector*(2*w.width-1)), int64(w.width), int64(vector*w.width)
	if w.same {
		across, loads, table = 0, 0, 0
		used := make([]bool, w.width)
		for k := range vector {
			x := columnPhases[k%s.ColumnFactor]
			across += weightedFLOPs(x)
			for i := range x {
				used[k/s.ColumnFactor+i] = used[k/s.ColumnFactor+i] || x[i] != 0
			}
		}
		for _, u := range used {
			if u {
				loads++
			}
		}
	}
	rows := int64(s.Rows) + before*runs // rows interpolated across
	return framework.Work{
		FLOPs:      groups * (rows*across + int64(s.Rows)*down),
		LoadBytes:  4 * groups * (rows*loads + runs*table),
		StoreBytes: s.outBytes(),
	}
}
