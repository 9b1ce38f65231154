// cuda::pipeline, nvstd::function, and tiles of several warps.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/pipeline>
#include <nvfunctional>
namespace cg = cooperative_groups;

__global__ void async(int *y, const int4 *x) {
    __shared__ alignas(16) int4 tile[128];
    __shared__ cg::block_tile_memory<128> scratch;
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(tile + t, x + t, cuda::aligned_size_t<16>(sizeof(int4)), pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    int by = x[0].x;
    nvstd::function<int(int)> add = [by](int a) { return a + by; };
    auto block = cg::this_thread_block(scratch);
    auto half = cg::tiled_partition<64>(block);
    y[t] = add(tile[127 - t].y);
    y[128 + t] = cg::reduce(half, tile[t].z, cg::plus<int>()) + (int)half.meta_group_rank();
}
