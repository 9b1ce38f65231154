package sim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// fails launches k and wants an error that holds each of parts.
func fails(t *testing.T, k gpu.Kernel, shape gpu.Launch, args []any, parts ...string) {
	t.Helper()
	err := k.Launch(0, shape, args...)
	if err == nil {
		t.Fatalf("the launch succeeded: want an error with %q", parts)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}

// Neighbours exchange values through shared memory. Without the barrier the
// order of the threads decides who reads before the other has written.
func TestMissingBarrier(t *testing.T) {
	t.Parallel()
	const text = `
extern "C" __global__ void exchange(int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = threadIdx.x;
  BARRIER
  out[threadIdx.x] = s[(threadIdx.x + 37) % 128];
}`
	run := func(seed uint64, barrier string) []int32 {
		d := open(t, seed)
		k := compile(t, d, "exchange", strings.Replace(text, "BARRIER", barrier, 1))
		out := upload(t, d, make([]int32, 128))
		launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 128}}, out)
		return download[int32](t, d, out, 128)
	}
	right := run(0, "__syncthreads();")
	equal(t, right, func(i int) int32 { return int32(i+37) % 128 })
	different := map[string]bool{}
	for seed := range uint64(8) {
		if !slices.Equal(run(seed, "__syncthreads();"), right) {
			t.Errorf("seed %d: wrong with the barrier", seed)
		}
		wrong := run(seed, "")
		if slices.Equal(wrong, right) {
			t.Errorf("seed %d: the missing barrier does not show", seed)
		}
		var key strings.Builder
		for _, v := range wrong {
			key.WriteByte(byte(v))
		}
		different[key.String()] = true
	}
	if len(different) < 2 {
		t.Error("every seed ran the threads in the same order")
	}
}

// Lanes of a warp exchange values: without __syncwarp every seed gives a wrong result.
func TestMissingWarpBarrier(t *testing.T) {
	t.Parallel()
	for _, barrier := range []string{"", "__syncwarp();"} {
		wrong := 0
		for seed := range uint64(8) {
			d := open(t, seed)
			k := compile(t, d, "reverse", `
extern "C" __global__ void reverse(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  `+barrier+`
  out[threadIdx.x] = s[31 - threadIdx.x];
}`)
			out := upload(t, d, make([]int32, 32))
			launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 32}}, out)
			for i, v := range download[int32](t, d, out, 32) {
				if v != int32(31-i) {
					wrong++
					break
				}
			}
		}
		if want := map[string]int{"": 8, "__syncwarp();": 0}[barrier]; wrong != want {
			t.Errorf("barrier %q: %d of 8 seeds give a wrong result, want %d", barrier, wrong, want)
		}
	}
}

func TestOutOfBounds(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "put", `
extern "C" __global__ void put(float* out, int at, float value) {
  if (blockIdx.x == 2 && threadIdx.x == 5) out[at] = value;
}`)
	shape := gpu.Launch{Grid: gpu.Dim3{X: 3}, Block: gpu.Dim3{X: 64}}
	for _, c := range []struct {
		elements, at int
		parts        []string
	}{
		{1024, 1024, []string{"kernel put", "block (2,0,0), thread (5,0,0): put.cu:3:", "0 bytes past the end of argument 1, an allocation of 4096 bytes"}},
		{1024, 1030, []string{"24 bytes past the end of argument 1, an allocation of 4096 bytes"}},
		{1024, -1, []string{"4 bytes before argument 1, an allocation of 4096 bytes"}},
		{1023, 1023, []string{"kernel put", "wrote 0 bytes past the end of an allocation of 4092 bytes"}},
		{1000, -1, []string{"kernel put", "wrote 4 bytes before an allocation of 4000 bytes"}},
		{1000, 1 << 29, []string{"which is not device memory"}},
	} {
		p := upload(t, d, make([]float32, c.elements))
		fails(t, k, shape, []any{p, int32(c.at), float32(1)}, c.parts...)
		launch(t, k, shape, p, int32(c.elements-1), float32(1)) // and goes on
		if err := d.Free(p); err != nil {
			t.Fatal(err)
		}
	}
	fails(t, k, shape, []any{gpu.Pointer(0), int32(0), float32(1)}, "not device memory")
}

