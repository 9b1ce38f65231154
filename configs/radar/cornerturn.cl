// cornerturn.cu in OpenCL C: its comments say why a tile is turned as it is.

kernel void plain(global const float2 *from, global float2 *to, int rows, int columns) {
    int column = get_global_id(0), row = get_global_id(1);
    if (row < rows && column < columns)
        to[(size_t)column * rows + row] = from[(size_t)row * columns + column];
}

#ifdef TILE

#define STEP (TILE / TURNS)

kernel __attribute__((reqd_work_group_size(TILE * TILE / TURNS, 1, 1)))
void tiled(global const float2 *from, global float2 *to, int rows, int columns) {
    local float2 tile[TILE][TILE + 1];
    int x = get_local_id(0) % TILE, y = get_local_id(0) / TILE;
    int left = get_group_id(1) * TILE, top = get_group_id(0) * TILE;
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
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < TURNS; i++) {
        int column = left + y + i * STEP;
        if (top + x < rows && column < columns)
            to[(size_t)column * rows + top + x] = tile[x][y + i * STEP];
    }
}

#endif
