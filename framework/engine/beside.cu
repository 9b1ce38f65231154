// beside.cu: what loads a GPU beside a version on the CPU.

static __device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Multiplies and adds for so many nanoseconds of the device's own. The store never
// happens but keeps the result alive.
extern "C" __global__ void __launch_bounds__(256) compute_for(float *out, unsigned long long ns)
{
    const unsigned long long start = nanoseconds();
    float x[8];
    for (int i = 0; i < 8; i++)
        x[i] = threadIdx.x + i;
    do {
#pragma unroll
        for (int u = 0; u < 32; u++)
#pragma unroll
            for (int i = 0; i < 8; i++)
                x[i] = x[i] * 0.999f + 0.5f;
    } while (nanoseconds() - start < ns);
    float sum = 0;
    for (int i = 0; i < 8; i++)
        sum += x[i];
    if (sum == -1)
        *out = sum;
}
