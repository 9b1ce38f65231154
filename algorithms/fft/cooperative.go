package fft

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

//go:embed cooperative.cu
var cooperativeSource string

// cooperativeGPU is the literature's other way to long transforms, which it does not take
// because blocks must be resident: here those that are take tiles in turn.
func cooperativeGPU() framework.Version {
	return framework.Version{
		Name:      "cooperative",
		Doc:       "all passes in one kernel, with barriers of the whole grid between them",
		Source:    "Performance Tuning for GPU-Embedded Systems: Machine-Learning-Based and Analytical Model-Driven Tuning Methodologies, section IV-C",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "S", Doc: "elements in shared memory per block", Values: framework.PowersOfTwo(64, 1<<14)},
			{Name: "P", Doc: "elements per thread", Values: framework.PowersOfTwo(2, 64)},
			{Name: "L", Doc: "threads per block", Values: framework.PowersOfTwo(32, 1024)},
			{Name: "r", Doc: "radix of a step", Values: framework.PowersOfTwo(2, 64)},
			{Name: "SPLIT", Doc: "1: exchange real and imaginary parts in turn, in half the shared memory", Values: []int64{0, 1}},
			{Name: "B", Doc: "least number of blocks per multiprocessor that must have registers", Values: []int64{1, 2, 3, 4, 8, 16}},
		},
		Supports: func(params framework.Values, facts gpu.Facts) error {
			if !facts.Cooperative {
				return errors.New("the device or its driver has no cooperative launches (compute capability 6.0, CUDA 9.0)")
			}
			return beyondOneBlock(params, facts)
		},
		Defaults: func(params framework.Values, facts gpu.Facts) framework.Values {
			like := severalDefaults(params, facts)
			v := framework.Values{}
			for _, name := range []string{"S", "P", "L", "r", "SPLIT", "B"} {
				v[name] = like[name]
			}
			return v
		},
		Valid: func(params, v framework.Values, facts gpu.Facts) error {
			g, err := planGridOf(params, v)
			if err != nil {
				return err
			}
			return roomFor([]stage{g}, "", params, v, facts)
		},
		DeviceBytes: func(params, v framework.Values) int64 {
			g, err := planGridOf(params, v)
			if err != nil {
				return 0
			}
			return deviceBytes([]stage{g}, params)
		},
		HostBytes: hostBytesGPU,
		New: framework.Typed(func(env framework.Env, q *problem, v framework.Values) (*stockham, error) {
			g, err := planGrid(q.N, q.Double, v)
			if err != nil {
				return nil, err
			}
			return &stockham{GPURun: framework.GPURun{Env: env}, p: q, stages: []stage{g}}, nil
		}),
	}
}

// grid is all passes in one kernel of as many blocks as are resident at once. Between
// two passes all blocks wait for each other.
type grid struct{ passes []pass }

func planGridOf(params, v framework.Values) (grid, error) {
	return planGrid(int(params.Int("N")), params.Text("precision") == "f64", v)
}

func planGrid(n int, double bool, v framework.Values) (grid, error) {
	like, err := tileOf(v, "", double)
	if err != nil {
		return grid{}, err
	}
	passes, err := planPasses(n, int(v.Int("S")), like)
	if err == nil && (len(passes) < 2 || len(passes) > 3) {
		err = fmt.Errorf("S = %d takes %s for N = %d; the kernel has two or three", v.Int("S"), terminal.Count(len(passes), "pass"), n)
	}
	return grid{passes}, err
}

func (g grid) threads() int { return g.passes[0].threads() }

func (g grid) sharedBytes() int {
	most := 0
	for _, p := range g.passes {
		most = max(most, p.sharedBytes())
	}
	return most
}

// counterBytes is what counts the arrivals at the barriers.
func (g grid) counterBytes(int) int64 { return 4 }

// betweenElements is the whole problem.
func (g grid) betweenElements(transforms int) int64 {
	return int64(transforms) * int64(g.passes[0].size) * int64(g.passes[0].stride)
}

// shape has no more blocks than the device holds at once: a cooperative launch of more fails.
func (g grid) shape(transforms int, facts gpu.Facts, kernel gpu.Kernel) (gpu.Launch, error) {
	each, err := kernel.ActiveBlocks(g.threads(), g.sharedBytes())
	if err != nil {
		return gpu.Launch{}, err
	}
	tiles := 0
	for _, p := range g.passes {
		tiles = max(tiles, p.blocks(transforms))
	}
	return gpu.Launch{
		Grid:        gpu.Dim3{X: min(tiles, max(1, each)*max(1, facts.Multiprocessors))},
		Block:       gpu.Dim3{X: g.threads()},
		SharedBytes: g.sharedBytes(),
		Cooperative: true,
	}, nil
}

func (g grid) tables() (list [][]complex128) {
	for i, p := range g.passes {
		if list = append(list, p.stepTable()); i > 0 {
			list = append(list, p.turnTable())
		}
	}
	return list
}

func (g grid) count(transforms int) any { return int64(transforms) }

func (g grid) source(inverse bool) gpu.Source {
	source := g.passes[0].source(inverse)
	for _, name := range []string{"SIZE", "COLUMNS", "STRIDE", "NS", "FINE_BITS", "PAD_SHIFT", "PAD_WIDTH"} {
		delete(source.Defines, name)
	}
	source.Defines["PASSES"] = strconv.Itoa(len(g.passes))
	for i, p := range g.passes {
		for name, value := range map[string]int{
			"SIZE": p.size, "COLUMNS": p.columns, "FINE_BITS": p.fineBits(), "PAD_SHIFT": p.shift, "PAD_WIDTH": p.width,
		} {
			source.Defines[name+strconv.Itoa(i+1)] = strconv.Itoa(value)
		}
	}
	source.Name, source.Text, source.Kernels = "cooperative.cu", cooperativeSource, []string{"cooperative"}
	return source
}

func (g grid) work(transforms int) framework.Work {
	return addWork(framework.Work{}, stagesOf(g.passes), transforms)
}
