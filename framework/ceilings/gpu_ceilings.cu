// gpu_ceilings.cu: what the device can do at most: copy memory, and multiply
// and add.

// Fills n words with a hash of their index: memory may move constant data
// faster than any real data.
extern "C" __global__ void fill(unsigned *out, long long n)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        unsigned x = (unsigned)i * 2654435761u;
        x ^= x >> 15;
        out[i] = x * 2246822519u;
    }
}

// Each block copies a tile of 4 · blockDim.x elements of 16 bytes, with four
// loads in flight a thread. n counts elements.
extern "C" __global__ void __launch_bounds__(256) copy(float4 *__restrict__ out, const float4 *__restrict__ in, long long n)
{
    const long long base = (long long)blockIdx.x * (4 * 256) + threadIdx.x;
    if (base + 3 * 256 < n) {
        const float4 a = in[base], b = in[base + 256], c = in[base + 512], d = in[base + 768];
        out[base] = a;
        out[base + 256] = b;
        out[base + 512] = c;
        out[base + 768] = d;
        return;
    }
    for (int k = 0; k < 4; k++)
        if (base + k * 256 < n)
            out[base + k * 256] = in[base + k * 256];
}

// CHAINS independent chains of fused multiply-adds a thread hide each other's
// latency; the chains converge to b / (1 - a), so nothing overflows. A thread
// does 2 · CHAINS · 16 · rounds operations. The store never happens but keeps
// the result alive.
#define CHAINS 8
template <class T> static __device__ void multiply_add(T *out, T a, T b, int rounds)
{
    T x[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        x[i] = T(threadIdx.x + i);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int i = 0; i < CHAINS; i++)
                x[i] = x[i] * a + b;
    }
    T sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    if (sum == T(-1))
        *out = sum;
}

extern "C" __global__ void __launch_bounds__(256) fma32(float *out, float a, float b, int rounds)
{
    multiply_add(out, a, b, rounds);
}

extern "C" __global__ void __launch_bounds__(256) fma64(double *out, double a, double b, int rounds)
{
    multiply_add(out, a, b, rounds);
}

// Chains of reciprocal square roots, which converge to 1: SFU_CHAINS · 16 · rounds of them
// a thread. Those whose sum is the one that is told are counted, which keeps the results alive.
static __device__ __forceinline__ float root(float x)
{
#ifdef BENCH_SIM
    return 1 / sqrtf(x);
#else
    float y;
    asm volatile("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
#endif
}

#define SFU_CHAINS 4
extern "C" __global__ void __launch_bounds__(256) special(unsigned *out, float told, int rounds)
{
    float x[SFU_CHAINS];
    for (int i = 0; i < SFU_CHAINS; i++)
        x[i] = 1 + i;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int u = 0; u < 16; u++)
#pragma unroll
            for (int i = 0; i < SFU_CHAINS; i++)
                x[i] = root(x[i]);
    }
    float sum = 0;
    for (int i = 0; i < SFU_CHAINS; i++)
        sum += x[i];
    if (sum == told)
        atomicAdd(out, 1u);
}

static __device__ __forceinline__ float4 from_l2(const float4 *at)
{
#ifdef BENCH_SIM
    return *at;
#else
    float4 v;
    asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(at));
    return v;
#endif
}

// Each block reads the n elements (a power of two, blockDim.x or more) rounds times,
// beginning at a place of its own: without the first-level cache.
extern "C" __global__ void __launch_bounds__(256) read_l2(unsigned *out, const float4 *in, int n, int rounds, float told)
{
    float sum = 0;
    unsigned at = blockIdx.x * 256 * 7 + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float4 v = from_l2(in + ((at + k * 256) & (n - 1)));
            sum += v.x + v.y + v.z + v.w;
        }
        at += 4 * 256;
    }
    if (sum == told)
        atomicAdd(out, 1u);
}

static __device__ __forceinline__ void to_l2(float4 *at, float4 v)
{
#ifdef BENCH_SIM
    *at = v;
#else
    asm volatile("st.global.cg.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
#endif
}

// Each block writes 1024 of the n elements (a power of two) rounds times.
extern "C" __global__ void __launch_bounds__(256) write_l2(unsigned *out, float4 *to, int n, int rounds)
{
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            to_l2(to + ((blockIdx.x * 1024 + ((k + r) & 3) * 256 + threadIdx.x) & (n - 1)), make_float4(r, k, 0, 0));
    }
    if (threadIdx.x == 0)
        atomicAdd(out, 1u);
}

// Each thread reads 4 · rounds words, each of a warp's from another line of 128 bytes, of
// the n elements of 16 bytes (a power of two).
extern "C" __global__ void __launch_bounds__(256) read_l2_sectors(unsigned *out, const unsigned *in, int n, int rounds, unsigned told)
{
    const unsigned mask = 4u * n - 1;
    unsigned at = (blockIdx.x * 256 + threadIdx.x) * 32, sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
#ifdef BENCH_SIM
            sum |= in[at & mask];
#else
            unsigned v;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(in + (at & mask)));
            sum |= v;
