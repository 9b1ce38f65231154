package sim_test

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Between blocks, what is ordered is what the CUDA memory model orders: a release, a
// fence and then an atomic or volatile write, and an acquire, such an access to the
// same word that comes later and then a fence or a barrier.
func TestOrderBetweenBlocks(t *testing.T) {
	t.Parallel()
	const race = "race on global memory"
	checkOrders(t, map[string]ordered{
		// Of what a counter that has nothing to do with it orders: nothing.
		"unrelated":        {"if (t == 0) atomicAdd(word + 9, 1); __syncthreads(); data[t] += 1;", []string{race, "block ("}},
		"unrelatedfenced":  {"if (t == 0) { __threadfence(); atomicAdd(word + b, 1); __threadfence(); } __syncthreads(); data[t] += 1;", []string{race}},
		"neighbouringword": {"if (t == 0) { __threadfence(); atomicAdd(word + 8 + b % 2, 1); } __syncthreads(); data[t] += 1;", []string{race}},
		"otherarray":       {"atomicAdd(word + t, 1); __syncthreads(); atomicAdd(data + t, 1); if (t == 3) data[t] += 1;", []string{race}},
		"onepartplain":     {"atomicAdd(word + 70, 1); if (b % 2) atomicAdd(data + t, 1); else data[t] += 1;", []string{race}},
		// The last block adds up: every block writes, fences and counts.
		"last": {`data[64 * b + t] = t; __threadfence(); __syncthreads();
  __shared__ bool last; if (t == 0) last = atomicInc(word, gridDim.x - 1) == gridDim.x - 1; __syncthreads();
  if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; }`, nil},
		"lastbyone": {`data[64 * b + t] = t; __syncthreads();
  __shared__ bool last; if (t == 0) { __threadfence(); last = atomicAdd(word, 1u) == gridDim.x - 1; } __syncthreads();
  if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; if (t == 0) *word = 0; }`, nil},
		"lastbyall": {`data[64 * b + t] = t; __threadfence();
  if (atomicAdd(word, 1u) == 255) { __threadfence(); int sum = 0; for (int k = 0; k < 256; k++) sum += data[k]; out[0] = sum; *word = 0; }`, nil},
		"lastbywarp": {`data[64 * b + t] = t; __syncwarp(); unsigned n = 0;
  if (t % 32 == 0) { __threadfence(); n = atomicAdd(word, 1u); } n = __shfl_sync(~0u, n, 0);
  if (n == 7) { int sum = 0; for (int k = t % 32; k < 256; k += 32) sum += data[k]; out[t % 32] = sum; }`, nil},
		"lastwithoutfence": {`data[64 * b + t] = t; __syncthreads();
  __shared__ bool last; if (t == 0) last = atomicAdd(word, 1u) == gridDim.x - 1; __syncthreads();
  if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; }`, []string{race}},
		"lastoftheblockonly": {`data[64 * b + t] = t; __syncthreads();
  __shared__ bool last; if (t == 0) { __threadfence_block(); last = atomicAdd(word, 1u) == gridDim.x - 1; } __syncthreads();
  if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; }`, []string{race}},
		"lastwithoutbarrier": {`data[64 * b + t] = t;
  __shared__ bool last; if (t == 0) { __threadfence(); last = atomicAdd(word, 1u) == gridDim.x - 1; } __syncthreads();
  if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; }`, []string{race}},
		"latewrite": {`if (t == 0) { __threadfence(); data[b] = 1; if (atomicAdd(word, 1u) == 3) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[k]; *out = sum; } }`, []string{race}},
		"othercounter": {`data[64 * b + t] = t; __threadfence(); __syncthreads();
  if (t == 0) atomicAdd(word + b, 1u); __syncthreads();
  out[64 * b + t] = data[64 * ((b + 1) % 4) + t];`, []string{race}},
		// A flag: the blocks go on one after the other, as in a chained scan.
		"chain": {`volatile unsigned* flag = word; if (t == 0 && b) while (flag[b - 1] == 0) {} __syncthreads();
  data[t] += b; __syncthreads(); if (t == 0) { __threadfence(); flag[b] = 1; }`, nil},
		"chainnobarrier": {`volatile unsigned* flag = word; if (t == 0 && b) while (flag[b - 1] == 0) {}
  data[t] += b; __syncthreads(); if (t == 0) { __threadfence(); flag[b] = 1; }`, []string{race}},
		"chainnofence": {`volatile unsigned* flag = word; if (t == 0 && b) while (flag[b - 1] == 0) {} __syncthreads();
  data[t] += b; __syncthreads(); if (t == 0) flag[b] = 1;`, []string{race}},
		"setback":      {`if (t == 0) { volatile unsigned* flag = word; if (b < 3) flag[b] = 1; else for (int k = 0; k < 3; k++) { while (flag[k] == 0) {} word[k] = 0; } }`, nil},
		"setbackofall": {`if (t == 0) { atomicAdd(word, 1u); __threadfence(); *(volatile unsigned*)(word + 4 + b) = 1; if (atomicAdd(word + 1, 1u) == 3) for (int k = 0; k < 8; k++) word[k] = 0; }`, nil},
		"readback":     {`if (t == 0) { __threadfence(); *(volatile unsigned*)(word + 4 + b) = 1; atomicAdd(word + 1, 1u); out[b] = word[4 + (b + 1) % 4] + word[4 + (b + 2) % 4]; }`, []string{race}},
		// Locks.
		"lock":        {"if (t % 32 == 0) { while (atomicCAS(word, 0u, 1u)) {} __threadfence(); data[0] += t; __threadfence(); atomicExch(word, 0u); }", nil},
		"locknofence": {"if (t % 32 == 0) { while (atomicCAS(word, 0u, 1u)) {} data[0] += t; atomicExch(word, 0u); }", []string{race}},
		"twolocks":    {"if (t == 0) { unsigned* lock = word + b % 2; while (atomicCAS(lock, 0u, 1u)) {} __threadfence(); data[0] += 1; __threadfence(); atomicExch(lock, 0u); }", []string{race}},
		"blocklock":   {"unsigned* lock = word + b; if (t % 32 == 0) { while (atomicCAS(lock, 0u, 1u)) {} __threadfence_block(); data[b] += t; __threadfence_block(); atomicExch(lock, 0u); }", nil},
		"ticket":      {`if (t == 0) { unsigned mine = atomicAdd(word, 1u); while (*(volatile unsigned*)(word + 1) != mine) {} __threadfence(); data[0] += mine; __threadfence(); atomicAdd(word + 1, 1u); }`, nil},
		// A barrier of the grid, and one over what others heard.
		"grid": {`data[64 * b + t] = t;
  __syncthreads(); if (t == 0) { __threadfence(); atomicAdd(word, 1u); while (*(volatile unsigned*)word < 4) {} __threadfence(); } __syncthreads();
  int x = data[64 * ((b + 1) % 4) + t];
  __syncthreads(); if (t == 0) { __threadfence(); atomicAdd(word, 1u); while (*(volatile unsigned*)word < 8) {} __threadfence(); } __syncthreads();
  data[64 * b + t] = x;`, nil},
		"gridonce": {`data[64 * b + t] = t;
  __syncthreads(); if (t == 0) { __threadfence(); atomicAdd(word, 1u); while (*(volatile unsigned*)word < 4) {} __threadfence(); } __syncthreads();
  int x = data[64 * ((b + 1) % 4) + t]; __syncthreads(); data[64 * b + t] = x;`, []string{race}},
		"throughathird": {`volatile unsigned* flag = word; if (t) return;
  if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; }
  if (b == 1) { while (!flag[0]) {} __threadfence(); flag[1] = 1; }
  if (b == 2) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; data[0] = 8; }`, nil},
		"eachitsflag": {`data[64 * b + t] = t; __syncthreads(); volatile unsigned* flag = word; if (t == 0) { __threadfence(); flag[b] = 1; }
  if (t < 4) while (!flag[t]) {} __syncthreads(); int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[64 * b + t] = sum;`, nil},
		"wide": {`unsigned long long* both = (unsigned long long*)word; if (t) return;
  data[b] = b; __threadfence(); if (atomicAdd(both, 1ull << 32) >> 32 == 3) { __threadfence(); out[0] = data[0] + data[1] + data[2] + data[3]; }`, nil},
	})
}

