// out = the rows of in, filtered: a kernel as other projects have it, without extern "C". It
// is a template in a namespace, whose type and radius NAME.json chooses; its filter lies in
// constant memory; block_size_x is a macro, a tunable of NAME.json.
#include "NAME.cuh"

// Room for a radius of up to 16; NAME.json fills it.
__constant__ float d_filter[33];

namespace filters {

template <typename T, int RADIUS>
__global__ void rows(T *out, const T *in, int width, int height) {
    // A block filters block_size_x elements of a row, and reads RADIUS more on both sides.
    __shared__ typename Sum<T>::type part[block_size_x + 2 * RADIUS];
    const T *row = in + (size_t)blockIdx.y * width;
    int first = blockIdx.x * block_size_x - RADIUS;
    for (int i = threadIdx.x; i < block_size_x + 2 * RADIUS; i += block_size_x) {
        int x = min(max(first + i, 0), width - 1);
        part[i] = row[x];
    }
    __syncthreads();
    int x = blockIdx.x * block_size_x + threadIdx.x;
    if (x >= width || blockIdx.y >= height)
        return;
    typename Sum<T>::type sum = 0;
#pragma unroll
    for (int i = 0; i <= 2 * RADIUS; i++)
        sum += d_filter[i] * part[threadIdx.x + i];
    out[(size_t)blockIdx.y * width + x] = (T)sum;
}

}  // namespace filters
