// loads.cu: loads whose power tells what each kind of work takes. Values differ between threads and change with
// each step, as constant ones take less.

typedef unsigned u32;

// Of each load x has n numbers, m and c hold e elements, or a few where a load does not move them; y has n numbers, or one.

// Writes a thread's value to all places of the n whose number is the thread's modulo the number of threads.
static __device__ __forceinline__ void finish(float *y, int n, uint4 *c, float value)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        y[i] = value;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        c[0] = make_uint4(0, 0, 0, 0);
}

// Factors below 1, so that what is rounded is soon forgotten.
template <class T> static __device__ __forceinline__ T factor(int k)
{
    return k == 0 ? T(0.71) : k == 1 ? T(-0.83) : k == 2 ? T(0.59) : T(-0.93);
}

// Four chains of multiply-adds; 16 · rounds of each.
template <class T> static __device__ __forceinline__ float products(float h, int rounds)
{
    T b[4], v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = b[j] = T(h) * T(1 + j) / 4;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = v[j] * factor<T>(u & 3) + b[(u + j) & 3];
    }
    return float(v[0] + v[1] + v[2] + v[3]);
}

extern "C" __global__ void __launch_bounds__(256) load_float32(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, products<float>(x[(blockIdx.x * blockDim.x + threadIdx.x) % n], rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_float64(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, products<double>(x[(blockIdx.x * blockDim.x + threadIdx.x) % n], rounds));
}

// One lane of each warp works: what it takes to issue.
extern "C" __global__ void __launch_bounds__(256) load_issue(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    finish(y, n, c, products<float>(x[i % n], i % 32 ? 0 : rounds));
}

// Two chains of pairs of halves.
static __device__ __forceinline__ u32 pair(float low, float high)
{
    u32 p;
    asm("{ .reg .f16 l, h;\n cvt.rn.f16.f32 l, %1;\n cvt.rn.f16.f32 h, %2;\n mov.b32 %0, {l, h}; }" : "=r"(p) : "f"(low), "f"(high));
    return p;
}

static __device__ __forceinline__ u32 fma2(u32 a, u32 b, u32 c)
{
    u32 d;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

static __device__ __forceinline__ float sum2(u32 a)
{
    float l, h;
    asm("{ .reg .f16 x, y;\n mov.b32 {x, y}, %2;\n cvt.f32.f16 %0, x;\n cvt.f32.f16 %1, y; }" : "=f"(l), "=f"(h) : "r"(a));
    return l + h;
}

extern "C" __global__ void __launch_bounds__(256) load_float16(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const float h = x[(blockIdx.x * blockDim.x + threadIdx.x) % n];
    u32 a[4], b[4], v[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        a[j] = pair(factor<float>(j), factor<float>(j));
        v[j] = b[j] = pair(h * (1 + j) / 4, h / (1 + j));
    }
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = fma2(v[j], a[u & 3], b[(u + j) & 3]);
    }
    finish(y, n, c, sum2(v[0]) + sum2(v[1]) + sum2(v[2]) + sum2(v[3]));
}

// Shifts, exclusive ors and sums (Marsaglia, "Xorshift RNGs", 2003).
static __device__ __forceinline__ u32 shifted(u32 v)
{
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    return v + 0x9e3779b9u;
}

static __device__ __forceinline__ u32 multiplied(u32 v) { return v * 1664525u + 1013904223u; }

template <u32 (*step)(u32)> static __device__ __forceinline__ float whole(u32 seed, int rounds)
{
    u32 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = seed * 2654435761u + j + 1;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = step(v[j]);
    }
    return float((v[0] ^ v[1] ^ v[2] ^ v[3]) >> 8);
}

extern "C" __global__ void __launch_bounds__(256) load_integer(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<shifted>((blockIdx.x * blockDim.x + threadIdx.x) % n, rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_multiply(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<multiplied>((blockIdx.x * blockDim.x + threadIdx.x) % n, rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_special(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const float h = x[(blockIdx.x * blockDim.x + threadIdx.x) % n];
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = h / (j + 1);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 4; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = __cosf(v[j] + factor<float>(u));
    }
    finish(y, n, c, v[0] + v[1] + v[2] + v[3]);
}

// What the places of the matrices of a warp hold: 33 different numbers that float16 has exactly.
static __device__ __forceinline__ float entry(int warp, int row, int column)
{
    return float(int((u32(warp * 64 + row) * 2654435761u ^ u32(column) * 2246822519u) >> 11 & 31) - 16) / 16;
}

// Products of 16 × 16 by 16 × 8 of float16, added up in float32: four for a round.
extern "C" __global__ void __launch_bounds__(256) load_tensor(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) % n, warp = i / 32, g = i % 32 / 4, t = i % 4;
    float d[4][4] = {};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    const u32 a0 = pair(entry(warp, g, 2 * t), entry(warp, g, 2 * t + 1)), a1 = pair(entry(warp, g + 8, 2 * t), entry(warp, g + 8, 2 * t + 1));
    const u32 a2 = pair(entry(warp, g, 2 * t + 8), entry(warp, g, 2 * t + 9)), a3 = pair(entry(warp, g + 8, 2 * t + 8), entry(warp, g + 8, 2 * t + 9));
    u32 b[4][2];
#pragma unroll
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 2; k++)
            b[j][k] = pair(entry(j, 2 * t + 8 * k, g + 16), entry(j, 2 * t + 8 * k + 1, g + 16));
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int j = 0; j < 4; j++)
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                         : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
                         : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b[j][0]), "r"(b[j][1]));
    }
