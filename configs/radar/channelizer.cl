// channelizer.cu in OpenCL C: its comments say what is filtered and transformed.
#define N CHANNELS
#include "fft.clh"

kernel void plain(global const float2 *x, global const float *h, global float2 *y, int frames) {
    local float2 shared[CHANNELS];
    size_t frame = get_group_id(0) * (size_t)CHANNELS;
    for (int m = get_local_id(0); m < CHANNELS; m += get_local_size(0)) {
        float2 u = (float2)(0, 0);
        for (int p = 0; p < TAPS; p++)
            u += h[p * CHANNELS + m] * x[frame + p * CHANNELS + m];
        int reversed = 0;
        for (int bit = 0; bit < LOG_N; bit++)
            reversed |= (m >> bit & 1) << (LOG_N - 1 - bit);
        shared[reversed] = u;
    }
    for (int length = 1; length < CHANNELS; length *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_id(0); i < CHANNELS / 2; i += get_local_size(0)) {
            int k = i % length, at = 2 * i - k;
            float2 a = shared[at], b = product(shared[at + length], rotation((float)k / length));
            shared[at] = a + b;
            shared[at + length] = a - b;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_id(0); k < CHANNELS; k += get_local_size(0))
        y[frame + k] = shared[k];
}

#ifdef RUN

kernel __attribute__((reqd_work_group_size(GROUPS * CHANNELS / 8, 1, 1)))
void polyphase(global const float2 *x, global const float *h, global float2 *y, int frames) {
    local float2 shared[GROUPS * SHARED_NUMBERS];
    int thread = get_local_id(0) % TRANSFORM_THREADS, group = get_local_id(0) / TRANSFORM_THREADS;
    int first = (get_group_id(0) * GROUPS + group) * RUN;
    float2 u[RUN][8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int m = thread + i * TRANSFORM_THREADS;
        float tap[TAPS];
#pragma unroll
        for (int p = 0; p < TAPS; p++)
            tap[p] = h[p * CHANNELS + m];
#pragma unroll
        for (int r = 0; r < RUN; r++)
            u[r][i] = (float2)(0, 0);
#pragma unroll
        for (int q = 0; q < RUN + TAPS - 1; q++) {
            float2 v = first + q < frames + TAPS - 1 ? x[(size_t)(first + q) * CHANNELS + m] : (float2)(0, 0);
#pragma unroll
            for (int r = 0; r < RUN; r++)
                if (q >= r && q - r < TAPS)
                    u[r][i] += tap[q >= r && q - r < TAPS ? q - r : 0] * v;
        }
    }
    float2 turn[PASSES - 1];
    turns(turn, thread);
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        transform(u[r], turn, shared + group * SHARED_NUMBERS, thread);
        if (first + r < frames)
#pragma unroll
            for (int i = 0; i < 8; i++)
                y[(size_t)(first + r) * CHANNELS + thread + i * TRANSFORM_THREADS] = u[r][i];
    }
}

#endif
