// Doppler processing: of each range cell the pulses are weighted by a window and
// transformed. A range cell's pulses lie side by side, as a corner turn leaves them.
//
// A problem takes RANGES·PULSES·(2 + 5·log2 PULSES) FLOPs and 16·RANGES·PULSES + 4·PULSES
// bytes, some 2 to 4 FLOPs a byte: memory bounds it.
#include "fft.cuh"

// A block a range cell, with a textbook transform in shared memory.
extern "C" __global__ void plain(const float2 *x, const float *window, float2 *y, int ranges) {
    __shared__ float2 shared[PULSES];
    size_t row = blockIdx.x * (size_t)PULSES;
    for (int i = threadIdx.x; i < PULSES; i += blockDim.x)
        shared[reversed<PULSES>(i)] = make_float2(window[i] * x[row + i].x, window[i] * x[row + i].y);
    radix2<PULSES>(shared);
    for (int i = threadIdx.x; i < PULSES; i += blockDim.x)
        y[row + i] = shared[i];
}

#ifdef ROWS

// A block takes ROWS range cells, PULSES/8 threads each; all 8 reads of a thread are in
// flight together, and samples leave the registers only between passes.
extern "C" __global__ void __launch_bounds__(ROWS * PULSES / 8) transformed(const float2 *x, const float *window, float2 *y, int ranges) {
    using T = Transform<PULSES>;
    __shared__ float2 shared[ROWS * T::SHARED];
    int thread = threadIdx.x % T::THREADS, row = threadIdx.x / T::THREADS;
    int range = blockIdx.x * ROWS + row;
    x += range * (size_t)PULSES + thread;
    y += range * (size_t)PULSES + thread;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = range < ranges ? x[i * T::THREADS] : make_float2(0, 0);
    T transform(thread);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float w = window[thread + i * T::THREADS];
        v[i] = make_float2(w * v[i].x, w * v[i].y);
    }
    transform.run(v, shared + row * T::SHARED);
    if (range < ranges)
#pragma unroll
        for (int i = 0; i < 8; i++)
            y[i * T::THREADS] = v[i];
}

#endif
