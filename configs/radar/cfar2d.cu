// Cell-averaging CFAR with a window in range and Doppler: of the power p of each cell of
// range-Doppler maps the excess max(0, p - FACTOR·mean) is kept, where the mean is over a box of
// ±(RANGE_GUARD + RANGE_CELLS) × ±(DOPPLER_GUARD + DOPPLER_CELLS) cells less the
// guard cells in its middle. Doppler is periodic; range cells outside of the map count as 0.
//
// A problem takes 11 FLOPs a cell (boxes whose sums slide in both directions) and
// 8·MAPS·RANGES·DOPPLERS bytes: memory bounds it.

constexpr int REACH = RANGE_GUARD + RANGE_CELLS;
constexpr int SIDE = DOPPLER_GUARD + DOPPLER_CELLS;
constexpr int COUNT = (2 * REACH + 1) * (2 * SIDE + 1) - (2 * RANGE_GUARD + 1) * (2 * DOPPLER_GUARD + 1);

// A thread a cell, with COUNT + 1 loads, most of which caches answer.
extern "C" __global__ void plain(const float *map, float *excess, int maps, int ranges, int dopplers, float factor) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= maps * ranges * dopplers)
        return;
    int doppler = at % dopplers, range = at / dopplers % ranges;
    float sum = 0;
    for (int r = -REACH; r <= REACH; r++) {
        if (range + r < 0 || range + r >= ranges)
            continue;
        const float *line = map + at - doppler + r * dopplers;
        for (int d = -SIDE; d <= SIDE; d++) {
            float v = line[(doppler + d + dopplers) % dopplers];
            if (abs(r) > RANGE_GUARD || abs(d) > DOPPLER_GUARD)
                sum += v * v;
        }
    }
    excess[at] = fmaxf(0, map[at] * map[at] - factor / COUNT * sum);
}

#ifdef LANES

constexpr int SLOTS = 2 * REACH + 1 + AHEAD;
constexpr int SEGMENT = TURNS * SLOTS; // range cells of a group
constexpr int BESIDE = (SIDE + 3) / 4; // lanes on each side with a lane's neighbours

__device__ __forceinline__ float4 squared(float4 a) { return make_float4(a.x * a.x, a.y * a.y, a.z * a.z, a.w * a.w); }
__device__ __forceinline__ void add(float4 &a, float4 b) { a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w; }
__device__ __forceinline__ void subtract(float4 &a, float4 b) { a.x -= b.x, a.y -= b.y, a.z -= b.z, a.w -= b.w; }

// The sums over ±reach neighbours of a lane's four columns, of a line of LANES of them.
template <int reach>
__device__ __forceinline__ float4 along(const float4 *line, int lane, float4 own) {
    constexpr int beside = (reach + 3) / 4;
    float v[4 * (2 * beside + 1)];
#pragma unroll
    for (int i = -beside; i <= beside; i++) {
        float4 four = i == 0 ? own : line[(lane + i + LANES) % LANES];
        v[4 * (i + beside)] = four.x, v[4 * (i + beside) + 1] = four.y, v[4 * (i + beside) + 2] = four.z, v[4 * (i + beside) + 3] = four.w;
    }
    float sum = 0, result[4];
#pragma unroll
    for (int d = -reach; d <= reach; d++)
        sum += v[4 * beside + d];
    result[0] = sum;
#pragma unroll
    for (int i = 1; i < 4; i++)
        result[i] = sum += v[4 * beside + i + reach] - v[4 * beside + i - 1 - reach];
    return make_float4(result[0], result[1], result[2], result[3]);
}

// A group of LANES threads walks along SEGMENT range cells, each thread with four Doppler
// bins. The powers of the window's range cells, and the AHEAD next ones, which are being
// loaded meanwhile, stay in a ring of registers; sums along range slide. Those of the
// neighbours along Doppler come from a line in shared memory: some 8 accesses of 16 bytes
// for four cells. If the lanes do not hold all of Doppler, the outer ones only lend their
// sums. Of each segment 2·REACH range cells are read twice, mostly from the L2 cache.
extern "C" __global__ void __launch_bounds__(THREADS) streamed(const float *map, float *excess, int maps, int ranges, int dopplers, float factor) {
    __shared__ float4 outer_line[2][THREADS], inner_line[2][THREADS];
    int lane = threadIdx.x % LANES, group = threadIdx.x / LANES;
    int columns = dopplers / 4;
    bool whole = columns == LANES;
    int column = whole ? lane : blockIdx.x * (LANES - 2 * BESIDE) + lane - BESIDE;
    bool mine = whole || (lane >= BESIDE && lane < LANES - BESIDE && column < columns);
    column = (column + BESIDE * columns) % columns;
    int first = (blockIdx.y * (THREADS / LANES) + group) * SEGMENT;
    const float4 *from = reinterpret_cast<const float4 *>(map) + blockIdx.z * (size_t)ranges * columns + column;
    float4 *to = reinterpret_cast<float4 *>(excess) + blockIdx.z * (size_t)ranges * columns + column;

    // Row t of the segment's and its surroundings'.
    auto row = [&](int t) {
        int range = first - REACH + t;
        return range >= 0 && range < ranges ? from[(size_t)range * columns] : make_float4(0, 0, 0, 0);
    };
    float4 ring[SLOTS];
    float4 outer = make_float4(0, 0, 0, 0), inner = outer;
#pragma unroll
    for (int t = 0; t < SLOTS - 1; t++)
        ring[t] = row(t);
#pragma unroll
    for (int t = 0; t < 2 * REACH; t++) {
        ring[t] = squared(ring[t]);
        add(outer, ring[t]);
        if (t >= REACH - RANGE_GUARD && t < REACH + RANGE_GUARD)
            add(inner, ring[t]);
    }
#pragma unroll 1
    for (int start = 0; start < SEGMENT; start += SLOTS)
#pragma unroll
        for (int i = 0; i < SLOTS; i++) {
            ring[(i + SLOTS - 1) % SLOTS] = row(start + i + SLOTS - 1);
            float4 &entering = ring[(i + 2 * REACH) % SLOTS];
            entering = squared(entering);
            add(outer, entering);
            add(inner, ring[(i + REACH + RANGE_GUARD) % SLOTS]);

            int half = (start + i) % 2;
            outer_line[half][threadIdx.x] = outer;
            inner_line[half][threadIdx.x] = inner;
            __syncwarp();
            float4 sum = along<SIDE>(outer_line[half] + group * LANES, lane, outer);
            subtract(sum, along<DOPPLER_GUARD>(inner_line[half] + group * LANES, lane, inner));
            int range = first + start + i;
            float4 p = ring[(i + REACH) % SLOTS];
            float scale = factor / COUNT;
            if (mine && range < ranges)
                to[(size_t)range * columns] = make_float4(fmaxf(0, p.x - scale * sum.x), fmaxf(0, p.y - scale * sum.y), fmaxf(0, p.z - scale * sum.z), fmaxf(0, p.w - scale * sum.w));
            subtract(outer, ring[i]);
            subtract(inner, ring[(i + REACH - RANGE_GUARD) % SLOTS]);
        }
}

#endif
