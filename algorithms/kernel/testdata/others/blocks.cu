// CUB's reductions, scans, exchanges and sorts of a block and a warp.
#include <cub/cub.cuh>
struct Larger { __device__ int operator()(int a, int b) const { return a < b ? b : a; } };
__global__ void blocks(int *y, const int *x) {
    typedef cub::BlockReduce<int, 64> Reduce;
    typedef cub::BlockScan<int, 64> Scan;
    typedef cub::BlockRadixSort<int, 64, 2, int> Sort;
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; typename Sort::TempStorage sort; typename Exchange::TempStorage exchange; } temp;
    __shared__ typename cub::WarpReduce<int>::TempStorage warps[2];
    int t = threadIdx.x, v = x[t];
    int sum = Reduce(temp.reduce).Sum(v);
    __syncthreads();
    int most = Reduce(temp.reduce).Reduce(v, Larger());
    __syncthreads();
    int before, all;
    Scan(temp.scan).ExclusiveSum(v, before, all);
    __syncthreads();
    int two[2] = {x[2 * t], x[2 * t + 1]}, up[2];
    Scan(temp.scan).InclusiveSum(two, up);
    __syncthreads();
    int keys[2] = {two[0], two[1]}, places[2] = {2 * t, 2 * t + 1};
    Sort(temp.sort).Sort(keys, places);
    __syncthreads();
    int striped[2];
    Exchange(temp.exchange).BlockedToStriped(keys, striped);
    int warp = cub::WarpReduce<int>(warps[t / 32]).Sum(v);
    y[t] = t ? 0 : sum;
    y[64 + t] = t ? 0 : most;
    y[128 + t] = before;
    y[192 + t] = all;
    y[256 + 2 * t] = up[0], y[256 + 2 * t + 1] = up[1];
    y[384 + 2 * t] = keys[0], y[384 + 2 * t + 1] = keys[1];
    y[512 + 2 * t] = x[places[0]], y[512 + 2 * t + 1] = x[places[1]];
    y[640 + t] = striped[0], y[704 + t] = striped[1];
    y[768 + t] = t % 32 ? 0 : warp;
}
