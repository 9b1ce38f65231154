package sim_test

import "testing"

// A fence publishes what its own thread did and knew before it, at any later write, and
// nothing that comes between the two.
func TestOrderByFences(t *testing.T) {
	t.Parallel()
	const race = "race on global memory"
	const last = " __syncthreads(); if (last) { int sum = 0; for (int k = 0; k < 4; k++) sum += data[64 * k + t]; out[t] = sum; }"
	const count = "__shared__ bool last; if (t == 0) last = atomicAdd(word, 1u) == gridDim.x - 1;"
	const flag = "volatile unsigned* flag = word; "
	checkOrders(t, map[string]ordered{
		// One thread fences, and the others write.
		"fencebefore":      {"data[64 * b + t] = t; if (t == 0) __threadfence(); __syncthreads(); " + count + last, []string{race}},
		"fencebeforelast":  {"data[64 * b + t] = t; if (t == 63) __threadfence(); __syncthreads(); " + count + last, []string{race}},
		"fencebetween":     {"data[64 * b + t] = t; __syncthreads(); if (t == 63) __threadfence(); __syncthreads(); " + count + last, nil},
		"fencebeforewarp":  {"data[64 * b + t] = t; if (t % 32 == 31) __threadfence(); __syncwarp(); unsigned n = 0; if (t % 32 == 0) n = atomicAdd(word, 1u); n = __shfl_sync(~0u, n, 0); if (n == 7) { int sum = 0; for (int k = t % 32; k < 256; k += 32) sum += data[k]; out[t % 32] = sum; }", []string{race}},
		"fencebetweenwarp": {"data[64 * b + t] = t; __syncwarp(); if (t % 32 == 31) __threadfence(); __syncwarp(); unsigned n = 0; if (t % 32 == 0) n = atomicAdd(word, 1u); n = __shfl_sync(~0u, n, 0); if (n == 7) { int sum = 0; for (int k = t % 32; k < 256; k += 32) sum += data[k]; out[t % 32] = sum; }", nil},
		"othersfence":      {"if (t) { __threadfence(); return; } data[64 * b] = 1; __syncthreads(); if (atomicAdd(word, 1u) == 3) out[0] = data[0] + data[64] + data[128] + data[192];", []string{race}},
		// What is heard of after the fence.
		"heardafter": {flag + `if (t) return;
  if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; }
  if (b == 1) { __threadfence(); while (!flag[0]) {} flag[1] = 1; }
  if (b == 2) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; }`, []string{race}},
		"heardafterbarrier": {flag + `
  if (b == 0 && t == 0) { data[0] = 7; __threadfence(); flag[0] = 1; }
  if (b == 1) { if (t == 9) __threadfence(); if (t == 9) while (!flag[0]) {} __syncthreads(); if (t == 40) flag[1] = 1; }
  if (b == 2 && t == 0) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; }`, []string{race}},
		"heardbefore": {flag + `
  if (b == 0 && t == 0) { data[0] = 7; __threadfence(); flag[0] = 1; }
  if (b == 1) { if (t == 9) while (!flag[0]) {} __syncthreads(); if (t == 40) { __threadfence(); flag[1] = 1; } }
  if (b == 2 && t == 0) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; }`, nil},
		"heardbeforebyall": {flag + `
  if (b == 0 && t == 0) { data[0] = 7; __threadfence(); flag[0] = 1; }
  if (b == 1) { if (t == 9) { while (!flag[0]) {} __threadfence(); } __syncthreads(); if (t == 40) flag[1] = 1; }
  if (b == 2 && t == 0) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; }`, nil},
		// One's own block, and others.
		"blockscope": {"if (t % 32 == 0) { while (atomicCAS(word, 0u, 1u)) {} __threadfence_block(); data[0] += t; __threadfence_block(); atomicExch(word, 0u); }", []string{race}},
		"blockthendevice": {flag + `if (t == 0) { data[b] = 1; __threadfence_block(); flag[4 + b] = 1; }
  if (t == 32) { while (!flag[4 + b]) {} __threadfence(); if (atomicAdd(word, 1u) == 3) { __threadfence(); out[0] = data[0] + data[1] + data[2] + data[3]; } }`, nil},
		"deviceintheblock": {flag + `if (t == 0) { data[b] = 1; __threadfence_block(); flag[4 + b] = 1; }
  if (t == 32) { __threadfence(); while (!flag[4 + b]) {} if (atomicAdd(word, 1u) == 3) { __threadfence(); out[0] = data[0] + data[1] + data[2] + data[3]; } }`, []string{race}},
		"blockfenceafterdevice": {flag + `if (t) return; if (b == 0) { __threadfence(); data[0] = 1; __threadfence_block(); flag[0] = 1; } if (b == 1) { while (!flag[0]) {} __threadfence(); out[0] = data[0]; }`, []string{race}},
		// One fence serves several words, and updates keep what others published.
		"twoflags":   {flag + "if (t) return; if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; flag[1] = 1; } if (b == 1) { while (!flag[1]) {} __threadfence(); out[0] = data[0]; }", nil},
		"update":     {"if (t) return; if (b == 0) { data[0] = 7; __threadfence(); atomicAdd(word, 1u); } if (b == 1) { while (atomicCAS(word, 1u, 2u) != 1) {} } if (b == 2) { while (atomicAdd(word, 0u) != 2) {} __threadfence(); out[0] = data[0]; }", nil},
		"updateonly": {"if (t) return; if (b == 0) { __threadfence(); atomicAdd(word, 1u); } if (b == 1) { data[0] = 7; while (atomicCAS(word, 1u, 2u) != 1) {} } if (b == 2) { while (atomicAdd(word, 0u) != 2) {} __threadfence(); out[0] = data[0]; }", []string{race}},
		"exchange":   {"if (t) return; if (b == 0) { data[0] = 7; __threadfence(); atomicExch(word, 1u); } if (b == 1) { while (atomicExch(word, 0u) != 1) {} __threadfence(); out[0] = data[0]; }", nil},
		"maximum":    {"if (t) return; if (b == 0) { data[0] = 7; __threadfence(); atomicMax(word, 1u); } if (b == 1) { while (atomicMax(word, 0u) != 1) {} __threadfence(); out[0] = data[0]; }", nil},
		// The reader: a fence or a barrier stands between.
		"nofenceafter":      {flag + "if (t) return; if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; } if (b == 1) { while (!flag[0]) {} out[0] = data[0]; }", []string{race}},
		"fenceafter":        {flag + "if (t) return; if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; } if (b == 1) { while (!flag[0]) {} __threadfence(); out[0] = data[0]; }", nil},
		"volatiledata":      {flag + "volatile int* value = data; if (t) return; if (b == 0) { value[0] = 7; __threadfence(); flag[0] = 1; } if (b == 1) { while (!flag[0]) {} out[0] = value[0]; }", nil},
		"onelook":           {flag + "if (t) return; if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; } if (b == 1 && flag[0]) { __threadfence(); out[0] = data[0]; }", nil},
		"lastnofenceafter":  {"data[64 * b + t] = t; __threadfence(); if (atomicAdd(word, 1u) == 255) { int sum = 0; for (int k = 0; k < 256; k++) sum += data[k]; out[0] = sum; }", []string{race}},
		"warpafter":         {flag + "if (b == 0) { data[t] = 7; __syncthreads(); if (t == 0) { __threadfence(); flag[0] = 1; } } if (b == 1) { if (t % 32 == 0) while (!flag[0]) {} __syncwarp(); out[t] = data[t]; }", nil},
		"fencebeforeitlook": {flag + "if (t) return; if (b == 0) { data[0] = 7; __threadfence(); flag[0] = 1; } if (b == 1) { while (!flag[0]) { __threadfence(); } out[0] = data[0]; }", []string{race}},
		// Plain accesses beside atomic ones.
		"plainstore": {"if (t == 0) { if (b == 0) word[0] = 5; else atomicAdd(word, 1u); }", []string{race}},
		"plainload":  {"if (t == 0) { if (b == 0) out[0] = word[0]; else atomicAdd(word, 1u); }", []string{race}},
	})
}
