// tdfir.cu in OpenCL C: its comments say how samples and sums lie.

kernel void plain(global const float2 *x, global const float2 *w, global float2 *y, int samples) {
    int i = get_global_id(0);
    if (i >= samples)
        return;
    x += get_group_id(1) * (size_t)samples;
    w += get_group_id(1) * (size_t)TAPS;
    float2 sum = (float2)(0, 0);
    for (int k = 0; k < TAPS && k <= i; k++) {
        float2 a = w[k], b = x[i - k];
        sum.x += a.x * b.x - a.y * b.y;
        sum.y += a.x * b.y + a.y * b.x;
    }
    y[get_group_id(1) * (size_t)samples + i] = sum;
}

#ifdef OUTPUTS

#define CHUNKS ((TAPS + OUTPUTS - 1) / OUTPUTS)
#define HISTORY (CHUNKS * OUTPUTS)
#define SPAN (THREADS * OUTPUTS)
#define STEP (OUTPUTS + 2)
#define PLACE(I) ((I) / OUTPUTS * STEP + (I) % OUTPUTS)

static void take(float2 to[OUTPUTS], local const float2 *from) {
#pragma unroll
    for (int i = 0; i < OUTPUTS; i += 2) {
        float4 two = *(local const float4 *)(from + i);
        to[i] = two.xy;
        to[i + 1] = two.zw;
    }
}

static void accumulate(float2 sum[OUTPUTS], const float2 late[OUTPUTS], const float2 early[OUTPUTS], local const float2 *weights) {
    float2 w[OUTPUTS];
    take(w, weights);
#pragma unroll
    for (int j = 0; j < OUTPUTS; j++) {
#pragma unroll
        for (int r = 0; r < OUTPUTS; r++) {
            float2 v = r >= j ? late[r >= j ? r - j : 0] : early[r >= j ? 0 : r - j + OUTPUTS];
            sum[r].x = fma(w[j].x, v.x, sum[r].x);
            sum[r].y = fma(w[j].x, v.y, sum[r].y);
        }
#pragma unroll
        for (int r = 0; r < OUTPUTS; r++) {
            float2 v = r >= j ? late[r >= j ? r - j : 0] : early[r >= j ? 0 : r - j + OUTPUTS];
            sum[r].x = fma(-w[j].y, v.y, sum[r].x);
            sum[r].y = fma(w[j].y, v.x, sum[r].y);
        }
    }
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void blocked(global const float2 *x, global const float2 *w, global float2 *y, int samples) {
    local float2 signal[(CHUNKS + THREADS) * STEP] __attribute__((aligned(16)));
    local float2 weights[HISTORY] __attribute__((aligned(16)));
    int thread = get_local_id(0);
    x += get_group_id(1) * (size_t)samples;
    y += get_group_id(1) * (size_t)samples;
    w += get_group_id(1) * (size_t)TAPS;
    int first = get_group_id(0) * SPAN + thread;
    local float2 *places = signal + PLACE(thread);
#pragma unroll
    for (int i = 0; i < HISTORY + SPAN; i += THREADS)
        if (i + thread < HISTORY + SPAN) {
            int at = first - HISTORY + i;
            places[PLACE(i)] = (uint)at < (uint)samples ? x[at] : (float2)(0, 0);
        }
    for (int k = thread; k < HISTORY; k += THREADS)
        weights[k] = k < TAPS ? w[k] : (float2)(0, 0);
    barrier(CLK_LOCAL_MEM_FENCE);

    float2 sum[OUTPUTS], even[OUTPUTS], odd[OUTPUTS];
#pragma unroll
    for (int r = 0; r < OUTPUTS; r++)
        sum[r] = (float2)(0, 0);
    local const float2 *own = signal + (CHUNKS + thread) * STEP;
    take(even, own);
#pragma unroll 1
    for (int c = 0; c + 1 < CHUNKS; c += 2) {
        take(odd, own - (c + 1) * STEP);
        accumulate(sum, even, odd, weights + c * OUTPUTS);
        take(even, own - (c + 2) * STEP);
        accumulate(sum, odd, even, weights + (c + 1) * OUTPUTS);
    }
    if (CHUNKS % 2 == 1) {
        take(odd, own - CHUNKS * STEP);
        accumulate(sum, even, odd, weights + (CHUNKS - 1) * OUTPUTS);
    }

    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int r = 0; r < OUTPUTS; r += 2)
        *(local float4 *)(signal + thread * STEP + r) = (float4)(sum[r], sum[r + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < SPAN; i += THREADS)
        if (first + i < samples)
            y[first + i] = places[PLACE(i)];
}

#endif