// ordered is the body of a kernel of int* out, int* data and unsigned* word, in thread t of
// block b, and the parts of the error that it must have.
type ordered struct {
	body  string
	parts []string // nil: no race
}

// checkOrders launches each in four blocks of 64 threads.
func checkOrders(t *testing.T, kernels map[string]ordered) {
	t.Helper()
	for name, c := range kernels {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			workers := []int{1, 2}
			if name == "fencebeforeitlook" {
				// Beside another worker a look may hear of a write that ends between the look's
				// check and its load; the fence then counts, and the race is not seen.
				workers = workers[:1]
			}
			for _, workers := range workers {
				d := open(t, 3, sim.Workers(workers), sim.Resident(4), sim.Checks())
				k := compile(t, d, name, "extern \"C\" __global__ void "+name+"(int* out, int* data, unsigned* word) {\n  int t = threadIdx.x, b = blockIdx.x;\n  "+c.body+"\n}")
				args := []any{upload(t, d, make([]int32, 256)), upload(t, d, make([]int32, 256)), upload(t, d, make([]uint32, 128))}
				shape := gpu.Launch{Grid: gpu.Dim3{X: 4}, Block: gpu.Dim3{X: 64}}
				if c.parts == nil {
					launch(t, k, shape, args...)
				} else {
					fails(t, k, shape, args, append(c.parts, "kernel "+name, name+".cu:")...)
				}
			}
		})
	}
}
