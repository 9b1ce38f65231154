// A load that is on and off in turns: the kernel "on" keeps the multiprocessors
// busy with multiply-adds for ms milliseconds, "off" waits as long with one thread.

static __device__ unsigned long long nanoseconds()
{
#ifndef BENCH_SIM
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
#else // in the simulator time does not pass
    return ~0ull;
#endif
}

extern "C" __global__ void on(float *out, float ms)
{
    const unsigned long long end = nanoseconds() + (unsigned long long)(ms * 1e6f);
    float x = threadIdx.x;
    do {
        for (int i = 0; i < 256; i++)
            x = x * 0.999f + 0.5f;
    } while (nanoseconds() < end);
    if (x == -1.0f) // never: so that x is computed
        out[1] = x;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = 1.0f;
}

extern "C" __global__ void off(float *out, float ms)
{
    const unsigned long long end = nanoseconds() + (unsigned long long)(ms * 1e6f);
    while (nanoseconds() < end) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
        __nanosleep(10000);
#endif
    }
    out[1] = 1.0f;
}
