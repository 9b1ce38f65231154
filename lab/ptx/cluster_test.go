package ptx

import (
	"testing"
	"unsafe"

	"example.org/bench/analysis/trace"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// Blocks of a cluster pass values on, each to the next, into its shared memory.
const passing = `
__device__ unsigned rank() {
  unsigned r;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}

__device__ void meet() { asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory"); }

extern "C" __global__ void pass(int* out, int size) {
  __shared__ int mine[64];
  mine[threadIdx.x] = -1;
  meet();
  unsigned to;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"((unsigned)__cvta_generic_to_shared(&mine[threadIdx.x])), "r"((rank() + 1) % size));
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(blockIdx.x * 64 + threadIdx.x) : "memory");
  meet();
  out[blockIdx.x * 64 + threadIdx.x] = mine[threadIdx.x];
}
`

// passed is what the kernel leaves, and its launch.
func passed(t *testing.T, blocks, size int, options ...trace.Option) ([]int32, *trace.Device) {
	t.Helper()
	dev, _ := device(t, "h200", options...)
	m, err := dev.Compile(gpu.Source{Name: "passing.cu", Text: passing})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("pass")
	if err != nil {
		t.Fatal(err)
	}
	out, err := dev.Alloc(int64(4 * 64 * blocks))
	if err != nil {
		t.Fatal(err)
	}
	shape := gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: 64, Y: 1, Z: 1}, Cluster: gpu.Dim3{X: size, Y: 1, Z: 1}}
	if err := k.Launch(0, shape, out, int32(size)); err != nil {
		t.Fatal(err)
	}
	got := make([]int32, 64*blocks)
	if err := dev.CopyToHost(unsafe.Pointer(&got[0]), out, int64(4*len(got))); err != nil {
		t.Fatal(err)
	}
	return got, dev
}

func TestClusters(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for _, size := range []int{1, 2, 4, 8} {
		got, _ := passed(t, 16, size, trace.AllBlocks())
		for i, x := range got {
			block := i / 64
			from := block/size*size + (block%size+size-1)%size
			if want := int32(from*64 + i%64); x != want {
				t.Fatalf("clusters of %d: block %d, thread %d has %d, want %d", size, block, i%64, x, want)
			}
		}
		_, dev := passed(t, 64, size)
		l := dev.Launches()[0]
		if l.Unknown != "" || len(l.Blocks) != 6 {
			t.Errorf("clusters of %d: %d blocks are executed, %q", size, len(l.Blocks), l.Unknown)
		}
		for _, b := range l.Blocks {
			if c := b.Counts; c.Shared != 2*3 || c.SharedWaves != c.Shared || c.GlobalStores != 2 {
				t.Errorf("clusters of %d, block %d: %v accesses to shared memory in %v passes, %v stores", size, b.Number, c.Shared, c.SharedWaves, c.GlobalStores)
			}
		}
	}
}
