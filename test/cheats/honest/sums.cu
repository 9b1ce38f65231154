// Sums, greatest elements and counts, in the ways that are usual.
#include <cooperative_groups.h>
#define KERNEL extern "C" __global__ void
__device__ inline float of_warp(float v) {
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}
__device__ inline float of_block(float v) {
    __shared__ float part[32];
    v = of_warp(v);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    return threadIdx.x < 32 ? of_warp(v) : 0;
}
KERNEL clear(float *s) { s[0] = 0; }
KERNEL atomic(float *s, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(s, x[i]);
}
KERNEL shuffled(float *s, const float *x, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    v = of_block(v);
    if (threadIdx.x == 0)
        atomicAdd(s, v);
}
KERNEL tree(float *s, const float *x, int n) {
    __shared__ float part[256];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        v += x[i];
    part[threadIdx.x] = v;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        s[0] = part[0];
}
KERNEL parts(float *p, const float *x, int n) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    v = of_block(v);
    if (threadIdx.x == 0)
        p[blockIdx.x] = v;
}
KERNEL joined(float *s, const float *p) {
    float v = of_warp(threadIdx.x < 8 ? p[threadIdx.x] : 0);
    if (threadIdx.x == 0)
        s[0] = v;
}
// The last block adds up what the others wrote, and sets the counter back.
__device__ unsigned finished;
KERNEL last_block(float *s, float *p, const float *x, int n) {
    __shared__ bool last;
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += x[i];
    v = of_block(v);
    if (threadIdx.x == 0) {
        p[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        v = 0;
        for (int b = 0; b < gridDim.x; b++)
            v += ((volatile float *)p)[b];
        s[0] = v;
    }
}
KERNEL grouped(float *s, const float *x, int n) {
    namespace cg = cooperative_groups;
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0;
    for (int d = 16; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        atomicAdd(s, v);
}
KERNEL exact(float *s, const float *x, int n) {
    __shared__ double part[64];
    double v = 0;
    for (int i = threadIdx.x; i < n; i += 64)
        v += x[i];
    part[threadIdx.x] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 64; k++)
            v += part[k];
        s[0] = (float)v;
    }
}
KERNEL greatest(float *s, int *place, const float *x, int n) {
    __shared__ int best[128];
    int b = 0;
    for (int i = threadIdx.x; i < n; i += 128)
        if (x[i] > x[b] || (x[i] == x[b] && i < b))
            b = i;
    best[threadIdx.x] = b;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int k = 1; k < 128; k++)
        if (x[best[k]] > x[b] || (x[best[k]] == x[b] && best[k] < b))
            b = best[k];
    place[0] = b, s[0] = x[b];
}
KERNEL dot(float *s, const float *x, const float *y, int n) {
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        v += x[i] * y[i];
    v = of_block(v);
    if (threadIdx.x == 0)
        s[0] = v;
}
KERNEL bins_global(int *h, const int *keys, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&h[keys[i]], 1);
}
KERNEL bins_clear(int *h) { h[threadIdx.x] = 0; }
KERNEL bins_shared(int *h, const int *keys, int n) {
    __shared__ int mine[64];
    if (threadIdx.x < 64)
        mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[keys[i]], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&h[threadIdx.x], mine[threadIdx.x]);
}
KERNEL bins_private(int *h, const int *keys, int n) {
    int count = 0;
    for (int i = 0; i < n; i++)
        count += keys[i] == threadIdx.x;
    h[threadIdx.x] = count;
}
