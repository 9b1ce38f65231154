package sim_test

import (
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

const foreign = `
__constant__ float filter[4];
namespace deep {
__device__ int counter = 3;
template <class T, int N> __global__ void __launch_bounds__(N) fill(T *x, T y) {
  __shared__ T own[N];
  own[threadIdx.x] = y;
  x[threadIdx.x] = own[threadIdx.x] + N;
}
}
__global__ void add(float *x, float4 v, signed char c) {
  x[threadIdx.x] = filter[threadIdx.x] + v.w + c;
  if (threadIdx.x == 0) deep::counter++;
}
`

// Kernels of C++: without extern "C", in a namespace, of a template with a macro;
// variables; arguments of any type.
func TestForeignNames(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	m, err := d.Compile(gpu.Source{Name: "foreign.cu", Text: foreign, Defines: map[string]string{"BLOCK": "4"},
		Kernels: []string{"add", "deep::fill<double, BLOCK>"}, Globals: []string{"filter", "deep::counter"}})
	if err != nil {
		t.Fatal(err)
	}
	four := gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 4}}
	fill, err := m.Kernel("deep::fill<double, BLOCK>")
	if err != nil {
		t.Fatal(err)
	}
	x := upload(t, d, make([]float64, 4))
	if err := fill.Launch(0, four, x, 0.5); err != nil {
		t.Fatal(err)
	}
	if got := download[float64](t, d, x, 4); got[3] != 4.5 {
		t.Errorf("fill gives %v", got)
	}
	if a, err := fill.Attributes(); err != nil || a.StaticSharedBytes != 32 {
		t.Errorf("attributes %+v, %v", a, err)
	}
	at, bytes, err := m.Global("filter")
	if err != nil || bytes != 16 {
		t.Fatalf("filter has %d bytes: %v", bytes, err)
	}
	if err := gpu.Upload(d, at, []float32{1, 2, 3, 4}); err != nil {
		t.Fatal(err)
	}
	add, err := m.Kernel("add")
	if err != nil {
		t.Fatal(err)
	}
	y := upload(t, d, make([]float32, 4))
	vector := gpu.Raw{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x20, 0x41} // (0, 0, 0, 10)
	if err := add.Launch(0, four, y, vector, gpu.Raw{0x9c}); err != nil {   // -100
		t.Fatal(err)
	}
	if got := download[float32](t, d, y, 4); got[0] != -89 || got[3] != -86 {
		t.Errorf("add gives %v", got)
	}
	counter, _, err := m.Global("deep::counter")
	if err != nil {
		t.Fatal(err)
	}
	if got := download[int32](t, d, counter, 1); got[0] != 4 {
		t.Errorf("the counter is %v", got)
	}
	if err := add.Launch(0, four, y, vector[:8], gpu.Raw{1}); err == nil || !strings.Contains(err.Error(), "argument 2 has 8 bytes: the parameter is a type of its own (gpu.Raw) of 16") {
		t.Errorf("half a vector: %v", err)
	}
	if _, _, err := m.Global("absent"); err == nil {
		t.Error("a variable that was not asked for is found")
	}
	if err := m.Unload(); err != nil {
		t.Fatal(err)
	}
	if err := gpu.Upload(d, at, []float32{1}); err == nil {
		t.Error("the variable outlives its module")
	}
}

// The simulator's own cooperative_groups.h: a sum of each tile, and of the block.
func TestCooperativeGroups(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "sums", `#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void sums(int *x, int *total) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  __shared__ int part[16];
  int v = block.thread_rank();
  for (int by = tile.size() / 2; by > 0; by /= 2) v += tile.shfl_down(v, by);
  if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = v;
  block.sync();
  x[block.thread_rank()] = part[tile.meta_group_rank()] + (tile.ballot(tile.thread_rank() < 2) == 3 ? 1000 : 0);
  if (block.thread_rank() == 0) for (int i = 0; i < tile.meta_group_size(); i++) *total += part[i];
}`)
	x, total := upload(t, d, make([]int32, 64)), upload(t, d, []int32{0})
	if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 32, Y: 2}}, x, total); err != nil {
		t.Fatal(err)
	}
	if got := download[int32](t, d, x, 64); got[0] != 1028 || got[63] != 1000+28+8*56 {
		t.Errorf("tiles have %v", got)
	}
	if got := download[int32](t, d, total, 1); got[0] != 63*32 {
		t.Errorf("the sum is %d", got[0])
	}
}

// Tunables have any names, also those that the simulator's headers use.
func TestDefinesOfAnyName(t *testing.T) {
	t.Parallel()
	d := open(t, 0, sim.Checks())
	defines := map[string]string{}
	sum := "0"
	for _, name := range []string{"A", "B", "F", "K", "N", "R", "T", "U", "V", "W", "a", "at", "b", "c", "i", "k", "n", "p", "t", "v", "x"} {
		defines[name] = "2"
		sum += " + " + name
	}
	m, err := d.Compile(gpu.Source{Name: "named.cu", Text: "extern \"C\" __global__ void named(int* out) { *out = " + sum + "; }", Kernels: []string{"named"}, Defines: defines})
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := m.Kernel("named")
	if err != nil {
		t.Fatal(err)
	}
	out := upload(t, d, []int32{0})
	launch(t, kernel, gpu.Launch{}, out)
	equal(t, download[int32](t, d, out, 1), func(int) int32 { return int32(2 * len(defines)) })
}
