// Beamformer in half precision: Y = W·X, complex, weights and samples f16, sums and
// answer f32.
//
// A problem takes 8·BEAMS·CHANNELS·SAMPLES FLOPs and 4·(BEAMS + SAMPLES)·CHANNELS +
// 8·BEAMS·SAMPLES bytes. The tensor cores of an H100 do some 300 FLOPs in the time of a
// byte: up to about 400 beams of as many channels memory bounds it.

#ifdef BENCH_SIM
#include <cuda_fp16.h>
__device__ float2 wide(unsigned v) { return make_float2(__half2float(__ushort_as_half(v & 0xffff)), __half2float(__ushort_as_half(v >> 16))); }
#else
// The two f16 of a word.
__device__ __forceinline__ float2 wide(unsigned v) {
    float2 to;
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %2; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }" : "=f"(to.x), "=f"(to.y) : "r"(v));
    return to;
}
#endif

// A thread an output.
extern "C" __global__ void plain(const void *weights, const void *signal, float2 *y, int beams, int channels, int samples) {
    const unsigned *w = static_cast<const unsigned *>(weights), *x = static_cast<const unsigned *>(signal);
    int sample = blockIdx.x * blockDim.x + threadIdx.x;
    int beam = blockIdx.y;
    if (sample >= samples)
        return;
    float2 sum = make_float2(0, 0);
    for (int k = 0; k < channels; k++) {
        float2 a = wide(w[beam * channels + k]), b = wide(x[(size_t)k * samples + sample]);
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }
    y[(size_t)beam * samples + sample] = sum;
}

#ifdef STAGES

constexpr int STEP = 16;   // channels of a step: two products of 8
constexpr int ACROSS = 32; // samples of a warp

// c += a·b of 16 × 16 and 16 × 8 real f16 (PTX, mma.m16n8k16). A word of a is two
// neighbours of a row, one of b two neighbours of a column: a complex number each.
__device__ __forceinline__ void product(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#ifdef BENCH_SIM
    int lane = threadIdx.x % 32;
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 4; i++) {
            unsigned left = __shfl_sync(~0u, a[k / 4 * 2], lane / 4 * 4 + k % 4), below = __shfl_sync(~0u, a[k / 4 * 2 + 1], lane / 4 * 4 + k % 4);
            float2 p = wide(i < 2 ? left : below);
            float2 q = wide(__shfl_sync(~0u, b[k / 4], (lane % 4 * 2 + i % 2) * 4 + k % 4));
            c[i] += p.x * q.x + p.y * q.y;
        }
#elif __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    __trap(); // constraints ask for a GPU that has it
#endif
}

// The real part is a product with (re, -im), the imaginary one with (im, re): a word of a is
// the (re, im) of a weight.
template <int N>
__device__ __forceinline__ void complex_product(float (&re)[N][4], float (&im)[N][4], const unsigned (&a)[4], const unsigned (&b)[N][2]) {
    unsigned real[4], imaginary[4];
#pragma unroll
    for (int p = 0; p < 4; p++) {
        real[p] = a[p] ^ 0x80000000;
        imaginary[p] = a[p] << 16 | a[p] >> 16;
    }
#pragma unroll
    for (int j = 0; j < N; j++) {
        product(re[j], real, b[j]);
        product(im[j], imaginary, b[j]);
    }
}

constexpr int THREADS = 32 * DOWN * WARPS;
constexpr int BUNDLE = 16 * TILES * DOWN; // beams of a block
constexpr int SPAN = ACROSS * WARPS;      // samples of a block
constexpr int LINE = STEP + 4;            // words of a beam's weights of a step: lanes find theirs in different banks
constexpr int ROW = SPAN + 8;             // words of a channel's samples

// Copies VECTOR words to shared memory without waiting for them (PTX, cp.async), or writes as many zeros.
__device__ __forceinline__ void copy(unsigned *to, const unsigned *from, bool there) {
#ifdef BENCH_SIM
    for (int i = 0; i < VECTOR; i++)
        to[i] = there ? from[i] : 0;
#elif __CUDA_ARCH__ >= 800
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    int bytes = there ? 4 * VECTOR : 0;
#if VECTOR == 4
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(bytes) : "memory");
#else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(bytes) : "memory");
#endif
#endif
}

