// beamform.cu in OpenCL C: its comments say what a thread reads and sums.

kernel void plain(global const float2 *w, global const float2 *x, global float2 *y, int beams, int channels, int samples) {
    int sample = get_global_id(0), beam = get_group_id(1);
    if (sample >= samples)
        return;
    float2 sum = (float2)(0, 0);
    for (int k = 0; k < channels; k++) {
        float2 a = w[beam * channels + k], b = x[(size_t)k * samples + sample];
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }
    y[(size_t)beam * samples + sample] = sum;
}

#ifdef DEPTH

#define ACROSS (SPAN / COLUMNS)
#define THREADS (BUNDLE / ROWS * ACROSS)
#define PAIRS (SPAN / 2)
#define WEIGHTS ((BUNDLE * DEPTH + THREADS - 1) / THREADS)
#define LOADS ((PAIRS * DEPTH + THREADS - 1) / THREADS)

static float4 two(global const float2 *row, int at, int n) {
    float4 v = (float4)(0, 0, 0, 0);
#if PAIRED
    if (at < n)
        v = *(global const float4 *)(row + at);
#else
    if (at < n)
        v.xy = row[at];
    if (at + 1 < n)
        v.zw = row[at + 1];
#endif
    return v;
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void blocked(global const float2 *w, global const float2 *x, global float2 *y, int beams, int channels, int samples) {
    local float2 weights[2][DEPTH][BUNDLE + 4] __attribute__((aligned(16)));
    local float2 signal[2][DEPTH][SPAN] __attribute__((aligned(16)));
    int thread = get_local_id(0);
    int across = thread % ACROSS, down = thread / ACROSS;
    int beam = get_group_id(1) * BUNDLE, sample = get_group_id(0) * SPAN;
    float2 weight[WEIGHTS];
    float4 pair[LOADS];

#define READ(CHANNEL) \
    _Pragma("unroll") for (int i = 0; i < WEIGHTS; i++) { \
        int at = i * THREADS + thread, b = beam + at / DEPTH, k = (CHANNEL) + at % DEPTH; \
        weight[i] = b < beams && k < channels ? w[(size_t)b * channels + k] : (float2)(0, 0); \
    } \
    _Pragma("unroll") for (int i = 0; i < LOADS; i++) { \
        int at = i * THREADS + thread, k = (CHANNEL) + at / PAIRS; \
        pair[i] = k < channels ? two(x + (size_t)k * samples, sample + at % PAIRS * 2, samples) : (float4)(0, 0, 0, 0); \
    }
#define KEEP(HALF) \
    _Pragma("unroll") for (int i = 0; i < WEIGHTS; i++) { \
        int at = i * THREADS + thread; \
        if (at < BUNDLE * DEPTH) \
            weights[HALF][at % DEPTH][at / DEPTH] = weight[i]; \
    } \
    _Pragma("unroll") for (int i = 0; i < LOADS; i++) { \
        int at = i * THREADS + thread; \
        if (at < PAIRS * DEPTH) \
            *(local float4 *)&signal[HALF][at / PAIRS][at % PAIRS * 2] = pair[i]; \
    }

    float2 sum[ROWS][COLUMNS];
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < COLUMNS; j++)
            sum[i][j] = (float2)(0, 0);
    READ(0)
    KEEP(0)
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = 0;
    for (int channel = 0; channel < channels; channel += DEPTH, now ^= 1) {
        bool more = channel + DEPTH < channels;
        if (more) {
            READ(channel + DEPTH)
        }
#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float2 a[ROWS], b[COLUMNS];
#pragma unroll
            for (int i = 0; i < ROWS; i += 2) {
                float4 v = *(local const float4 *)&weights[now][k][down * ROWS + i];
                a[i] = v.xy, a[i + 1] = v.zw;
            }
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                float4 v = *(local const float4 *)&signal[now][k][j * ACROSS + across * 2];
                b[j] = v.xy, b[j + 1] = v.zw;
            }
#pragma unroll
            for (int i = 0; i < ROWS; i++)
#pragma unroll
                for (int j = 0; j < COLUMNS; j++) {
                    sum[i][j].x = fma(a[i].x, b[j].x, sum[i][j].x);
                    sum[i][j].y = fma(a[i].x, b[j].y, sum[i][j].y);
                    sum[i][j].x = fma(-a[i].y, b[j].y, sum[i][j].x);
                    sum[i][j].y = fma(a[i].y, b[j].x, sum[i][j].y);
                }
        }
        if (more) {
            KEEP(now ^ 1)
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        int to = beam + down * ROWS + i;
        global float2 *row = y + (size_t)to * samples;
        if (to < beams)
#pragma unroll
            for (int j = 0; j < COLUMNS; j += 2) {
                int at = sample + j * ACROSS + across * 2;
#if PAIRED
                if (at < samples)
                    *(global float4 *)(row + at) = (float4)(sum[i][j], sum[i][j + 1]);
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
