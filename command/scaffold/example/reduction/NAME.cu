// sum = x[0] + … + x[n-1], in three ways. BLOCK threads of each of BLOCKS blocks
// first add up every BLOCK·BLOCKS-th element; BLOCK and BLOCKS are tunables of
// NAME.json.

__device__ float partial(const float *x, int n) {
    float sum = 0;
    for (long long i = (long long)blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * BLOCKS)
        sum += x[i];
    return sum;
}

// A tree in shared memory; thread 0 gets the block's sum, which it has added up itself.
__device__ float by_tree(float mine) {
    __shared__ float sums[BLOCK];
    sums[threadIdx.x] = mine;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    return threadIdx.x == 0 ? sums[0] : 0;
}

// Shuffles within each warp, then of the warps' sums within the first one.
__device__ float by_shuffles(float mine) {
    __shared__ float sums[32];
    for (int distance = 16; distance > 0; distance /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, distance);
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < BLOCK / 32 ? sums[threadIdx.x] : 0;
        for (int distance = 16; distance > 0; distance /= 2)
            mine += __shfl_down_sync(0xffffffff, mine, distance);
    }
    return mine;
}

extern "C" __global__ void tree(const float *x, float *blocks, int n) {
    float sum = by_tree(partial(x, n));
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = sum;
}

extern "C" __global__ void shuffle(const float *x, float *blocks, int n) {
    float sum = by_shuffles(partial(x, n));
    if (threadIdx.x == 0)
        blocks[blockIdx.x] = sum;
}

// One block adds up what the blocks left.
extern "C" __global__ void finish(const float *blocks, float *sum) {
    float mine = 0;
    for (int i = threadIdx.x; i < BLOCKS; i += BLOCK)
        mine += blocks[i];
    mine = by_shuffles(mine);
    if (threadIdx.x == 0)
        *sum = mine;
}

extern "C" __global__ void zero(float *sum) { *sum = 0; }

// Every thread adds to the one sum: short, and slow where threads are many.
extern "C" __global__ void atomic(const float *x, float *sum, int n) { atomicAdd(sum, partial(x, n)); }
