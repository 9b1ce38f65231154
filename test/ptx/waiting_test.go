package ptx

import (
	"strings"
	"testing"
	"unsafe"

	"bench/cuda"
	"bench/cuda/nvrtc"
	"bench/cuda/trace"
)

// gather has its last block wait for what each other block stores; rows loads with a
// stride between the lanes.
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
	m, err := dev.Compile(cuda.Source{Name: "waiting.cu", Text: waiting})
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
	if err := k.Launch(0, cuda.Launch{Grid: cuda.Dim3{X: blocks, Y: 1, Z: 1}, Block: cuda.Dim3{X: 32, Y: 1, Z: 1}}, list...); err != nil {
		t.Fatal(err)
	}
	return dev, dev.Launches()[0]
}

func zeros(t *testing.T, bytes int64, at *cuda.Pointer) func(*trace.Device) any {
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
	var out cuda.Pointer
	dev, l := launch(t, "gather", blocks, zeros(t, 4*blocks, nil), zeros(t, 4, &out))
	if l.Unknown != "" {
		t.Fatal(l.Unknown)
	}
	var sum uint32
	if err := dev.CopyToHost(unsafe.Pointer(&sum), out, 4); err != nil || sum != blocks*(blocks-1)/2 {
		t.Errorf("the last block has %d, %v", sum, err)
	}
	last := l.Blocks[len(l.Blocks)-1]
	c := last.Counts
	if last.Number != blocks-1 || c.GlobalLoads < blocks-1 || c.GlobalLoads > 2*blocks || c.GlobalSectors != c.GlobalLoads+1 || c.GlobalLines != c.GlobalSectors {
		t.Errorf("block %d: %v loads, %v sectors, %v lines", last.Number, c.GlobalLoads, c.GlobalSectors, c.GlobalLines)
	}
	if n := last.Warps[0].Total; n > 40*blocks {
		t.Errorf("the last block's warp executes %d instructions", n)
	}
}

func TestABlockThatWaitsForNone(t *testing.T) {
	_, l := launch(t, "never", 2, zeros(t, 4*3, nil))
	if !strings.Contains(l.Unknown, "block 0 waits for others than the 1 that") {
		t.Errorf("it is %q", l.Unknown)
	}
}

// Lanes that read different lines take a turn each, however few sectors these have.
func TestLinesOfAnAccess(t *testing.T) {
	for stride, want := range map[int]float64{1: 1, 4: 4, 8: 8, 32: 32, 64: 32} {
		_, l := launch(t, "rows", 1, zeros(t, 4*64*32, nil), zeros(t, 4*32, nil), func(*trace.Device) any { return int32(stride) })
		if got := l.Total.GlobalLines - 1; got != want { // the store has one
			t.Errorf("stride %d: %v lines, want %v", stride, got, want)
		}
	}
}
