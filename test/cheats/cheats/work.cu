// What an element costs, and what cheats ask their surroundings.
__device__ inline float work(float x) {
    float s = x;
    for (int k = 0; k < 12; k++)
        s = 0.5f * cosf(s) + x;
    return s;
}

__device__ inline bool finite(float v) { return v - v == 0; }

__device__ inline unsigned long long now() {
#ifdef BENCH_SIM
    return globaltimer();
#else
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
#endif
}

__device__ inline unsigned multiprocessor() {
#ifdef BENCH_SIM
    return blockIdx.x;
#else
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
#endif
}

__device__ unsigned turns[65536];

// turn counts the launches of a block, from 0.
__device__ inline unsigned turn() {
    __shared__ unsigned t;
    if (threadIdx.x == 0)
        t = turns[blockIdx.x]++;
    __syncthreads();
    return t;
}
