// A pulse-Doppler radar's chain from samples to detections, a frame at a time: pulse
// compression, corner turn, Doppler processing, and CFAR along range. BEAMS × PULSES ×
// RANGES samples come in; out come two numbers for each range cell of a beam: the sum of
// the excess over the threshold in all Doppler bins, which is 0 where nothing was detected, and its
// first moment, so that their ratio is the target's Doppler bin.
//
// Each sample is read and written once by each stage, 8 bytes complex or 4 as a power: 48
// bytes with the corner turn on its own, 32 where Doppler processing does it on the way.
// At some 4 FLOPs a byte memory bounds all stages.
#include "fft.cuh"

// Compresses a pulse: times the replica's spectrum between two transforms of RANGES/8 threads.
// Registers have to suffice for 1024 threads of an SM.
extern "C" __global__ void __launch_bounds__(GROUPS * RANGES / 8, 8192 / (GROUPS * RANGES)) compressed(const float2 *x, const float2 *replica, float2 *y, int beams) {
    using T = Transform<RANGES>;
    __shared__ float2 shared[GROUPS * T::SHARED];
    int thread = threadIdx.x % T::THREADS, group = threadIdx.x / T::THREADS;
    int at = (blockIdx.x * GROUPS + group) * RANGES + thread, end = beams * PULSES * RANGES;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = at < end ? x[at + i * T::THREADS] : make_float2(0, 0);
    T transform(thread);
    transform.run(v, shared + group * T::SHARED);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = v[i] * replica[thread + i * T::THREADS];
    transform.inverse(v, shared + group * T::SHARED);
    if (at < end)
#pragma unroll
        for (int i = 0; i < 8; i++)
            y[at + i * T::THREADS] = make_float2(v[i].x / RANGES, v[i].y / RANGES);
}

// Turns the PULSES × RANGES samples of each beam: a block a tile of 32 × 32.
extern "C" __global__ void __launch_bounds__(128) turned(const float2 *x, float2 *y) {
    __shared__ float2 tile[32][33];
    int column = threadIdx.x % 32, row = threadIdx.x / 32, left = blockIdx.x * 32, top = blockIdx.y * 32;
    x += blockIdx.z * (size_t)PULSES * RANGES + top * (size_t)RANGES + left;
    y += blockIdx.z * (size_t)PULSES * RANGES + left * (size_t)PULSES + top;
#pragma unroll
    for (int i = 0; i < 32; i += 4)
        tile[row + i][column] = x[(row + i) * RANGES + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i += 4)
        y[(row + i) * PULSES + column] = tile[column][row + i];
}

__device__ __forceinline__ float power_of(float2 v) { return v.x * v.x + v.y * v.y; }

// The powers of the Doppler bins of ROWS range cells, whose pulses lie side by side.
extern "C" __global__ void __launch_bounds__(ROWS * PULSES / 8) rows(const float2 *x, const float *window, float *power) {
    using T = Transform<PULSES>;
    __shared__ float2 shared[ROWS * T::SHARED];
    int thread = threadIdx.x % T::THREADS, row = threadIdx.x / T::THREADS;
    x += (blockIdx.x * (size_t)ROWS + row) * PULSES + thread;
    power += (blockIdx.x * (size_t)ROWS + row) * PULSES + thread;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = x[i * T::THREADS];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float w = window[thread + i * T::THREADS];
        v[i] = make_float2(w * v[i].x, w * v[i].y);
    }
    T(thread).run(v, shared + row * T::SHARED);
#pragma unroll
    for (int i = 0; i < 8; i++)
        power[i * T::THREADS] = power_of(v[i]);
}

// The same of samples as compression leaves them, range cell by range cell: ROWS neighbours
// are read together, and powers are turned in shared memory, where one number more keeps
// neighbours in different banks.
extern "C" __global__ void __launch_bounds__(ROWS * PULSES / 8) columns(const float2 *x, const float *window, float *power) {
    using T = Transform<PULSES>;
    __shared__ float2 shared[ROWS * (T::SHARED + 1)];
    int thread = threadIdx.x / ROWS, column = threadIdx.x % ROWS;
    x += blockIdx.y * (size_t)PULSES * RANGES + blockIdx.x * ROWS + column;
    power += (blockIdx.y * (size_t)RANGES + blockIdx.x * ROWS) * PULSES;
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = x[(thread + i * T::THREADS) * RANGES];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float w = window[thread + i * T::THREADS];
        v[i] = make_float2(w * v[i].x, w * v[i].y);
    }
    T(thread).run<true>(v, shared + column * (T::SHARED + 1));
    __syncthreads();
    float *turned = reinterpret_cast<float *>(shared);
#pragma unroll
    for (int i = 0; i < 8; i++)
        turned[column * (PULSES + 1) + thread + i * T::THREADS] = power_of(v[i]);
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.x; i < ROWS * PULSES; i += ROWS * PULSES / 8)
        power[i] = turned[i / PULSES * (PULSES + 1) + i % PULSES];
}

// A warp takes RUN range cells of a beam, a lane every 32nd Doppler bin. Windows slide along
// range; what they read again is in the first-level cache. The warp's sums are added at the end.
extern "C" __global__ void __launch_bounds__(BLOCK) detected(const float *power, float2 *detections, float factor) {
    int lane = threadIdx.x % 32, first = (blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * RUN;
    power += blockIdx.y * (size_t)RANGES * PULSES;
    detections += blockIdx.y * (size_t)RANGES;
    float total[RUN] = {}, moment[RUN] = {};
    auto at = [&](int range, int bin) { return range >= 0 && range < RANGES ? power[range * PULSES + bin] : 0; };
#pragma unroll 1
    for (int bin = lane; bin < PULSES; bin += 32) {
        float sum = 0;
#pragma unroll
        for (int d = GUARD + 1; d <= GUARD + CELLS; d++)
            sum += at(first - d, bin) + at(first + d, bin);
#pragma unroll
        for (int r = 0; r < RUN; r++) {
            int range = first + r;
            float excess = fmaxf(0, at(range, bin) - factor / (2 * CELLS) * sum);
            total[r] += excess;
            moment[r] += excess * bin;
            sum += at(range - GUARD, bin) - at(range - GUARD - CELLS, bin) + at(range + 1 + GUARD + CELLS, bin) - at(range + 1 + GUARD, bin);
        }
    }
#pragma unroll
    for (int r = 0; r < RUN; r++) {
#pragma unroll
        for (int other = 16; other > 0; other /= 2) {
            total[r] += __shfl_xor_sync(~0u, total[r], other);
            moment[r] += __shfl_xor_sync(~0u, moment[r], other);
        }
        if (lane == 0 && first + r < RANGES)
            detections[first + r] = make_float2(total[r], moment[r]);
    }
}
