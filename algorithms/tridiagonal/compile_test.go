package tridiagonal

import (
	"fmt"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// boards are devices with different defaults; the facts are from NVIDIA's
// CUDA C++ Programming Guide, table of technical specifications.
var boards = []gpu.Facts{
	{Name: "Jetson TX1", ComputeMajor: 5, ComputeMinor: 3, Multiprocessors: 2, SharedOptIn: 48 << 10, RegistersBlock: 32 << 10, Integrated: true},
	{Name: "Jetson AGX Orin", ComputeMajor: 8, ComputeMinor: 7, Multiprocessors: 16, SharedOptIn: 163 << 10, RegistersBlock: 64 << 10, Integrated: true},
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
	taken := map[string]gpu.Attributes{}
	for _, name := range source.Kernels {
		k, ok := kernels[name]
		if !ok {
			t.Fatalf("%s: no kernel %s", source.Name, name)
		}
		if k.LocalBytes > 0 {
			t.Errorf("%s on %s, %v: kernel %s takes %d bytes of local memory per thread", source.Name, board.Name, source.Defines, name, k.LocalBytes)
		}
		taken[name] = k
	}
	return taken
}

func TestDefaultsCompileWithoutLocalMemory(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range everyboard.Of(boards) {
		for _, m := range methods {
			for _, n := range []int{256, 1024, 4096} { // others: lab/compile
				for _, precision := range []string{"f32", "f64"} {
					if n < 4096 && precision == "f64" {
						continue
					}
					p := setting(n, 100, precision, contiguous, 2)
					if m.supports(p, board) != nil {
						if n < 4096 || precision == "f32" {
							t.Errorf("%s %s N=%d %s: %v", board.Name, m.name, n, precision, m.supports(p, board))
						}
						continue
					}
					v := m.defaults(p, board)
					s, err := m.shape(n, precision == "f64", v)
					if err != nil {
						t.Fatal(err)
					}
					taken := compileFor(t, compiler, board, s.source())
					at := fmt.Sprintf("%s %s N=%d %s", board.Name, m.name, n, precision)
					k := taken[m.name]
					if k.Registers*s.L > board.RegistersBlock {
						t.Errorf("%s: %d threads of %d registers", at, s.L, k.Registers)
					}
					t.Logf("%s: P=%d L=%d S=%d, %d registers", at, s.P, s.L, v.Int("S"), k.Registers)
				}
			}
		}
	}
}

func TestThomasCompilesWithoutLocalMemory(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range everyboard.Of(boards) {
		for _, n := range []int{64, 4096} { // others: lab/compile
			for _, precision := range []string{"f32", "f64"} {
				p := setting(n, 1, precision, interleaved, 2)
				v := thomasDefaults(p, board)
				if err := thomasValid(p, v, board); err != nil {
					t.Errorf("%s N=%d %s: its own defaults: %v", board.Name, n, precision, err)
				}
				q := &problem{N: n, Batch: 1, Double: precision == "f64"}
				a := newInterleavedThomas(gpuRun{p: q}, v)
				taken := compileFor(t, compiler, board, a.source())["thomas"]
				t.Logf("%s N=%d %s: P=%d G=%d, %d registers, %d threads", board.Name, n, precision, a.equations, a.columns, taken.Registers, a.columns*a.team())
			}
		}
	}
}
