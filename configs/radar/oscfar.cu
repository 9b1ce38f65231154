// Ordered-statistic CFAR along range: a cell of magnitude m is a detection if the RANK-th
// smallest of its window, CELLS cells on each side beyond GUARD cells beside it, is less
// than scale/256·m. That is so if RANK of them are, and counting takes no sorting. Cells
// outside of the cube count as 0. Magnitudes are whole numbers, so that all of it is exact.
//
// A problem takes 4·CELLS comparisons and additions a cell, and 3 bytes. By the pairs of
// 16 bits that an instruction takes, comparing bounds it on an H100 from some 10 cells a
// side on, memory below that.

// v < scale/256·m for whole v where v is less than this.
__device__ __forceinline__ unsigned limit_of(unsigned m, int scale) { return (m * scale + 255) / 256; }

// A thread a cell, with 2·CELLS + 1 loads.
extern "C" __global__ void plain(const unsigned short *cube, unsigned char *found, int beams, int ranges, int dopplers, int scale) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= beams * ranges * dopplers)
        return;
    int range = at / dopplers % ranges, below = 0;
    unsigned limit = limit_of(cube[at], scale);
    for (int d = GUARD + 1; d <= GUARD + CELLS; d++) {
        below += (range >= d ? cube[at - d * dopplers] : 0) < limit;
        below += (range + d < ranges ? cube[at + d * dopplers] : 0) < limit;
    }
    found[at] = below >= RANK;
}

#ifdef RUN

constexpr int HALO = GUARD + CELLS;
constexpr int ROWS = THREADS / LANES * RUN;

// Counts for both halves of a word whether v is below limit, two instructions for two
// cells. Numbers up to 31743 are ordered as the f16 with their bits are, and PTX
// compares and adds two of those at once; the counts are f16, too.
__device__ __forceinline__ void count(unsigned &below, unsigned v, unsigned limit) {
#ifdef BENCH_SIM
    below += ((v & 0xffff) < (limit & 0xffff)) + ((v >> 16) < (limit >> 16)) * 0x10000;
#else
    unsigned less;
    asm("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(less) : "r"(v), "r"(limit));
    asm("add.f16x2 %0, %0, %1;" : "+r"(below) : "r"(less));
#endif
}

// A count as count leaves it.
constexpr unsigned counted_as(unsigned n) {
#ifndef BENCH_SIM
    for (unsigned e = 0; e < 11; e++)
        if (n >> e == 1)
            return (e + 15) << 10 | (n << (10 - e) & 0x3ff);
#endif
    return n;
}

// A thread two neighbouring Doppler bins of RUN range cells, from a tile in shared memory:
// each pair read is compared with the limits of all cells in whose windows it is.
extern "C" __global__ void __launch_bounds__(THREADS) counted(const ushort2 *cube, uchar2 *found, int beams, int ranges, int dopplers, int scale) {
    __shared__ unsigned tile[(ROWS + 2 * HALO) * LANES];
    constexpr unsigned ENOUGH = counted_as(RANK);
    int columns = dopplers / 2;
    int lane = threadIdx.x % LANES, row = threadIdx.x / LANES;
    int column = blockIdx.x * LANES + lane, first = blockIdx.y * ROWS;
    const ushort2 *from = cube + blockIdx.z * (size_t)ranges * columns + column;
    uchar2 *to = found + blockIdx.z * (size_t)ranges * columns + column;
#pragma unroll
    for (int i = 0; i < ROWS + 2 * HALO; i += THREADS / LANES) {
        int range = first - HALO + i + row;
        ushort2 v = make_ushort2(0, 0);
        if (column < columns && range >= 0 && range < ranges && i + row < ROWS + 2 * HALO)
            v = from[(size_t)range * columns];
        if (i + row < ROWS + 2 * HALO)
            tile[(i + row) * LANES + lane] = v.x | v.y << 16;
    }
    __syncthreads();
    if (column >= columns)
        return;
    const unsigned *own = tile + (row * RUN + HALO) * LANES + lane;
    unsigned limit[RUN], below[RUN] = {};
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        unsigned m = own[r * LANES];
        limit[r] = limit_of(m & 0xffff, scale) | limit_of(m >> 16, scale) << 16;
    }
#pragma unroll
    for (int i = -HALO; i < RUN + HALO; i++) {
        unsigned v = own[i * LANES];
#pragma unroll
        for (int r = 0; r < RUN; r++) {
            int distance = i < r ? r - i : i - r;
            if (distance > GUARD && distance <= HALO)
                count(below[r], v, limit[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        int range = first + row * RUN + r;
        if (range < ranges)
            to[(size_t)range * columns] = make_uchar2((below[r] & 0xffff) >= ENOUGH, below[r] >> 16 >= ENOUGH);
    }
}

#endif
