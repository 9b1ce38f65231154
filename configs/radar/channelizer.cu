// A polyphase channeliser, critically sampled: the n-th output of channel k is the k-th
// number of the transform of u[m] = Σ h[p·CHANNELS + m]·x[(n + p)·CHANNELS + m] over the
// TAPS p, for the prototype filter h.
//
// A problem takes FRAMES·CHANNELS·(4·TAPS + 5·log2 CHANNELS) FLOPs and 16·FRAMES·CHANNELS
// bytes beside the ends, some 4 to 8 FLOPs a byte: memory bounds it.
#include "fft.cuh"

// A block a frame, with a textbook transform in shared memory.
extern "C" __global__ void plain(const float2 *x, const float *h, float2 *y, int frames) {
    __shared__ float2 shared[CHANNELS];
    size_t frame = blockIdx.x * (size_t)CHANNELS;
    for (int m = threadIdx.x; m < CHANNELS; m += blockDim.x) {
        float2 u = make_float2(0, 0);
        for (int p = 0; p < TAPS; p++) {
            float tap = h[p * CHANNELS + m];
            float2 v = x[frame + p * CHANNELS + m];
            u.x += tap * v.x;
            u.y += tap * v.y;
        }
        shared[reversed<CHANNELS>(m)] = u;
    }
    radix2<CHANNELS>(shared);
    for (int k = threadIdx.x; k < CHANNELS; k += blockDim.x)
        y[frame + k] = shared[k];
}

#ifdef RUN

// CHANNELS/8 threads take RUN frames, and a block GROUPS times as many. A thread filters 8
// branches one after the other: it reads the RUN + TAPS - 1 samples of a branch that RUN
// outputs need, (RUN + TAPS - 1)/RUN an output, of which caches answer all but one. The
// outputs stay in registers for the transforms.
extern "C" __global__ void __launch_bounds__(GROUPS * CHANNELS / 8, RESIDENT) polyphase(const float2 *x, const float *h, float2 *y, int frames) {
    using T = Transform<CHANNELS>;
    __shared__ float2 shared[GROUPS * T::SHARED];
    int thread = threadIdx.x % T::THREADS, group = threadIdx.x / T::THREADS;
    int first = (blockIdx.x * GROUPS + group) * RUN;
    float2 u[RUN][8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int m = thread + i * T::THREADS;
        float tap[TAPS];
#pragma unroll
        for (int p = 0; p < TAPS; p++)
            tap[p] = h[p * CHANNELS + m];
#pragma unroll
        for (int r = 0; r < RUN; r++)
            u[r][i] = make_float2(0, 0);
#pragma unroll
        for (int q = 0; q < RUN + TAPS - 1; q++) {
            float2 v = first + q < frames + TAPS - 1 ? x[(size_t)(first + q) * CHANNELS + m] : make_float2(0, 0);
#pragma unroll
            for (int r = 0; r < RUN; r++)
                if (q >= r && q - r < TAPS) {
                    u[r][i].x = fmaf(tap[q >= r && q - r < TAPS ? q - r : 0], v.x, u[r][i].x);
                    u[r][i].y = fmaf(tap[q >= r && q - r < TAPS ? q - r : 0], v.y, u[r][i].y);
                }
        }
    }
    T transform(thread);
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        transform.run(u[r], shared + group * T::SHARED);
        if (first + r < frames)
#pragma unroll
            for (int i = 0; i < 8; i++)
                y[(size_t)(first + r) * CHANNELS + thread + i * T::THREADS] = u[r][i];
    }
}

#endif
