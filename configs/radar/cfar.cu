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

#ifdef TURNS

constexpr int HALO = GUARD + CELLS;
constexpr int SLOTS = 2 * HALO + 1 + AHEAD;
constexpr int SEGMENT = TURNS * SLOTS; // range cells of a thread

__device__ __forceinline__ void add(float2 &a, float2 b) { a.x += b.x, a.y += b.y; }
__device__ __forceinline__ void subtract(float2 &a, float2 b) { a.x -= b.x, a.y -= b.y; }

// A thread walks along SEGMENT range cells of two neighbouring Doppler bins. The window's
// powers, and the AHEAD next cells, which are being loaded meanwhile, stay in a ring of
// registers: each cell is read once, besides the 2·HALO ones of a segment that its
// neighbours read too, and nothing goes through shared memory.
extern "C" __global__ void __launch_bounds__(THREADS) streamed(const float *cube, float *excess, int beams, int ranges, int dopplers, float factor) {
    int columns = dopplers / 2, at = blockIdx.x * THREADS + threadIdx.x;
    int first = at / columns * SEGMENT;
    if (first >= ranges)
        return;
    const float2 *from = reinterpret_cast<const float2 *>(cube) + blockIdx.y * (size_t)ranges * columns + at % columns;
    float2 *to = reinterpret_cast<float2 *>(excess) + blockIdx.y * (size_t)ranges * columns + at % columns;

    // Row t of the segment's and its surroundings'.
    auto row = [&](int t) {
        int range = first - HALO + t;
        return range >= 0 && range < ranges ? from[(size_t)range * columns] : make_float2(0, 0);
    };
    float2 ring[SLOTS], sum = make_float2(0, 0);
#pragma unroll
    for (int t = 0; t < SLOTS - 1; t++)
        ring[t] = row(t);
#pragma unroll
    for (int t = 0; t < 2 * HALO; t++) {
        ring[t] = make_float2(ring[t].x * ring[t].x, ring[t].y * ring[t].y);
        if (t < CELLS || t > HALO + GUARD)
            add(sum, ring[t]);
    }
#pragma unroll 1
    for (int start = 0; start < SEGMENT; start += SLOTS)
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
            ring[(i + SLOTS - 1) % SLOTS] = row(start + i + SLOTS - 1);
            float2 &entering = ring[(i + 2 * HALO) % SLOTS];
            entering = make_float2(entering.x * entering.x, entering.y * entering.y);
            add(sum, entering);
            int range = first + start + i;
            float2 p = ring[(i + HALO) % SLOTS];
            if (range < ranges)
                to[(size_t)range * columns] = make_float2(fmaxf(0, p.x - factor / (2 * CELLS) * sum.x), fmaxf(0, p.y - factor / (2 * CELLS) * sum.y));
            subtract(sum, ring[i]);
            add(sum, ring[(i + CELLS) % SLOTS]);
            subtract(sum, ring[(i + HALO + GUARD + 1) % SLOTS]);
        }
}

#endif
