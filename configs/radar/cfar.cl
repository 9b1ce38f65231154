// cfar.cu in OpenCL C: its comments say what a cell is compared with, and how windows slide.

kernel void plain(global const float *cube, global float *excess, int beams, int ranges, int dopplers, float factor) {
    int at = get_global_id(0);
    if (at >= beams * ranges * dopplers)
        return;
    int range = at / dopplers % ranges;
    float sum = 0;
    for (int d = GUARD + 1; d <= GUARD + CELLS; d++) {
        float before = range >= d ? cube[at - d * dopplers] : 0;
        float after = range + d < ranges ? cube[at + d * dopplers] : 0;
        sum += before * before + after * after;
    }
    excess[at] = fmax(0.f, cube[at] * cube[at] - factor / (2 * CELLS) * sum);
}

#define HALO (GUARD + CELLS)

#ifdef RUN

#define ROWS (THREADS / LANES * RUN)

#if VEC == 4
typedef float4 Cells;
#else
typedef float Cells;
#endif

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void tiled(global const float *cube, global float *excess, int beams, int ranges, int dopplers, float factor) {
    local Cells power[(ROWS + 2 * HALO) * LANES];
    int columns = dopplers / VEC;
    int lane = get_local_id(0) % LANES, row = get_local_id(0) / LANES;
    int column = get_group_id(0) * LANES + lane, first = get_group_id(1) * ROWS;
    global const Cells *from = (global const Cells *)cube + get_group_id(2) * (size_t)ranges * columns + column;
    global Cells *to = (global Cells *)excess + get_group_id(2) * (size_t)ranges * columns + column;
#pragma unroll
    for (int i = 0; i < ROWS + 2 * HALO; i += THREADS / LANES) {
        int range = first - HALO + i + row;
        if (i + row < ROWS + 2 * HALO) {
            Cells a = 0;
            if (column < columns && range >= 0 && range < ranges)
                a = from[(size_t)range * columns];
            power[(i + row) * LANES + lane] = a * a;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (column >= columns)
        return;
    local const Cells *own = power + (row * RUN + HALO) * LANES + lane;
    Cells sum = 0;
#pragma unroll
    for (int d = GUARD + 1; d <= GUARD + CELLS; d++) {
        sum += own[-d * LANES];
        sum += own[d * LANES];
    }
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        int range = first + row * RUN + r;
        if (range < ranges)
            to[(size_t)range * columns] = fmax((Cells)0, own[r * LANES] - factor / (2 * CELLS) * sum);
        if (r + 1 < RUN) {
            sum -= own[(r - GUARD - CELLS) * LANES];
            sum += own[(r - GUARD) * LANES];
            sum -= own[(r + 1 + GUARD) * LANES];
            sum += own[(r + 1 + GUARD + CELLS) * LANES];
        }
    }
}

#endif

#ifdef TURNS

#define SLOTS (2 * HALO + 1 + AHEAD)
#define SEGMENT (TURNS * SLOTS)

static float2 row(global const float2 *from, int range, int ranges, int columns) {
    return range >= 0 && range < ranges ? from[(size_t)range * columns] : (float2)(0, 0);
}

kernel __attribute__((reqd_work_group_size(THREADS, 1, 1)))
void streamed(global const float *cube, global float *excess, int beams, int ranges, int dopplers, float factor) {
    int columns = dopplers / 2, at = get_group_id(0) * THREADS + get_local_id(0);
    int first = at / columns * SEGMENT;
    if (first >= ranges)
        return;
    global const float2 *from = (global const float2 *)cube + get_group_id(1) * (size_t)ranges * columns + at % columns;
    global float2 *to = (global float2 *)excess + get_group_id(1) * (size_t)ranges * columns + at % columns;
    float2 ring[SLOTS], sum = (float2)(0, 0);
#pragma unroll
    for (int t = 0; t < SLOTS - 1; t++)
        ring[t] = row(from, first - HALO + t, ranges, columns);
#pragma unroll
    for (int t = 0; t < 2 * HALO; t++) {
        ring[t] *= ring[t];
        if (t < CELLS || t > HALO + GUARD)
            sum += ring[t];
    }
#pragma unroll 1
    for (int start = 0; start < SEGMENT; start += SLOTS)
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
            ring[(i + SLOTS - 1) % SLOTS] = row(from, first - HALO + start + i + SLOTS - 1, ranges, columns);
            ring[(i + 2 * HALO) % SLOTS] *= ring[(i + 2 * HALO) % SLOTS];
            sum += ring[(i + 2 * HALO) % SLOTS];
            int range = first + start + i;
            if (range < ranges)
                to[(size_t)range * columns] = fmax((float2)0, ring[(i + HALO) % SLOTS] - factor / (2 * CELLS) * sum);
            sum -= ring[i];
            sum += ring[(i + CELLS) % SLOTS];
            sum -= ring[(i + HALO + GUARD + 1) % SLOTS];
        }
}

#endif
