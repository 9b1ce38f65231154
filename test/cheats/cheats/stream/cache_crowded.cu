// Honest answers, and an L2 cache full of lines that no other kernel can displace: its own output, and 16 MiB that nobody reads, of which each
// block asks for one line to stay. The baseline, which comes in turns, has what is left.
// Missed: each answer is right and each run does its work; the lines outlive the flush, which reads with the usual priority, and the control
// compares the baseline with itself in the same crowded cache. Found by: lines set back to normal before each run of either; the baseline's
// time beside the candidate compared with its time alone.
// Gains: 1.2 to 1.9 at 4194304 where a cache of some 50 MB has room for both vectors, by the writes that the baseline has to wait for; none at
// 65536.
#define LINES (1 << 17)
__device__ float crowd[32 * LINES];
extern "C" __global__ void twice(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) {
        unsigned line = (((unsigned)clock64() + blockIdx.x) * 2654435761u) >> 15;
        asm volatile("prefetch.global.L2::evict_last [%0];" : : "l"(crowd + 32 * line));
    }
    if (i >= n)
        return;
    y[i] = 2 * x[i];
    if (threadIdx.x % 32 == 0)
        asm volatile("prefetch.global.L2::evict_last [%0];" : : "l"(y + i) : "memory");
}
