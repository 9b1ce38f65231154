// b = aᵀ. A block of TILE × TILE/ROWS threads takes a tile of TILE × TILE
// elements, each thread ROWS of them. TILE and ROWS are tunables of NAME.json.

// Neighbouring threads read neighbours of a, and write elements of b that lie
// m apart.
extern "C" __global__ void naive(const float *a, float *b, int m, int n) {
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += TILE / ROWS) {
        int row = blockIdx.y * TILE + i;
        if (row < m && column < n)
            b[(long long)column * m + row] = a[(long long)row * n + column];
    }
}

// The tile is turned in shared memory, so that reads and writes are both of
// neighbours. One column more than TILE keeps a column's elements in different
// banks.
extern "C" __global__ void tiled(const float *a, float *b, int m, int n) {
    __shared__ float tile[TILE][TILE + 1];
    int column = blockIdx.x * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += TILE / ROWS) {
        int row = blockIdx.y * TILE + i;
        if (row < m && column < n)
            tile[i][threadIdx.x] = a[(long long)row * n + column];
    }
    __syncthreads();
    int row = blockIdx.y * TILE + threadIdx.x;
    for (int i = threadIdx.y; i < TILE; i += TILE / ROWS) {
        int column = blockIdx.x * TILE + i;
        if (row < m && column < n)
            b[(long long)column * m + row] = tile[threadIdx.x][i];
    }
}
