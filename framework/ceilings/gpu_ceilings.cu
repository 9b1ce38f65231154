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
