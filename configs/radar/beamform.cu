// Beamformer: Y = W·X, complex, of BEAMS × CHANNELS weights and CHANNELS × SAMPLES
// samples.
//
// A problem takes 8·BEAMS·CHANNELS·SAMPLES FLOPs and 8·(BEAMS·CHANNELS + CHANNELS·SAMPLES +
// BEAMS·SAMPLES) bytes. An H100 does about 20 FLOPs in the time of a byte: memory bounds it
// up to some 40 beams of as many channels, multiply-adds beyond.

// A thread an output: four multiply-adds for two loads.
extern "C" __global__ void plain(const float2 *w, const float2 *x, float2 *y, int beams, int channels, int samples) {
    int sample = blockIdx.x * blockDim.x + threadIdx.x;
    int beam = blockIdx.y;
    if (sample >= samples)
        return;
    float2 sum = make_float2(0, 0);
    for (int k = 0; k < channels; k++) {
        float2 a = w[beam * channels + k], b = x[(size_t)k * samples + sample];
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }
    y[(size_t)beam * samples + sample] = sum;
}

#ifdef DEPTH

constexpr int ACROSS = SPAN / COLUMNS; // threads along samples
constexpr int THREADS = BUNDLE / ROWS * ACROSS;
constexpr int PAIRS = SPAN / 2;

// Blocks of an SM that registers have to suffice for: 96 of a thread for few sums, 128, or
// 255 for many.
constexpr int OCCUPIED = ROWS * COLUMNS <= 16 ? 640 : ROWS * COLUMNS <= 32 ? 512 : 256;
constexpr int RESIDENT = THREADS < OCCUPIED ? OCCUPIED / THREADS : 1;

// What a thread reads of a step: so many weights, and so many pairs of samples.
constexpr int WEIGHTS = (BUNDLE * DEPTH + THREADS - 1) / THREADS;
constexpr int LOADS = (PAIRS * DEPTH + THREADS - 1) / THREADS;

// Two samples of a row of n; those beyond its end are 0. Rows of an odd number of samples
// are not aligned to pairs.
__device__ __forceinline__ float4 two(const float2 *row, int at, int n) {
    float4 v = make_float4(0, 0, 0, 0);
#if PAIRED
    if (at < n)
        v = *reinterpret_cast<const float4 *>(row + at);
#else
    if (at < n)
        v.x = row[at].x, v.y = row[at].y;
    if (at + 1 < n)
        v.z = row[at + 1].x, v.w = row[at + 1].y;
#endif
    return v;
}

__device__ __forceinline__ void multiply_add(float2 &sum, float2 a, float2 b) {
    sum.x = fmaf(a.x, b.x, sum.x);
    sum.y = fmaf(a.x, b.y, sum.y);
    sum.x = fmaf(-a.y, b.y, sum.x);
    sum.y = fmaf(a.y, b.x, sum.y);
}

// A block takes BUNDLE beams × SPAN samples, a thread ROWS × COLUMNS of them as sums in
// registers: for each channel 4·ROWS·COLUMNS multiply-adds for (ROWS + COLUMNS)/2 loads
// of 16 bytes from shared memory, those of weights the same for all threads of a warp. A
// thread's samples are pairs, 2·ACROSS samples apart, so that a warp's loads and
// stores are of neighbours. DEPTH channels lie in shared memory, and the next ones are
// read meanwhile.
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) blocked(const float2 *w, const float2 *x, float2 *y, int beams, int channels, int samples) {
    __shared__ __align__(16) float2 weights[2][DEPTH][BUNDLE + 4];
    __shared__ __align__(16) float2 signal[2][DEPTH][SPAN];
    int across = threadIdx.x % ACROSS, down = threadIdx.x / ACROSS;
    int beam = blockIdx.y * BUNDLE, sample = blockIdx.x * SPAN;
    float2 weight[WEIGHTS];
    float4 pair[LOADS];

    auto read = [&](int channel) {
#pragma unroll
        for (int i = 0; i < WEIGHTS; i++) {
            int at = i * THREADS + threadIdx.x, b = beam + at / DEPTH, k = channel + at % DEPTH;
            weight[i] = b < beams && k < channels ? w[(size_t)b * channels + k] : make_float2(0, 0);
        }
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            int at = i * THREADS + threadIdx.x, k = channel + at / PAIRS;
            pair[i] = k < channels ? two(x + (size_t)k * samples, sample + at % PAIRS * 2, samples) : make_float4(0, 0, 0, 0);
        }
    };
    auto keep = [&](int half) {
#pragma unroll
        for (int i = 0; i < WEIGHTS; i++) {
            int at = i * THREADS + threadIdx.x;
            if (at < BUNDLE * DEPTH)
                weights[half][at % DEPTH][at / DEPTH] = weight[i];
        }
#pragma unroll
        for (int i = 0; i < LOADS; i++) {
            int at = i * THREADS + threadIdx.x;
            if (at < PAIRS * DEPTH)
                *reinterpret_cast<float4 *>(&signal[half][at / PAIRS][at % PAIRS * 2]) = pair[i];
        }
    };

    float2 sum[ROWS][COLUMNS] = {};
    read(0);
    keep(0);
    __syncthreads();
    int half = 0;
    for (int channel = 0; channel < channels; channel += DEPTH, half ^= 1) {
        bool more = channel + DEPTH < channels;
        if (more)
            read(channel + DEPTH);
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float2 a[ROWS], b[COLUMNS];
#pragma unroll
            for (int i = 0; i < ROWS; i += 2) {
                float4 v = *reinterpret_cast<const float4 *>(&weights[half][k][down * ROWS + i]);
                a[i] = make_float2(v.x, v.y), a[i + 1] = make_float2(v.z, v.w);
            }
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                float4 v = *reinterpret_cast<const float4 *>(&signal[half][k][j * ACROSS + across * 2]);
                b[j] = make_float2(v.x, v.y), b[j + 1] = make_float2(v.z, v.w);
            }
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++)
                    multiply_add(sum[i][j], a[i], b[j]);
        }
        if (more)
            keep(half ^ 1);
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        float2 *row = y + (size_t)(beam + down * ROWS + i) * samples;
        if (beam + down * ROWS + i < beams)
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                int at = sample + j * ACROSS + across * 2;
#if PAIRED
                if (at < samples)
                    *reinterpret_cast<float4 *>(row + at) = make_float4(sum[i][j].x, sum[i][j].y, sum[i][j + 1].x, sum[i][j + 1].y);
#else
                if (at < samples)
                    row[at] = sum[i][j];
                if (at + 1 < samples)
                    row[at + 1] = sum[i][j + 1];
#endif
            }
    }
}

#endif