// Ends a stage of copies, and waits for all but the last so many.
__device__ __forceinline__ void end_stage() {
#if !defined BENCH_SIM && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int LATER>
__device__ __forceinline__ void wait_stage() {
#if !defined BENCH_SIM && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
#endif
}

// A block takes BUNDLE beams × SPAN samples, each of its DOWN × WARPS warps 16·TILES × ACROSS of
// them. Weights and samples of STAGES steps are on their way to shared memory at once.
extern "C" __global__ void __launch_bounds__(THREADS) tensor(const void *weights, const void *signal, float2 *y, int beams, int channels, int samples) {
    extern __shared__ __align__(16) unsigned stages[];
    const unsigned *w = static_cast<const unsigned *>(weights), *x = static_cast<const unsigned *>(signal);
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, group = lane / 4, within = lane % 4;
    int beam = blockIdx.y * BUNDLE, sample = blockIdx.x * SPAN;
    int row = warp / WARPS * 16 * TILES, column = warp % WARPS * ACROSS;

    auto fetch = [&](int step) {
        unsigned *to = stages + step % STAGES * (BUNDLE * LINE + STEP * ROW);
        for (int i = threadIdx.x; i < BUNDLE * STEP / VECTOR; i += THREADS) {
            int b = i / (STEP / VECTOR), k = i % (STEP / VECTOR) * VECTOR, channel = step * STEP + k;
            bool there = beam + b < beams && channel < channels;
            copy(to + b * LINE + k, there ? w + (size_t)(beam + b) * channels + channel : w, there);
        }
        to += BUNDLE * LINE;
        for (int i = threadIdx.x; i < STEP * SPAN / VECTOR; i += THREADS) {
            int k = i / (SPAN / VECTOR), at = i % (SPAN / VECTOR) * VECTOR, channel = step * STEP + k;
            bool there = channel < channels && sample + at < samples;
            copy(to + k * ROW + at, there ? x + (size_t)channel * samples + sample + at : x, there);
        }
    };

    float re[TILES][4][4] = {}, im[TILES][4][4] = {};
    int steps = (channels + STEP - 1) / STEP;
    for (int step = 0; step < STAGES - 1; step++) {
        if (step < steps)
            fetch(step);
        end_stage();
    }
    for (int step = 0; step < steps; step++) {
        wait_stage<STAGES - 2>();
        __syncthreads();
        if (step + STAGES - 1 < steps)
            fetch(step + STAGES - 1);
        end_stage();
        const unsigned *line = stages + step % STAGES * (BUNDLE * LINE + STEP * ROW) + (row + group) * LINE + within;
        const unsigned *from = stages + step % STAGES * (BUNDLE * LINE + STEP * ROW) + BUNDLE * LINE + within * ROW + column + group;
#pragma unroll
        for (int k = 0; k < STEP; k += 8) {
            unsigned b[4][2];
#pragma unroll
            for (int j = 0; j < 4; j++)
                b[j][0] = from[k * ROW + j * 8], b[j][1] = from[(k + 4) * ROW + j * 8];
#pragma unroll
            for (int i = 0; i < TILES; i++) {
                unsigned a[4] = {line[i * 16 * LINE + k], line[(i * 16 + 8) * LINE + k], line[i * 16 * LINE + k + 4], line[(i * 16 + 8) * LINE + k + 4]};
                complex_product(re[i], im[i], a, b);
            }
        }
    }

#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int b = beam + row + i * 16 + h * 8 + group, at = sample + column + j * 8 + within * 2;
                if (b < beams && at < samples)
                    *reinterpret_cast<float4 *>(y + (size_t)b * samples + at) = make_float4(re[i][j][2 * h], im[i][j][2 * h], re[i][j][2 * h + 1], im[i][j][2 * h + 1]);
            }
}

#endif