#endif
    finish(y, n, c, d[0][0] + d[1][0] + d[2][0] + d[3][0]);
}

static __device__ __forceinline__ u32 mixed4(uint4 w) { return w.x ^ w.y ^ w.z ^ w.w; }

// Each thread reads 64 · rounds bytes of shared memory, free of bank conflicts.
extern "C" __global__ void __launch_bounds__(256) load_shared(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    __shared__ uint4 tile[1024];
    for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] = make_uint4(multiplied(i), multiplied(i + 1024), multiplied(i + 2048), multiplied(i + 3072));
    __syncthreads();
    u32 v = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            v ^= mixed4(tile[(threadIdx.x + (5 * r + k) * 32) & 1023]) + r;
    }
    finish(y, n, c, float(v >> 8));
}

// Each thread reads 64 · rounds bytes of 16 KiB, which the first-level cache holds.
extern "C" __global__ void __launch_bounds__(256) load_L1(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    u32 v = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            v ^= mixed4(m[(threadIdx.x + (5 * r + k) * 32) & 1023]) + r;
    }
    finish(y, n, c, float(v >> 8));
}

static __device__ __forceinline__ uint4 from_l2(const uint4 *at)
{
#ifdef BENCH_SIM
    return *at;
#else
    uint4 v;
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
    return v;
#endif
}

// Each thread reads 64 · rounds bytes of held ones (elements of 16 bytes, a power of two), which the L2 cache holds.
extern "C" __global__ void __launch_bounds__(256) load_L2(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    u32 v = 0, at = (blockIdx.x * 7 + 1) * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++, at += 256)
            v ^= mixed4(from_l2(m + (at & (held - 1)))) + r;
    }
    finish(y, n, c, float(v >> 8));
}

// Each thread reads rounds elements of the L2 cache, each when it has the one before.
extern "C" __global__ void __launch_bounds__(256) load_waiting(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    u32 at = blockIdx.x * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        at += 256 + (from_l2(m + (at & (held - 1))).x & 32);
    finish(y, n, c, float(at & 0xffffff));
}

// Each thread adds 4 · rounds to words of its block in the L2 cache; n is the number of threads or more.
extern "C" __global__ void __launch_bounds__(256) load_atomics(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    u32 *mine = (u32 *)y + blockIdx.x * blockDim.x;
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < 4 * rounds; r++)
        atomicAdd(mine + (threadIdx.x + 32 * r) % blockDim.x, 1u);
    __syncthreads();
    const float counted = float(atomicAdd(mine + threadIdx.x, 0u));
    __syncthreads();
    finish(y, n, c, counted);
}

extern "C" __global__ void load_empty(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held) { finish(y, n, c, 1); }

// Copies e elements of 16 bytes, four at once.
extern "C" __global__ void __launch_bounds__(256) load_copy(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += 4 * threads) {
        uint4 w[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                w[k] = m[i + k * threads];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                c[i + k * threads] = w[k];
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        y[0] = 0;
}

extern "C" __global__ void __launch_bounds__(256) load_write(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += threads) {
        const u32 v = multiplied(i);
        c[i] = make_uint4(v, v ^ 0x5bd1e995u, multiplied(v), ~v);
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        y[0] = 0;
}

// A copy that multiplies and adds 64 times an element meanwhile: much at once, which takes a GPU to its power limit.
extern "C" __global__ void __launch_bounds__(256) load_both(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += threads) {
        uint4 w = m[i];
        w.x ^= products<float>(float(w.y >> 8) / 16777216, 1) > 1e9f; // it is at most 100, which no compiler knows
        c[i] = w;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        y[0] = 0;
}

// Each thread reads elements that lie one after the other as those of its neighbours.
extern "C" __global__ void __launch_bounds__(256) load_read(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    u32 v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += 4 * threads)
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                v ^= mixed4(m[i + k * threads]) + k;
    finish(y, n, c, float(v >> 8));
}

// Each thread reads rounds words at places as if at random.
extern "C" __global__ void __launch_bounds__(256) load_gather(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held)
{
    const u32 *words = (const u32 *)m;
    u32 v = 0, at = (blockIdx.x * blockDim.x + threadIdx.x) % n * 64;
    for (int r = 0; r < rounds; r++, at++)
        v ^= words[(at * 0x9e3779b1u ^ (at * 0x85ebca6bu) >> 15) & (4u * e - 1)];
    finish(y, n, c, float(v >> 8));
}
