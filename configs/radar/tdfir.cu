// A bank of FIR filters on complex samples: y[m][i] = Σ w[m][k]·x[m][i-k], samples
// before the first are 0. HPEC Challenge, TDFIR.
//
// A problem takes 8·FILTERS·SAMPLES·TAPS FLOPs and 8·FILTERS·(2·SAMPLES + TAPS)
// bytes, TAPS/2 FLOPs a byte. An H100 does about 20 FLOPs in the time of a byte, so
// from some 40 taps on multiply-adds bound it, below that memory does.

// A thread an output: four multiply-adds for two loads of 8 bytes, which is what the
// first-level cache gives, and a fraction of what the multipliers take.
extern "C" __global__ void plain(const float2 *x, const float2 *w, float2 *y, int samples) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples)
        return;
    x += blockIdx.y * (size_t)samples;
    w += blockIdx.y * (size_t)TAPS;
    float2 sum = make_float2(0, 0);
    for (int k = 0; k < TAPS && k <= i; k++) {
        float2 a = w[k], b = x[i - k];
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }
    y[blockIdx.y * (size_t)samples + i] = sum;
}

#ifdef OUTPUTS

// The taps are taken in chunks of OUTPUTS, the last one filled with zeros.
constexpr int CHUNKS = (TAPS + OUTPUTS - 1) / OUTPUTS;
constexpr int HISTORY = CHUNKS * OUTPUTS;
constexpr int SPAN = THREADS * OUTPUTS;

// OUTPUTS samples in shared memory are followed by two unused ones: threads that
// read 16 bytes each, OUTPUTS samples apart, then meet different banks.
constexpr int STEP = OUTPUTS + 2;

// Places add up, of a thread and of a multiple of THREADS, which is one of OUTPUTS.
__device__ __forceinline__ int place(int i) { return i / OUTPUTS * STEP + i % OUTPUTS; }

__device__ __forceinline__ void take(float2 (&to)[OUTPUTS], const float2 *from) {
#pragma unroll
    for (int i = 0; i < OUTPUTS; i += 2) {
        float4 two = *reinterpret_cast<const float4 *>(from + i);
        to[i] = make_float2(two.x, two.y);
        to[i + 1] = make_float2(two.z, two.w);
    }
}

// Adds a chunk of taps to OUTPUTS sums: of sum r tap j meets sample r-j of late, or
// of early, the samples before. A part of a tap is taken for all sums in a row: it stays at
// the multipliers, and none waits for the sum before.
__device__ __forceinline__ void accumulate(float2 (&sum)[OUTPUTS], const float2 (&late)[OUTPUTS], const float2 (&early)[OUTPUTS], const float2 *weights) {
    float2 w[OUTPUTS];
    take(w, weights);
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++)
#pragma unroll
        for (int part = 0; part < 2; part++)
#pragma unroll
            for (int r = 0; r < OUTPUTS; r++) {
                float2 v = r >= j ? late[r >= j ? r - j : 0] : early[r >= j ? 0 : r - j + OUTPUTS];
                if (part == 0) {
                    sum[r].x = fmaf(w[j].x, v.x, sum[r].x);
                    sum[r].y = fmaf(w[j].x, v.y, sum[r].y);
                } else {
                    sum[r].x = fmaf(-w[j].y, v.y, sum[r].x);
                    sum[r].y = fmaf(w[j].y, v.x, sum[r].y);
                }
            }
}

// A thread OUTPUTS neighbouring outputs of a filter, with sums and a window of
// 2·OUTPUTS samples in registers: 4·OUTPUTS² multiply-adds for OUTPUTS loads of 16
// bytes from shared memory, half of them the same for all threads. Two windows take
// turns, so that no register is copied. The answer goes through shared memory, so
// that neighbouring threads write neighbours.
extern "C" __global__ void __launch_bounds__(THREADS) blocked(const float2 *x, const float2 *w, float2 *y, int samples) {
    __shared__ __align__(16) float2 signal[(CHUNKS + THREADS) * STEP];
    __shared__ __align__(16) float2 weights[HISTORY];
    x += blockIdx.y * (size_t)samples;
    y += blockIdx.y * (size_t)samples;
    w += blockIdx.y * (size_t)TAPS;
    int first = blockIdx.x * SPAN + threadIdx.x;
    float2 *places = signal + place(threadIdx.x);
#pragma unroll
    for (int i = 0; i < HISTORY + SPAN; i += THREADS)
        if (i + threadIdx.x < HISTORY + SPAN) {
            int at = first - HISTORY + i;
            places[place(i)] = (unsigned)at < (unsigned)samples ? x[at] : make_float2(0, 0);
        }
    for (int k = threadIdx.x; k < HISTORY; k += THREADS)
        weights[k] = k < TAPS ? w[k] : make_float2(0, 0);
    __syncthreads();

    float2 sum[OUTPUTS] = {};
    float2 even[OUTPUTS], odd[OUTPUTS];
    const float2 *own = signal + (CHUNKS + threadIdx.x) * STEP;
    take(even, own);
#pragma unroll 1
    for (int c = 0; c + 1 < CHUNKS; c += 2) {
        take(odd, own - (c + 1) * STEP);
        accumulate(sum, even, odd, weights + c * OUTPUTS);
        take(even, own - (c + 2) * STEP);
        accumulate(sum, odd, even, weights + (c + 1) * OUTPUTS);
    }
    if (CHUNKS % 2 == 1) {
        take(odd, own - CHUNKS * STEP);
        accumulate(sum, even, odd, weights + (CHUNKS - 1) * OUTPUTS);
    }

    __syncthreads();
#pragma unroll
    for (int r = 0; r < OUTPUTS; r += 2)
        *reinterpret_cast<float4 *>(signal + threadIdx.x * STEP + r) = make_float4(sum[r].x, sum[r].y, sum[r + 1].x, sum[r + 1].y);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SPAN; i += THREADS)
        if (first + i < samples)
            y[first + i] = places[place(i)];
}

#endif
