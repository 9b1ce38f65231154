package fft

import (
	"errors"
	"fmt"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// boards are facts of the devices that the defaults are chosen for, from
// NVIDIA's CUDA C++ Programming Guide, table of technical specifications.
var boards = []gpu.Facts{
	{Name: "Jetson TX1", ComputeMajor: 5, ComputeMinor: 3, Multiprocessors: 2, SharedOptIn: 48 << 10, RegistersBlock: 32 << 10, L2Bytes: 256 << 10, Integrated: true},
	{Name: "Jetson TX2", ComputeMajor: 6, ComputeMinor: 2, Multiprocessors: 2, SharedOptIn: 48 << 10, RegistersBlock: 32 << 10, L2Bytes: 512 << 10, Integrated: true},
	{Name: "Jetson AGX Xavier", ComputeMajor: 7, ComputeMinor: 2, Multiprocessors: 8, SharedOptIn: 96 << 10, RegistersBlock: 64 << 10, L2Bytes: 512 << 10, Integrated: true},
	{Name: "Jetson AGX Orin", ComputeMajor: 8, ComputeMinor: 7, Multiprocessors: 16, SharedOptIn: 163 << 10, RegistersBlock: 64 << 10, L2Bytes: 4 << 20, Integrated: true},
	{Name: "GeForce RTX 2080", ComputeMajor: 7, ComputeMinor: 5, Multiprocessors: 46, SharedOptIn: 64 << 10, RegistersBlock: 64 << 10, L2Bytes: 4 << 20},
	{Name: "NVIDIA H200", ComputeMajor: 9, ComputeMinor: 0, Multiprocessors: 132, SharedOptIn: 227 << 10, RegistersBlock: 64 << 10, L2Bytes: 60 << 20},
}

func init() {
	for i := range boards {
		boards[i].WarpSize, boards[i].MaxThreadsBlock = 32, 1024
		boards[i].RegistersPerSM, boards[i].SharedPerBlock = 64<<10, 48<<10
		boards[i].Cooperative = true
	}
}

func params(n, elements int64, precision, direction string) framework.Values {
	return framework.Values{
		"N": framework.IntValue(n), "batch_elements": framework.IntValue(elements),
		"precision": framework.TextValue(precision), "direction": framework.TextValue(direction),
	}
}

func TestDefaultsCompileWithoutSpills(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range everyboard.Of(boards) {
		for _, n := range []int64{64, 1 << 12, 1 << 14, 1 << 15, 1 << 16, 1 << 21} {
			for _, precision := range []string{"f32", "f64"} {
				if precision == "f64" && n != 1<<12 && n != 1<<15 {
					continue
				}
				p := params(n, 1<<26, precision, "forward")
				v := stockhamDefaults(p, board)
				stages, err := planOf(p, v)
				if err = errors.Join(err, stockhamValid(p, v, board)); err != nil {
					t.Errorf("%s N=%d %s: %v", board.Name, n, precision, err)
					continue
				}
				compileStages(t, compiler, fmt.Sprintf("%s N=%d %s", board.Name, n, precision), board, stages)
			}
		}
	}
	for _, board := range everyboard.Of([]gpu.Facts{boards[1], boards[5]}) {
		for _, n := range []int64{1 << 14, 1 << 21} {
			p := params(n, 1<<26, "f32", "forward")
			v := cooperativeGPU()
			g, err := planGridOf(p, v.Defaults(p, board))
			if err = errors.Join(err, v.Supports(p, board), v.Valid(p, v.Defaults(p, board), board)); err != nil {
				t.Errorf("%s N=%d: %v", board.Name, n, err)
				continue
			}
			compileStages(t, compiler, fmt.Sprintf("%s N=%d cooperative", board.Name, n), board, []stage{g})
		}
	}
}

// compileStages fails where a kernel spills.
func compileStages(t *testing.T, compiler *nvrtc.Compiler, at string, board gpu.Facts, stages []stage) {
	t.Helper()
	for i, stage := range stages {
		source := stage.source(false)
		at := fmt.Sprintf("%s pass %d", at, i+1)
		image, err := compiler.Compile(source, board.Arch())
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		kernels, err := cubin.Kernels(image.Code)
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		for _, name := range source.Kernels {
			k, ok := kernels[name]
			if !ok {
				t.Fatalf("%s: no kernel %s", at, name)
			}
			if k.LocalBytes > 0 {
				t.Errorf("%s: kernel %s spills %d bytes of local memory per thread", at, name, k.LocalBytes)
			}
		}
	}
}
