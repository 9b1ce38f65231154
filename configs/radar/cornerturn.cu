// Corner turn: a rows × columns matrix of complex samples is transposed, so that what
// lay pulse after pulse lies range cell after range cell. HPEC Challenge, CT.
//
// A problem takes no FLOPs and 16·ROWS·COLUMNS bytes: memory bounds it.

// A thread an element. Neighbours write samples that lie a row apart: of each sector
// of 32 bytes a warp writes 8.
extern "C" __global__ void plain(const float2 *from, float2 *to, int rows, int columns) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns)
        to[(size_t)column * rows + row] = from[(size_t)row * columns + column];
}

#ifdef TILE

// A tile of TILE × TILE samples is turned in shared memory, so that reads and writes
// are both of neighbours. A thread reads all its TURNS samples before it writes the
// first: TURNS times 8 bytes in flight for each of up to 2048 threads are more than
// the some 32 KiB that an SM of an H100 needs to hide memory's latency. A row has one
// sample more, so that a column's samples lie in different banks. Tiles are taken
// along columns of the answer, whose lines are then still in the L2 cache when the
// tile beside them fills their other part.
extern "C" __global__ void __launch_bounds__(TILE * TILE / TURNS) tiled(const float2 *from, float2 *to, int rows, int columns) {
    __shared__ float2 tile[TILE][TILE + 1];
    constexpr int STEP = TILE / TURNS;
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    int left = blockIdx.y * TILE, top = blockIdx.x * TILE;
    float2 sample[TURNS];
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        int row = top + y + i * STEP;
        if (row < rows && left + x < columns)
            sample[i] = from[(size_t)row * columns + left + x];
    }
#pragma unroll
    for (int i = 0; i < TURNS; i++)
        if (top + y + i * STEP < rows && left + x < columns)
            tile[y + i * STEP][x] = sample[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        int column = left + y + i * STEP;
        if (top + x < rows && column < columns)
            to[(size_t)column * rows + top + x] = tile[x][y + i * STEP];
    }
}

#endif
