package ptx

import (
	"slices"
	"testing"
	"unsafe"

	"example.org/bench/analysis/trace"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// gather has its last block wait for what each other block stores, grid every block for
// all others; in queue blocks take their work from a counter. Rows loads with a stride
// between the lanes.
const waiting = `
extern "C" __global__ void gather(volatile unsigned* slots, unsigned* out) {
  if (blockIdx.x + 1 < gridDim.x) {
    if (threadIdx.x == 0) slots[blockIdx.x] = blockIdx.x + 1;
    return;
  }
  unsigned sum = 0;
  if (threadIdx.x == 0) {
    for (unsigned k = 0; k + 1 < gridDim.x; k++) {
      unsigned x;
      do x = slots[k];
      while (x == 0);
      sum += x;
    }
    *out = sum;
  }
}

extern "C" __global__ void never(volatile unsigned* slots) {
  while (slots[gridDim.x] == 0) {
  }
}

extern "C" __global__ void grid(unsigned* arrived, float* out) {
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (*(volatile unsigned*)arrived < gridDim.x) {
    }
  }
  __syncthreads();
  out[(gridDim.x - 1 - blockIdx.x) * 32 + threadIdx.x] += 1;
}

extern "C" __global__ void queue(unsigned* next, float* out, int all) {
  __shared__ unsigned turn;
  for (;;) {
    if (threadIdx.x == 0) turn = atomicAdd(next, 1u);
    __syncthreads();
    const unsigned mine = turn;
    __syncthreads();
    if (mine >= all) return;
    out[mine * 32 + threadIdx.x] += 1;
  }
}

extern "C" __global__ void rows(const float* a, float* out, int stride) {
  out[threadIdx.x] = a[threadIdx.x * stride];
}
`

func launch(t *testing.T, name string, blocks int, arguments ...func(*trace.Device) any) (*trace.Device, *trace.Launch) {
	t.Helper()
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	dev, _ := device(t, "h200")
	m, err := dev.Compile(gpu.Source{Name: "waiting.cu", Text: waiting})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	for _, a := range arguments {
		list = append(list, a(dev))
	}
	if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: blocks, Y: 1, Z: 1}, Block: gpu.Dim3{X: 32, Y: 1, Z: 1}}, list...); err != nil {
		t.Fatal(err)
	}
	return dev, dev.Launches()[0]
}

func zeros(t *testing.T, bytes int64, at *gpu.Pointer) func(*trace.Device) any {
	return func(d *trace.Device) any {
		p, err := d.Alloc(bytes)
		if err == nil {
			err = d.SetAsync(p, 0, bytes, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		if at != nil {
			*at = p
		}
		return p
	}
}

// A block that waits is executed with those beside it, and asks for each value once.
func TestBlocksThatWaitForOthers(t *testing.T) {
	const blocks = 40
	var out gpu.Pointer
	dev, l := launch(t, "gather", blocks, zeros(t, 4*blocks, nil), zeros(t, 4, &out))
	if l.Unknown != "" {
		t.Fatal(l.Unknown)
	}
	var sum uint32
	if err := dev.CopyToHost(unsafe.Pointer(&sum), out, 4); err != nil || sum != blocks*(blocks-1)/2 {
		t.Errorf("the last block has %d, %v", sum, err)
	}
	at := slices.IndexFunc(l.Blocks, func(b *trace.Block) bool { return b.Number == blocks-1 })
	if at < 0 {
		t.Fatal("the last block is not executed")
	}
	last := l.Blocks[at]
	c := last.Counts
	if c.GlobalLoads < blocks-1 || c.GlobalLoads > 2*blocks || c.GlobalSectors != c.GlobalLoads+1 || c.L1Cycles != c.GlobalSectors {
		t.Errorf("block %d: %v loads, %v sectors, %v lines", last.Number, c.GlobalLoads, c.GlobalSectors, c.L1Cycles)
	}
	if n := last.Warps[0].Total; n > 40*blocks {
		t.Errorf("the last block's warp executes %d instructions", n)
	}
}

// What no other stores is not waited for.
func TestABlockThatWaitsForNone(t *testing.T) {
	_, l := launch(t, "never", 2, zeros(t, 4*3, nil))
	if c := l.Total; l.Unknown != "" || len(l.Blocks) != 2 || c.GlobalLoads > 4 {
		t.Errorf("it is %q, of %d blocks with %v loads", l.Unknown, len(l.Blocks), c.GlobalLoads)
	}
}

// More blocks wait for one another than are executed: those that are do all they would.
func TestABarrierOfTheGrid(t *testing.T) {
	const blocks = 200
	_, l := launch(t, "grid", blocks, zeros(t, 4, nil), zeros(t, 4*32*blocks, nil))
	if l.Unknown != "" || len(l.Blocks) != 6 {
		t.Fatalf("%d blocks are executed, %q", len(l.Blocks), l.Unknown)
	}
	for _, b := range l.Blocks {
		if c := b.Counts; c.GlobalStores != 2 || c.Barriers != 2 || c.Atomics != 1 {
			t.Errorf("block %d: %v stores, %v barriers, %v atomic operations", b.Number, c.GlobalStores, c.Barriers, c.Atomics)
		}
	}
	for _, b := range l.Buffers {
		if want := 4.0 * 32 * blocks; b.Bytes > 4 && b.Written != want {
			t.Errorf("%v bytes are written, want %v", b.Written, want)
		}
	}
}

// Of a queue each block takes its share, whichever are executed.
func TestBlocksTakeTheirShareOfAQueue(t *testing.T) {
	const blocks, all = 50, 230
	_, l := launch(t, "queue", blocks, zeros(t, 4, nil), zeros(t, 4*32*all, nil), func(*trace.Device) any { return int32(all) })
	if l.Unknown != "" || len(l.Blocks) < 6 {
		t.Fatalf("%d blocks are executed, %q", len(l.Blocks), l.Unknown)
	}
	for _, b := range l.Blocks {
		want := float64((all - b.Number + blocks - 1) / blocks)
		if c := b.Counts; c.GlobalStores != want || c.Atomics != want+1 {
			t.Errorf("block %d: %v stores, %v atomic operations, want %v", b.Number, c.GlobalStores, c.Atomics, want)
		}
	}
}

// Lanes that read different lines take a turn each, however few sectors these have.
func TestLinesOfAnAccess(t *testing.T) {
	for stride, want := range map[int]float64{1: 1, 4: 4, 8: 8, 32: 32, 64: 32} {
		_, l := launch(t, "rows", 1, zeros(t, 4*64*32, nil), zeros(t, 4*32, nil), func(*trace.Device) any { return int32(stride) })
		if got := l.Total.L1Cycles - 1; got != want { // the store has one
			t.Errorf("stride %d: %v lines, want %v", stride, got, want)
		}
	}
}
