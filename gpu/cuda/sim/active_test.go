package sim_test

import (
	"math/bits"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// The active lanes are those that a GPU runs together: of a branch, of a turn of a loop, of a warp that is not full.
func TestActiveMask(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		d := open(t, seed, sim.Checks())
		k := compile(t, d, "active", `
extern "C" __global__ void active(unsigned* out, volatile int* flag) {
  int i = threadIdx.x, n = blockDim.x;
  unsigned mask = __activemask();
  out[i] = mask;
  int sum = 1;
  for (int k = 16; k; k /= 2) sum += __shfl_xor_sync(mask, sum, k);
  out[n + i] = sum;
  if (i % 4 == 1) out[2 * n + i] = __activemask();
  else out[2 * n + i] = __activemask();
  out[3 * n + i] = 0;
  for (int k = 0; k < i % 8; k++) out[3 * n + i] += __popc(__activemask());
  // One lane waits for what another does after it.
  if (i == 0) while (!*flag) {}
  if (i == 1) { out[4 * n] = __activemask(); *flag = 1; }
  if (i % 3 == 0) return;
  out[4 * n + i] = __activemask();
}`)
		const n = 64
		out, flag := upload(t, d, make([]uint32, 5*n)), upload(t, d, make([]int32, 1))
		launch(t, k, gpu.Launch{Block: gpu.Dim3{X: n}}, out, flag)
		got := download[uint32](t, d, out, 5*n)
		third := func(warp int) (mask uint32) { // lanes that have not returned
			for l := range 32 {
				if (32*warp+l)%3 != 0 {
					mask |= 1 << l
				}
			}
			return mask
		}
		for i := range n {
			branch, turns := ^uint32(0x22222222), uint32(0)
			if i%4 == 1 {
				branch = 0x22222222
			}
			for k := range i % 8 {
				turns += uint32(4 * (7 - k)) // lanes that go round so often
			}
			if got[i] != ^uint32(0) || got[n+i] != 32 || got[2*n+i] != branch || got[3*n+i] != turns {
				t.Errorf("seed %d, thread %d: active %#x, sum %d, in the branch %#x, in turns %d; want all, 32, %#x, %d", seed, i, got[i], got[n+i], got[2*n+i], got[3*n+i], branch, turns)
			}
			if i%3 == 0 || i < 3 {
				continue
			}
			if want := third(i / 32); got[4*n+i] != want {
				t.Errorf("seed %d, thread %d: %#x active after others returned, want %#x", seed, i, got[4*n+i], want)
			}
		}
		if bits.OnesCount32(got[4*n]) != 1 {
			t.Errorf("seed %d: %#x active beside a lane that waits, want one", seed, got[4*n])
		}
	}
}
