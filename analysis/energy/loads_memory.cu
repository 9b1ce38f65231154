// loads_memory.cu: the loads of the L2 cache and of memory; loads.cu comes before it.

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

static __device__ __forceinline__ float from_l2(const float *at)
{
#ifdef BENCH_SIM
    return *at;
#else
    float v;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v) : "l"(at));
    return v;
#endif
}

static __device__ __forceinline__ void to_l2(float4 *at, float4 v)
{
#ifdef BENCH_SIM
    *at = v;
#else
    asm volatile("st.volatile.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w) : "memory");
#endif
}

// Each thread reads 4 · rounds of held elements (a power of two) and 1024 beyond, which the L2 cache holds.
extern "C" __global__ void __launch_bounds__(256) load_L2(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    float4 s = make_float4(0, 0, 0, 0);
    u32 at = (blockIdx.x * 7 + 1) * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++, at += 1024) {
        const float4 *from = m + (at & (held - 1));
#pragma unroll
        for (int k = 0; k < 4; k++)
            add(s, from_l2(from + 256 * k));
    }
    finish(y, n, c, total(s));
}

// Each thread reads 4 · rounds words there, each of a line of its own.
extern "C" __global__ void __launch_bounds__(256) load_L2_sectors(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const u32 last = held / 8 - 1;
    float s[4] = {};
    u32 at = (blockIdx.x * 7 + 1) * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++, at += 256) {
        const float *from = &m[(at & last) * 8].x;
#pragma unroll
        for (int k = 0; k < 4; k++)
            s[k] += from_l2(from + 1032 * k);
    }
    finish(y, n, c, s[0] + s[1] + (s[2] + s[3]));
}

// Each thread writes rounds times four elements of its own, of the 4 · n of c. They are volatile, as of stores to one
// address a compiler keeps the last.
extern "C" __global__ void __launch_bounds__(256) load_L2_written(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    float4 v = make_float4(x[me() % n], 1, 2, 3);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            v = make_float4(v.y, v.z, v.w, v.x);
            to_l2(c + me() % n + size_t(k) * n, v);
        }
    }
    if (me() == 0)
        y[0] = 0;
}

// Each thread reads rounds elements of the L2 cache, each when it has the one before; no two blocks read the same soon
// after each other, which would be answered on the way.
extern "C" __global__ void __launch_bounds__(256) load_waiting(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    u32 at = blockIdx.x * 256 + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        at += gridDim.x * 256 + (from_l2(m + (at & (held - 1))).x > 2 ? 32 : 0);
    finish(y, n, c, float(at & 0xffffff));
}

// Each thread adds 4 · rounds to words of its block in the L2 cache; n is the number of threads or more, and blocks are powers of two.
extern "C" __global__ void __launch_bounds__(256) load_atomics(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    u32 *mine = (u32 *)y + blockIdx.x * blockDim.x;
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int r = 0; r < 4 * rounds; r++)
        atomicAdd(mine + ((threadIdx.x + 32 * r) & (blockDim.x - 1)), 1u);
    __syncthreads();
    const float counted = float(atomicAdd(mine + threadIdx.x, 0u));
    __syncthreads();
    finish(y, n, c, counted);
}

extern "C" __global__ void load_empty(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    finish(y, n, c, 1);
}

// Copies e elements of 16 bytes, four at once.
extern "C" __global__ void __launch_bounds__(256) load_copy(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = me(); i < e; i += 4 * threads) {
        float4 w[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                w[k] = m[i + k * threads];
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                c[i + k * threads] = w[k];
    }
    if (me() == 0)
        y[0] = 0;
}

// A number from 1 to 2 of 23 bits.
static __device__ __forceinline__ float made(u32 i) { return __uint_as_float(i * 1664525u + 1013904223u >> 9 | 0x3f800000u); }

extern "C" __global__ void __launch_bounds__(256) load_write(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = me(); i < e; i += threads)
        c[i] = make_float4(made(i), made(i + 1), made(i + 2), made(i + 3));
    if (me() == 0)
        y[0] = 0;
}

// A copy that multiplies and adds 64 times an element meanwhile: much at once, which takes a GPU to its power limit.
extern "C" __global__ void __launch_bounds__(256) load_both(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    for (int i = me(); i < e; i += threads) {
        float4 w = m[i];
        w.x += products<float>(w.y, 1, held) > 1e9f; // it is at most 100, which no compiler knows
        c[i] = w;
    }
    if (me() == 0)
        y[0] = 0;
}

// Each thread reads elements that lie one after the other as those of its neighbours.
extern "C" __global__ void __launch_bounds__(256) load_read(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const int threads = gridDim.x * blockDim.x;
    float4 s = make_float4(0, 0, 0, 0);
    for (int i = me(); i < e; i += 4 * threads)
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (i + k * threads < e)
                add(s, m[i + k * threads]);
    finish(y, n, c, total(s));
}

// Each thread reads rounds words at places as if at random.
extern "C" __global__ void __launch_bounds__(256) load_gather(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held)
{
    const float *from = &m[0].x;
    float s = 0;
    u32 at = u32(me() % n) * rounds;
    for (int r = 0; r < rounds; r++, at++)
        s += from[(at * 0x9e3779b1u ^ (at * 0x85ebca6bu) >> 15) & (4u * e - 1)];
    finish(y, n, c, s);
}
