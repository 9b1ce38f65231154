// Cell-averaging CFAR along range: of the power p of each cell of a cube of beams ×
// range cells × Doppler bins the excess max(0, p - FACTOR·mean) is kept, where the mean
// is over CELLS cells on each side, beyond GUARD cells beside it. As HPEC Challenge,
// CFAR, has it, cells outside of the cube count as 0. A cell with an excess is a
// detection. The excess is continuous in the samples: rounding cannot turn a cell near the
// threshold into a large error, as it could with a flag.
//
// A problem takes 7 FLOPs a cell (sliding sums) and 8·BEAMS·RANGES·DOPPLERS bytes:
// memory bounds it.

// A thread a cell: 2·CELLS + 1 loads, most of which caches answer.
extern "C" __global__ void plain(const float *cube, float *excess, int beams, int ranges, int dopplers, float factor) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= beams * ranges * dopplers)
        return;
    int range = at / dopplers % ranges;
    float sum = 0;
    for (int d = GUARD + 1; d <= GUARD + CELLS; d++) {
        float before = range >= d ? cube[at - d * dopplers] : 0;
        float after = range + d < ranges ? cube[at + d * dopplers] : 0;
        sum += before * before + after * after;
    }
    excess[at] = fmaxf(0, cube[at] * cube[at] - factor / (2 * CELLS) * sum);
}

#ifdef RUN

constexpr int HALO = GUARD + CELLS;
constexpr int ROWS = THREADS / LANES * RUN;

#if VEC == 4
typedef float4 Cells;
__device__ __forceinline__ Cells none() { return make_float4(0, 0, 0, 0); }
__device__ __forceinline__ Cells squared(Cells a) { return make_float4(a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w); }
__device__ __forceinline__ void add(Cells &a, Cells b) { a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w; }
__device__ __forceinline__ void subtract(Cells &a, Cells b) { a.x -= b.x, a.y -= b.y, a.z -= b.z, a.w -= b.w; }
__device__ __forceinline__ Cells beyond(Cells p, float c, Cells s) {
    return make_float4(fmaxf(0, p.x - c * s.x), fmaxf(0, p.y - c * s.y), fmaxf(0, p.z - c * s.z), fmaxf(0, p.w - c * s.w));
}
#else
typedef float Cells;
__device__ __forceinline__ Cells none() { return 0; }
__device__ __forceinline__ Cells squared(Cells a) { return a * a; }
__device__ __forceinline__ void add(Cells &a, Cells b) { a += b; }
__device__ __forceinline__ void subtract(Cells &a, Cells b) { a -= b; }
__device__ __forceinline__ Cells beyond(Cells p, float c, Cells s) { return fmaxf(0, p - c * s); }
#endif

// A block takes ROWS range cells of LANES·VEC Doppler bins: it reads them and HALO cells
// on either side once, with all loads of VEC bins in flight together, and keeps their
// powers in shared memory. A thread sums the windows of its first cell, and slides them
// along RUN cells: (2·CELLS + 5·RUN)/RUN reads from shared memory a cell, of which an
// H100 could do some 19 in the time that memory takes. Sums start anew each RUN cells, so that rounding
// errors do not pile up.
extern "C" __global__ void __launch_bounds__(THREADS) tiled(const float *cube, float *excess, int beams, int ranges, int dopplers, float factor) {
    __shared__ Cells power[(ROWS + 2 * HALO) * LANES];
    int columns = dopplers / VEC;
    int lane = threadIdx.x % LANES, row = threadIdx.x / LANES;
    int column = blockIdx.x * LANES + lane, first = blockIdx.y * ROWS;
    const Cells *from = reinterpret_cast<const Cells *>(cube) + blockIdx.z * (size_t)ranges * columns + column;
    Cells *to = reinterpret_cast<Cells *>(excess) + blockIdx.z * (size_t)ranges * columns + column;
#pragma unroll
    for (int i = 0; i < ROWS + 2 * HALO; i += THREADS / LANES) {
        int range = first - HALO + i + row;
        if (i + row < ROWS + 2 * HALO)
            power[(i + row) * LANES + lane] = column < columns && range >= 0 && range < ranges ? squared(from[(size_t)range * columns]) : none();
    }
    __syncthreads();
    if (column >= columns)
        return;
    const Cells *own = power + (row * RUN + HALO) * LANES + lane;
    Cells sum = none();
#pragma unroll
    for (int d = GUARD + 1; d <= GUARD + CELLS; d++) {
        add(sum, own[-d * LANES]);
        add(sum, own[d * LANES]);
    }
#pragma unroll
    for (int r = 0; r < RUN; r++) {
        int range = first + row * RUN + r;
        if (range < ranges)
            to[(size_t)range * columns] = beyond(own[r * LANES], factor / (2 * CELLS), sum);
        if (r + 1 < RUN) {
            subtract(sum, own[(r - GUARD - CELLS) * LANES]);
            add(sum, own[(r - GUARD) * LANES]);
            subtract(sum, own[(r + 1 + GUARD) * LANES]);
            add(sum, own[(r + 1 + GUARD + CELLS) * LANES]);
        }
    }
}

#endif
