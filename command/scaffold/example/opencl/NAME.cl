// b = the transpose of a, m × n. TILE and ROWS are tunables.

__kernel void naive(__global const float *a, __global float *b, int m, int n)
{
    const int x = get_group_id(0) * TILE + get_local_id(0);
    for (int j = 0; j < ROWS; j++) {
        const int y = get_group_id(1) * TILE + get_local_id(1) + j * (TILE / ROWS);
        if (x < n && y < m)
            b[x * m + y] = a[y * n + x];
    }
}

// A tile is read and written in rows. Its rows are one longer than TILE, so that a column lies in different banks.
__kernel void tiled(__global const float *a, __global float *b, int m, int n, __local float *tile)
{
    const int column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
    const int i = get_local_id(0), first = get_local_id(1);
    for (int j = first; j < TILE; j += TILE / ROWS)
        if (column + i < n && row + j < m)
            tile[j * (TILE + 1) + i] = a[(row + j) * n + column + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = first; j < TILE; j += TILE / ROWS)
        if (row + i < m && column + j < n)
            b[(column + j) * m + row + i] = tile[i * (TILE + 1) + j];
}
