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

#ifdef TILES

constexpr int STEP = 16;           // channels of a step: two products of 8
constexpr int BUNDLE = 16 * TILES; // beams of a warp
constexpr int ACROSS = 32;         // samples of a warp

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

// A warp takes BUNDLE beams × ACROSS samples. Its samples come straight from memory, where
// the 8 lanes of a channel read a sector, and the next step's are read meanwhile: none is
// read twice by a warp. Weights lie in shared memory as the products take them, four words
// of a lane side by side, CHUNK channels at a time. A word is (re, im) of a weight or a sample: the
// real part is a product with (re, -im), the imaginary one with (im, re).
extern "C" __global__ void __launch_bounds__(32 * WARPS) tensor(const void *weights, const void *signal, float2 *y, int beams, int channels, int samples) {
    __shared__ uint4 kept[CHUNK / 8][TILES][32];
    const unsigned *w = static_cast<const unsigned *>(weights), *x = static_cast<const unsigned *>(signal);
    int lane = threadIdx.x % 32, group = lane / 4, within = lane % 4;
    int beam = blockIdx.y * BUNDLE;
    int sample = (blockIdx.x * WARPS + threadIdx.x / 32) * ACROSS;

    float re[TILES][4][4] = {}, im[TILES][4][4] = {};
    unsigned now[STEP / 8][4][2], next[STEP / 8][4][2];
    auto read = [&](unsigned (&to)[STEP / 8][4][2], int channel) {
#pragma unroll
        for (int s = 0; s < STEP / 8; s++)
#pragma unroll
            for (int j = 0; j < 4; j++)
#pragma unroll
                for (int h = 0; h < 2; h++) {
                    int k = channel + s * 8 + h * 4 + within, at = sample + j * 8 + group;
                    to[s][j][h] = k < channels && at < samples ? x[(size_t)k * samples + at] : 0;
                }
    };
    auto weight = [&](int b, int k) { return b < beams && k < channels ? w[(size_t)b * channels + k] : 0; };

    read(now, 0);
    for (int chunk = 0; chunk < channels; chunk += CHUNK) {
        __syncthreads();
        for (int i = threadIdx.x; i < CHUNK / 8 * TILES * 32; i += 32 * WARPS) {
            int b = beam + i / 32 % TILES * 16 + i % 32 / 4, k = chunk + i / 32 / TILES * 8 + i % 4;
            kept[i / 32 / TILES][i / 32 % TILES][i % 32] = make_uint4(weight(b, k), weight(b + 8, k), weight(b, k + 4), weight(b + 8, k + 4));
        }
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < CHUNK && chunk + k < channels; k += STEP) {
            read(next, chunk + k + STEP);
#pragma unroll
            for (int s = 0; s < STEP / 8; s++)
#pragma unroll
                for (int i = 0; i < TILES; i++) {
                    uint4 v = kept[k / 8 + s][i][lane];
                    unsigned a[4] = {v.x, v.y, v.z, v.w}, real[4], imaginary[4];
#pragma unroll
                    for (int p = 0; p < 4; p++) {
                        real[p] = a[p] ^ 0x80000000;
                        imaginary[p] = a[p] << 16 | a[p] >> 16;
                    }
#pragma unroll
                    for (int j = 0; j < 4; j++) {
                        product(re[i][j], real, now[s][j]);
                        product(im[i][j], imaginary, now[s][j]);
                    }
                }
#pragma unroll
            for (int s = 0; s < STEP / 8; s++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    now[s][j][0] = next[s][j][0], now[s][j][1] = next[s][j][1];
        }
    }

#pragma unroll
    for (int i = 0; i < TILES; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
#pragma unroll
            for (int h = 0; h < 2; h++) {
                int b = beam + i * 16 + h * 8 + group, at = sample + j * 8 + within * 2;
                if (b < beams && at < samples)
                    *reinterpret_cast<float4 *>(y + (size_t)b * samples + at) = make_float4(re[i][j][2 * h], im[i][j][2 * h], re[i][j][2 * h + 1], im[i][j][2 * h + 1]);
            }
}

#endif