func TestSharedOutOfBounds(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "dynamic", `
extern "C" __global__ void dynamic(int at) {
  extern __shared__ float s[];
  s[at] = 1;
}`)
	shape := gpu.Launch{SharedBytes: 1024}
	launch(t, k, shape, int32(255))
	fails(t, k, shape, []any{int32(256)}, "block (0,0,0), thread (0,0,0)", "dynamic.cu:4", "0 bytes past the end of the dynamic shared memory (1024 bytes)")
}

func TestDivergentBarriers(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	for name, c := range map[string]struct {
		body  string
		parts []string
	}{
		"branches": {"if (threadIdx.x < 16) __syncthreads();\n else\n __syncthreads();", []string{"kernel branches", "branches.cu:", "divergent barrier", "wait at the barrier in line"}},
		"shuffle": {"if (threadIdx.x < 16) __syncthreads();\n else __shfl_sync(~0u, 1, 0);",
			[]string{"deadlock", "16 wait at the barrier of shuffle.cu:2", "16 wait in the warp operation of shuffle.cu:3"}},
		"mask":   {"if (threadIdx.x < 20) __syncwarp(0xffffffff);\n else if (threadIdx.x < 32) __syncthreads();", []string{"deadlock", "lanes 0xfff00000 have not come"}},
		"absent": {"if (threadIdx.x == 3) __shfl_sync(0x7u, 1, 0);", []string{"thread (3,0,0)", "mask 0x00000007 does not name the calling lane 3"}},
		"mixed":  {"if (threadIdx.x == 3) __syncwarp();\n else __ballot_sync(~0u, 1);", []string{"different operations"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, name, "extern \"C\" __global__ void "+name+"() {\n"+c.body+"\n}")
			fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 2}, Block: gpu.Dim3{X: 64}}, nil, c.parts...)
		})
	}
}

// A thread that has returned counts as arrived at a barrier.
func TestReturnedThreads(t *testing.T) {
	t.Parallel()
	d := open(t, 2)
	k := compile(t, d, "early", `
extern "C" __global__ void early(int* out, int n) {
  if (threadIdx.x >= n) return;
  int sum = __reduce_add_sync(~0u, 1);
  __syncthreads();
  out[threadIdx.x] = sum;
}`)
	out := upload(t, d, make([]int32, 50))
	launch(t, k, gpu.Launch{Block: gpu.Dim3{X: 128}}, out, int32(50))
	equal(t, download[int32](t, d, out, 50), func(i int) int32 {
		if i < 32 {
			return 32
		}
		return 18
	})
}

func TestFaultsOfOneThread(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	for name, c := range map[string]struct{ body, want string }{
		"divide": {"out[0] = 7 / (out[threadIdx.x] - 1);", "integer division by zero"},
		"deep":   {"volatile int big[40000]; for (int i = 39999; i >= 0; i--) big[i] = i; out[0] = big[out[0]];", "stack overflow"},
		"claim":  {"\n\nassert(threadIdx.x < 3);", "claim.cu:4: assertion failed: threadIdx.x < 3"},
		"trap":   {"if (threadIdx.x == 3) __trap();", "thread (3,0,0): trap.cu:2: __trap()"},
	} {
		t.Run(name, func(t *testing.T) {
			k := compile(t, d, name, "extern \"C\" __global__ void "+name+"(int* out) {\n"+c.body+"\n}")
			p := upload(t, d, slices.Repeat([]int32{1}, 4))
			fails(t, k, gpu.Launch{Block: gpu.Dim3{X: 4}}, []any{p}, "kernel "+name, c.want)
		})
	}
}

