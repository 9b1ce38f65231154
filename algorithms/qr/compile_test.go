package qr

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// boards are devices with different defaults; the facts are from NVIDIA's
// CUDA C++ Programming Guide, table of technical specifications.
var boards = []gpu.Facts{
	{Name: "Jetson TX1", ComputeMajor: 5, ComputeMinor: 3, Multiprocessors: 2, SharedOptIn: 48 << 10, RegistersBlock: 32 << 10, Integrated: true},
	{Name: "NVIDIA H200", ComputeMajor: 9, ComputeMinor: 0, Multiprocessors: 132, SharedOptIn: 227 << 10, RegistersBlock: 64 << 10},
}

func init() {
	for i := range boards {
		boards[i].WarpSize, boards[i].MaxThreadsBlock, boards[i].RegistersPerSM = 32, 1024, 64<<10
	}
}

// compileFor compiles a source for a board and returns its kernels' resources.
func compileFor(t *testing.T, compiler *nvrtc.Compiler, board gpu.Facts, source gpu.Source) map[string]gpu.Attributes {
	t.Helper()
	image, err := compiler.Compile(source, board.Arch())
	if err != nil {
		t.Fatalf("%s %v: %v", source.Name, source.Defines, err)
	}
	kernels, err := cubin.Kernels(image.Code)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range source.Kernels {
		k, ok := kernels[name]
		if !ok {
			t.Fatalf("%s: no kernel %s", source.Name, name)
		}
		if k.LocalBytes > 0 {
			t.Errorf("%s on %s, %v: kernel %s takes %d bytes of local memory per thread and %d registers", source.Name, board.Name, source.Defines, name, k.LocalBytes, k.Registers)
		}
	}
	return kernels
}

// What lab/compile, which takes the defaults, does not compile: tunables at
// the edge of what Valid accepts.
func TestTunablesCompileWithoutLocalMemory(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	compiled := 0
	check := func(board gpu.Facts, version string, params, v framework.Values, source func() gpu.Source, threads func() int) {
		if Factory().VersionOn(version, framework.GPU).Valid(params, v, board) != nil {
			return
		}
		compiled++
		s := source()
		for _, name := range s.Kernels {
			k := compileFor(t, compiler, board, s)[name]
			if need := (k.Registers + 7) / 8 * 8 * threads(); need > board.RegistersBlock {
				t.Errorf("%s on %s, %v: %d registers per block", version, board.Name, s.Defines, need)
			}
			t.Logf("%s on %s, %v: %d registers", version, board.Name, s.Defines, k.Registers)
		}
	}
	for _, board := range everyboard.Of(boards) {
		for _, x := range []struct {
			l, g, blocks int
			precision    string
		}{
			{32, 1, 1, singlePrecision}, {32, 4, 12, singlePrecision}, {128, 8, 8, singlePrecision},
			{64, 8, 1, doublePrecision}, {64, 4, 1, doublePrecision}, {64, 8, 4, doublePrecision}, {128, 8, 1, doublePrecision}, {128, 4, 4, doublePrecision},
		} {
			v := framework.IntValues("L", x.l, "G", x.g, "MATRICES", 1, "BLOCKS", x.blocks)
			p := in(x.precision, setting(64, 64, 1, reduced, 1))
			r := &registers{gpuData: gpuData{p: &problem{shape: shapeOf(p)}}, t: x.l, g: x.g, matrices: 1, blocks: x.blocks}
			check(board, "registers", p, v, r.source, func() int { return x.l })
		}
		for _, x := range []struct {
			m, w, threads, vector, ahead int
			precision                    string
		}{
			{1024, 8, 256, 4, 1, singlePrecision}, {1024, 4, 256, 4, 1, singlePrecision}, {2048, 4, 256, 4, 0, singlePrecision},
			{1024, 4, 256, 2, 1, doublePrecision}, {1024, 8, 256, 2, 0, doublePrecision}, {1024, 8, 512, 2, 0, doublePrecision},
			{1024, 2, 256, 2, 1, doublePrecision}, {2048, 4, 512, 2, 0, doublePrecision}, {4096, 2, 512, 2, 0, doublePrecision},
		} {
			v := framework.IntValues("W", x.w, "THREADS", x.threads, "VEC", x.vector, "AHEAD", x.ahead)
			p := in(x.precision, setting(x.m, 64, 1, reduced, 1))
			check(board, "tiles", p, v, tilesOf(shapeOf(p), v).source, func() int { return x.threads })
		}
	}
	if compiled < 10 {
		t.Errorf("only %d settings compiled", compiled)
	}
}
