// FIR filters in the frequency domain by overlap-save (Stockham, High-speed convolution and
// correlation, 1966): the transform of LENGTH samples times the filter's gives
// LENGTH - TAPS + 1 outputs. Two uses, by the config: a bank, each input with a filter of
// its own, y[m][i] = Σ w[m][k]·x[m][i-k] (HPEC Challenge, FDFIR); and with MATCHED pulse
// compression, all pulses with one replica, y[m][i] = Σ conj(w[k])·x[m][i+k].
//
// A problem takes about 10·log2 n + 6 FLOPs and 16 bytes for each of the n samples that an
// input has, some 8 FLOPs a byte: memory bounds it.
#include "fft.cuh"

constexpr int VALID = LENGTH - TAPS + 1; // outputs of a segment
#ifdef MATCHED
constexpr int BEFORE = 0; // samples of a segment before that of its first output
#define FILTER_OF(row) 0
#define FILTER_FROM(spectrum) conjugate(spectrum)
#else
constexpr int BEFORE = TAPS - 1;
#define FILTER_OF(row) (row)
#define FILTER_FROM(spectrum) (spectrum)
#endif

// The filters' transforms, divided by LENGTH for the inverse ones that follow: a block each.
extern "C" __global__ void spectra(const float2 *w, float2 *spectrum) {
    __shared__ float2 shared[LENGTH];
    for (int i = threadIdx.x; i < LENGTH; i += blockDim.x)
        shared[reversed<LENGTH>(i)] = i < TAPS ? w[blockIdx.x * (size_t)TAPS + i] : make_float2(0, 0);
    radix2<LENGTH>(shared);
    for (int i = threadIdx.x; i < LENGTH; i += blockDim.x) {
        float2 v = FILTER_FROM(shared[i]);
        spectrum[blockIdx.x * (size_t)LENGTH + i] = make_float2(v.x / LENGTH, v.y / LENGTH);
    }
}

#ifndef GROUPS

// A block a segment, with textbook transforms in shared memory.
extern "C" __global__ void plain(const float2 *x, const float2 *spectrum, float2 *y, int samples) {
    __shared__ float2 shared[2][LENGTH];
    size_t row = blockIdx.y * (size_t)samples;
    spectrum += FILTER_OF(blockIdx.y) * (size_t)LENGTH;
    int first = blockIdx.x * VALID - BEFORE;
    for (int i = threadIdx.x; i < LENGTH; i += blockDim.x)
        shared[0][reversed<LENGTH>(i)] = first + i >= 0 && first + i < samples ? x[row + first + i] : make_float2(0, 0);
    radix2<LENGTH>(shared[0]);
    for (int i = threadIdx.x; i < LENGTH; i += blockDim.x)
        shared[1][reversed<LENGTH>(i)] = swapped(shared[0][i] * spectrum[i]);
    radix2<LENGTH>(shared[1]);
    for (int i = BEFORE + threadIdx.x; i < BEFORE + VALID && first + i < samples; i += blockDim.x)
        y[row + first + i] = swapped(shared[1][i]);
}

#else

// Blocks of an SM that registers have to suffice for, 64 of a thread.
constexpr int RESIDENT = 8192 / (GROUPS * LENGTH);

// LENGTH/8 threads take a segment, and a block GROUPS of them. Samples stay in registers
// from memory to memory; the spectrum, in the order in which a transform leaves its
// numbers, comes from the L2 cache and is asked for before the transform.
extern "C" __global__ void __launch_bounds__(GROUPS * LENGTH / 8, RESIDENT) convolved(const float2 *x, const float2 *spectrum, float2 *y, int samples, int rows) {
    using T = Transform<LENGTH>;
    __shared__ float2 shared[GROUPS * T::SHARED];
    int thread = threadIdx.x % T::THREADS, group = threadIdx.x / T::THREADS;
    int segments = (samples + VALID - 1) / VALID, segment = blockIdx.x * GROUPS + group;
    int row = segment / segments, first = segment % segments * VALID - BEFORE + thread;
    int end = row < rows ? samples : 0; // no sample for what is beyond the last row
    x += row * (size_t)samples;
    y += row * (size_t)samples;
    spectrum += (row < rows ? FILTER_OF(row) : 0) * (size_t)LENGTH + thread;
    float2 v[8], filter[8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int at = first + i * T::THREADS;
        v[i] = at >= 0 && at < end ? x[at] : make_float2(0, 0);
        filter[i] = spectrum[i * T::THREADS];
    }
    T transform(thread);
    transform.run(v, shared + group * T::SHARED);
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = v[i] * filter[i];
    transform.inverse(v, shared + group * T::SHARED);
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int place = thread + i * T::THREADS, at = first + i * T::THREADS;
        if (place >= BEFORE && place < BEFORE + VALID && at < end)
            y[at] = v[i];
    }
}

#endif
