// digest.cu: a digest of an array on the device (digest.go).

// splitmix64 ("Fast splittable pseudorandom number generators", Steele, Lea
// and Flood), which maps no two numbers to one.
static __device__ unsigned long long mixed(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Adds the mixed words of data to *sum, each with its number in the high half. A last
// word of fewer than four bytes has zeros for the rest.
extern "C" __global__ void digest(const unsigned *data, unsigned long long bytes, unsigned long long *sum)
{
    __shared__ unsigned long long part[THREADS];
    const unsigned long long threads = (unsigned long long)gridDim.x * THREADS, words = bytes / 4;
    unsigned long long own = 0;
    for (unsigned long long i = (unsigned long long)blockIdx.x * THREADS + threadIdx.x; i < words; i += threads)
        own += mixed(i << 32 | data[i]);
    if (bytes % 4 && blockIdx.x == 0 && threadIdx.x == 0) {
        const unsigned char *rest = (const unsigned char *)(data + words);
        unsigned last = 0;
        for (unsigned i = 0; i < bytes % 4; i++)
            last |= (unsigned)rest[i] << 8 * i;
        own += mixed(words << 32 | last);
    }
    part[threadIdx.x] = own;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, part[0]);
}
