// kernels.cu: what both tools time. Only a fixed amount of work: nothing here
// waits for a clock.

extern "C" __global__ void empty()
{
}

// A chain of dependent multiply-adds, about 2.2 ns each on an H200. The store
// never happens but keeps the result alive.
extern "C" __global__ void chain(float *out, int iterations)
{
    float x = threadIdx.x;
    for (int i = 0; i < iterations; i++)
        x = x * 0.999f + 0.5f;
    if (x == -1.0f)
        *out = x;
}

// Fills n words with a hash of their index.
extern "C" __global__ void fill(unsigned *out, long long n)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = (unsigned)i * 2654435761u;
}

// Copies n elements of 16 bytes, one a thread.
extern "C" __global__ void copy(float4 *out, const float4 *in, long long n)
{
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