#endif
            at += gridDim.x * 256 * 32 + 8;
        }
    }
    if (sum == told)
        atomicAdd(out, 1u);
}

// A place for each number, as if at random.
static __device__ __forceinline__ unsigned mixed(unsigned v)
{
    v = (v ^ v >> 16) * 0x7feb352du;
    v = (v ^ v >> 15) * 0x846ca68bu;
    return v ^ v >> 16;
}

// Each thread reads 4 · rounds words, each in another of n sectors (a power of two) at random.
extern "C" __global__ void __launch_bounds__(256) read_sectors(unsigned *out, const unsigned *in, unsigned n, int rounds, unsigned told)
{
    unsigned at = blockIdx.x * 256 + threadIdx.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++, at += gridDim.x * 256) {
            const unsigned *place = in + 8ul * (mixed(at) & (n - 1));
#ifdef BENCH_SIM
            sum |= *place;
#else
            unsigned v;
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(place));
            sum |= v;
#endif
        }
    }
    if (sum == told)
        atomicAdd(out, 1u);
}

// Each thread writes 4 · rounds words, each in another of n sectors (a power of two) at random.
extern "C" __global__ void __launch_bounds__(256) write_sectors(unsigned *out, unsigned *to, unsigned n, int rounds)
{
    unsigned at = blockIdx.x * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++, at += gridDim.x * 256)
            to[8ul * (mixed(at) & (n - 1))] = 1;
    }
    if (threadIdx.x == 0)
        atomicAdd(out, 1u);
}

static __device__ __forceinline__ float4 from_shared(const float4 *at)
{
#ifdef BENCH_SIM
    return *at;
#else
    float4 v; // volatile, for ptxas too: the same places are read again, which it sees
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "r"((unsigned)__cvta_generic_to_shared(at)));
    return v;
#endif
}

// Each thread reads 16 · 4 · rounds bytes of shared memory, free of bank conflicts.
extern "C" __global__ void __launch_bounds__(256) read_shared(unsigned *out, int rounds, float told)
{
    __shared__ float4 tile[1024];
    for (int i = threadIdx.x; i < 1024; i += 256)
        tile[i] = make_float4(1, 1, 1, 1);
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float4 v = from_shared(tile + ((threadIdx.x + (r + k) * 256) & 1023));
            sum += v.x + v.y + v.z + v.w;
        }
    }
    if (sum == told)
        atomicAdd(out, 1u);
}

// One thread loads steps words, each when it has the one before; zero is 0, which the
// compiler does not know. mask is a number of words less 1.
extern "C" __global__ void chase(unsigned *out, const unsigned *in, unsigned mask, unsigned stride, int steps, unsigned zero)
{
    unsigned at = 0;
    for (int i = 0; i < steps; i++) {
#ifdef BENCH_SIM
        const unsigned v = in[at];
#else
        unsigned v;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v) : "l"(in + at));
#endif
        at = (at + stride + (v & zero)) & mask;
    }
    *out = at;
}

extern "C" __global__ void chase_shared(unsigned *out, int steps, unsigned zero)
{
    __shared__ unsigned tile[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        tile[i] = i;
    __syncthreads();
    unsigned at = 0;
    for (int i = 0; i < steps; i++)
        at = (at + 33 + (tile[at] & zero)) & 1023;
    if (threadIdx.x == 0)
        *out = at;
}

extern "C" __global__ void empty() {}

// Every thread adds rounds times to one word: what it adds depends on what was there, so
// that no compiler adds for a whole warp.
extern "C" __global__ void __launch_bounds__(256) add_integer(unsigned *out, int rounds)
{
    unsigned x = threadIdx.x;
    for (int r = 0; r < rounds; r++)
        x = atomicAdd(out, (x & 1) + 1);
    if (x == ~0u)
        out[1] = x;
}

extern "C" __global__ void __launch_bounds__(256) add_float(float *out, int rounds)
{
    for (int r = 0; r < rounds; r++)
        atomicAdd(out, 1e-6f * threadIdx.x);
}

// Every thread adds 1 rounds times to one of n words (a power of two) at random.
extern "C" __global__ void __launch_bounds__(256) add_words(unsigned *out, unsigned *to, unsigned n, int rounds)
{
    unsigned at = blockIdx.x * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++, at += gridDim.x * 256)
        atomicAdd(&to[mixed(at) & (n - 1)], 1u);
    if (threadIdx.x == 0)
        atomicAdd(out, 1u);
}

static __constant__ unsigned table[256];

// Each lane of a warp reads another of mask + 1 constants (a power of two), 16 · rounds of
// them a thread; they are 0, which the compiler does not know.
extern "C" __global__ void __launch_bounds__(256) read_constants(unsigned *out, unsigned mask, int rounds, unsigned told)
{
    unsigned at = threadIdx.x & mask;
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 16; k++)
            at = (at + 33 + table[at]) & mask;
    }
    if (at == told)
        atomicAdd(out, 1u);
}
