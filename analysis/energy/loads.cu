// loads.cu: loads whose power tells what each kind of work takes. Values differ between threads and change with
// each step, as constant ones take less. What a compiler must not know is made from held, which is above 0.

typedef unsigned u32;

// Of each load x has n numbers, y has n, or one, m and c hold e elements, a table, or a few.

static __device__ __forceinline__ int me() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Writes a thread's value to all places of the n whose number is the thread's modulo the number of threads.
static __device__ __forceinline__ void finish(float *y, int n, float4 *c, float value)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = me(); i < n; i += threads)
        y[i] = value;
    if (me() == 0)
        c[0] = make_float4(0, 0, 0, 0);
}

// Factors below 1, so that what is rounded is soon forgotten.
static __device__ __forceinline__ float factor(int k) { return k == 0 ? 0.71f : k == 1 ? -0.83f : k == 2 ? 0.59f : -0.93f; }

static __device__ __forceinline__ float fused(float a, float b, float c) { return fmaf(a, b, c); }

static __device__ __forceinline__ double fused(double a, double b, double c) { return fma(a, b, c); }

// Four chains of multiply-adds of three registers; 16 · rounds of each.
template <class T> static __device__ __forceinline__ float products(float h, int rounds, u32 held)
{
    T b[4], v[4], f[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        f[j] = held > 0 ? T(factor(j)) : T(0);
        v[j] = b[j] = T(h) * T(1 + j) / 4;
    }
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = fused(v[j], f[u & 3], b[(u + j) & 3]);
    }
    return float(v[0] + v[1] + v[2] + v[3]);
}

extern "C" __global__ void __launch_bounds__(256) load_float32(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, products<float>(x[me() % n], rounds, held));
}

extern "C" __global__ void __launch_bounds__(256) load_float64(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, products<double>(x[me() % n], rounds, held));
}

// One lane of each warp works: what it takes to issue.
extern "C" __global__ void __launch_bounds__(256) load_issue(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, products<float>(x[me() % n], me() % 32 ? 0 : rounds, held));
}

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

// Four chains of pairs of halves.
extern "C" __global__ void __launch_bounds__(256) load_float16(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const float h = x[me() % n];
    u32 a[4], b[4], v[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        a[j] = pair(factor(j), factor(j));
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
static __device__ __forceinline__ u32 shifted(u32 v, u32, u32 b)
{
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    return v + b;
}

static __device__ __forceinline__ u32 multiplied(u32 v, u32 a, u32 b) { return v * a + b; }

// Both halves of a product.
static __device__ __forceinline__ u32 widened(u32 v, u32 a, u32 b) { return (__umulhi(v, a) ^ v * a) + b; }

// To float32, which has 24 bits exactly, and back.
static __device__ __forceinline__ u32 converted(u32 v, u32, u32 b) { return u32(__float2int_rn(__int2float_rn(int(v)))) ^ b >> 8; }

// Four chains of steps.
template <u32 (*step)(u32, u32, u32), int drop> static __device__ __forceinline__ float whole(u32 seed, int rounds, u32 held)
{
    const u32 a = held > 0 ? 2891336453u : 0, b = held > 0 ? 1013904223u : 0;
    u32 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = (seed * 2654435761u + j + 1) >> drop;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 8; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = step(v[j], a, b);
    }
    return float((v[0] ^ v[1] ^ v[2] ^ v[3]) >> (8 - drop));
}

extern "C" __global__ void __launch_bounds__(256) load_integer(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<shifted, 0>(me() % n, rounds, held));
}

extern "C" __global__ void __launch_bounds__(256) load_multiply(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<multiplied, 0>(me() % n, rounds, held));
}

extern "C" __global__ void __launch_bounds__(256) load_wide(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<widened, 0>(me() % n, rounds, held));
}

extern "C" __global__ void __launch_bounds__(256) load_conversion(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, whole<converted, 8>(me() % n, rounds, held));
}

extern "C" __global__ void __launch_bounds__(256) load_special(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const float h = x[me() % n];
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = h / (j + 1);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 4; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = __cosf(v[j] + factor(u));
    }
    finish(y, n, c, v[0] + v[1] + v[2] + v[3]);
}

static __device__ __forceinline__ float inverse_root(float v)
{
#ifdef BENCH_SIM
    return 1 / sqrtf(v);
#else
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
#endif
}