func TestUnwrittenOutput(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "most", `
extern "C" __global__ void most(float* out, double* sums) {
  __shared__ float s[64];
  extern __shared__ double x[];
  if (threadIdx.x != 11) out[threadIdx.x] = 1;
  if (threadIdx.x != 12) s[threadIdx.x] = 1;
  if (threadIdx.x != 13) x[threadIdx.x] = 1;
  __syncthreads();
  sums[threadIdx.x] = s[threadIdx.x] + x[threadIdx.x];
}`)
	out, err := d.Alloc(64 * 4)
	if err != nil {
		t.Fatal(err)
	}
	sums := upload(t, d, make([]float64, 64))
	for range 2 { // a former block leaves nothing behind
		launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 4}, Block: gpu.Dim3{X: 64}, SharedBytes: 64 * 8}, out, sums)
		for i, v := range download[float32](t, d, out, 64) {
			if math.IsNaN(float64(v)) != (i == 11) {
				t.Errorf("out[%d] = %v", i, v)
			}
		}
		for i, v := range download[float64](t, d, sums, 64) {
			if math.IsNaN(v) != (i == 12 || i == 13) {
				t.Errorf("sums[%d] = %v", i, v)
			}
		}
	}
}

// A fault of Go code during a launch still becomes a Go panic.
func TestGoFaultDuringLaunch(t *testing.T) {
	const turns = 300_000_000
	d := open(t, 1)
	k := compile(t, d, "long_one", `extern "C" __global__ void long_one(volatile int* p, int n) { for (int i = 0; i < n; i++) *p = i; }`)
	p := upload(t, d, []int32{0})
	done := make(chan error)
	go func() { done <- k.Launch(0, gpu.Launch{}, p, int32(turns)) }()
	during := false
	for {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			if !during {
				t.Error("no panic happened during the launch")
			}
			return
		default:
			func() {
				defer func() {
					if recover() != nil && !during {
						turn := download[int32](t, d, p, 1)[0]
						during = turn > 0 && turn < turns-1
					}
				}()
				var none *int
				*none = 1
			}()
		}
	}
}

// An error in one block ends the launch although others would wait for ever.
func TestFaultEndsWaitingBlocks(t *testing.T) {
	t.Parallel()
	d := open(t, 1, sim.Workers(2), sim.Resident(6))
	k := compile(t, d, "half", `
extern "C" __global__ void half(volatile int* flag, int* at) {
  if (blockIdx.x == 5) at[threadIdx.x] = 1;
  while (*flag == 0) {}
}`)
	flag := upload(t, d, []int32{0})
	fails(t, k, gpu.Launch{Grid: gpu.Dim3{X: 6}, Block: gpu.Dim3{X: 2}}, []any{flag, gpu.Pointer(4096)}, "block (5,0,0)", "half.cu:3", "not device memory")
	if err := d.SetAsync(flag, 1, 4, 0); err != nil {
		t.Fatal(err)
	}
	launch(t, k, gpu.Launch{Grid: gpu.Dim3{X: 5}, Block: gpu.Dim3{X: 2}}, flag, gpu.Pointer(4096))
}

// One byte, one thread: in the singular.
func TestFaultsOfOne(t *testing.T) {
	t.Parallel()
	d := open(t, 0, sim.Checks())
	k := compile(t, d, "one", `
extern "C" __global__ void one(char* p, int n) {
  p[n] = 1;
}`)
	one := gpu.Launch{Block: gpu.Dim3{X: 1}}
	p := upload(t, d, make([]byte, 1))
	fails(t, k, one, []any{p, int32(2)}, "writes 1 byte at 1 byte past the end of argument 1, an allocation of 1 byte")
	fails(t, k, one, []any{p, int32(-1)}, "writes 1 byte at 1 byte before argument 1")
	fails(t, k, one, []any{p}, "1 argument: it takes 2")
	stuck := compile(t, d, "stuck", `
extern "C" __global__ void stuck() {
  if (threadIdx.x == 0) __syncwarp(3);
  else __syncthreads();
}`)
	fails(t, stuck, gpu.Launch{Block: gpu.Dim3{X: 3}}, nil, "deadlock: of 3 threads that have not returned", "; 1 waits in the warp operation", "; 2 wait at the barrier")
}