// Inverse roots, which no addition comes between.
extern "C" __global__ void __launch_bounds__(256) load_root(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const float h = x[me() % n];
    float v[4];
#pragma unroll
    for (int j = 0; j < 4; j++)
        v[j] = 2 + h / (j + 1);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int j = 0; j < 4; j++)
                v[j] = inverse_root(v[j]);
    }
    finish(y, n, c, v[0] + v[1] + v[2] + v[3]);
}

// What the places of the matrices of a warp hold: 33 different numbers that float16 has exactly.
static __device__ __forceinline__ float entry(int warp, int row, int column)
{
    return float(int((u32(warp * 64 + row) * 2654435761u ^ u32(column) * 2246822519u) >> 11 & 31) - 16) / 16;
}

// Products of 16 × 16 by 16 × 8 of float16, added up in float32: four for a round.
extern "C" __global__ void __launch_bounds__(256) load_tensor(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const int i = me() % n, warp = i / 32, g = i % 32 / 4, t = i % 4;
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

// A thread has its neighbours' numbers in turn, in the end its own.
extern "C" __global__ void __launch_bounds__(256) load_exchange(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    u32 v = u32(me() % n) * 2654435761u;
    const u32 b = held > 0 ? 1013904223u : 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 20; k++)
            v = __shfl_xor_sync(0xffffffffu, v, 1 << k % 5) + b;
    }
    finish(y, n, c, float(v >> 8));
}

static __device__ __forceinline__ void add(float4 &s, float4 w)
{
    s.x += w.x;
    s.y += w.y;
    s.z += w.z;
    s.w += w.w;
}

static __device__ __forceinline__ float total(float4 s) { return s.x + s.y + (s.z + s.w); }

// A table has as many words and some beyond, which need no wrapping: 20 KiB.
enum { words = 4096, table_words = 5120 };

// The sum of 8 · rounds elements of a table.
static __device__ __forceinline__ float sum_of_elements(const float4 *table, int rounds)
{
    float4 s = make_float4(0, 0, 0, 0);
    u32 at = threadIdx.x;
    for (int r = 0; r < rounds; r++, at = (at + 5 * 32) & (words / 4 - 1)) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            add(s, table[at + 32 * k]);
    }
    return total(s);
}

// The sum of 16 · rounds words of a table.
static __device__ __forceinline__ float sum_of_words(const float *table, u32 at, int rounds)
{
    float4 s = make_float4(0, 0, 0, 0);
    for (int r = 0; r < rounds; r++, at = (at + 37 * 32) & (words - 1)) {
#pragma unroll
        for (int k = 0; k < 16; k += 4)
            add(s, make_float4(table[at + 32 * k], table[at + 32 * k + 32], table[at + 32 * k + 64], table[at + 32 * k + 96]));
    }
    return total(s);
}

// Where threads begin: beside each other, all lanes of a warp at one word, or eight of them at a bank.
static __device__ __forceinline__ u32 beside() { return threadIdx.x; }

static __device__ __forceinline__ u32 same() { return threadIdx.x / 32; }

static __device__ __forceinline__ u32 apart() { return threadIdx.x % 32 * 8 + threadIdx.x / 32; }

// The table in shared memory.
static __device__ __forceinline__ const float4 *tile(const float4 *m)
{
    __shared__ float4 copied[table_words / 4];
    for (u32 i = threadIdx.x; i < table_words / 4; i += blockDim.x)
        copied[i] = m[i];
    __syncthreads();
    return copied;
}

extern "C" __global__ void __launch_bounds__(256) load_shared(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_elements(tile(m), rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_shared_words(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_words(&tile(m)->x, beside(), rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_shared_same(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_words(&tile(m)->x, same(), rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_shared_conflicts(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_words(&tile(m)->x, apart(), rounds));
}

// The table is read from memory: the first-level cache has it.
extern "C" __global__ void __launch_bounds__(256) load_L1(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_elements(m, rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_L1_words(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_words(&m[0].x, beside(), rounds));
}

extern "C" __global__ void __launch_bounds__(256) load_L1_same(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, sum_of_words(&m[0].x, same(), rounds));
}

// Each thread writes rounds times 16 words of shared memory, and reads the first in the end.
extern "C" __global__ void __launch_bounds__(256) load_shared_written(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    __shared__ float table[16 * 256];
    volatile float *own = table + threadIdx.x;
    float v = x[me() % n];
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            own[256 * k] = v + k;
        v += 16;
    }
    finish(y, n, c, own[0]);
}
