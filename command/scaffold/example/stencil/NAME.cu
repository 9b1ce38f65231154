// One step of heat flow on a grid of m × n points: inner points get a mean of
// themselves and their four neighbours, points of the edge stay. A block has
// WIDTH × HEIGHT threads, one for each point; both are tunables of NAME.json.

__device__ float step(float here, float left, float right, float above, float below) {
    return 0.5f * here + 0.125f * ((left + right) + (above + below));
}

// Every neighbour is read from global memory.
extern "C" __global__ void direct(const float *u, float *v, int m, int n) {
    int column = blockIdx.x * WIDTH + threadIdx.x, row = blockIdx.y * HEIGHT + threadIdx.y;
    if (row >= m || column >= n)
        return;
    long long at = (long long)row * n + column;
    bool inner = row > 0 && row < m - 1 && column > 0 && column < n - 1;
    v[at] = inner ? step(u[at], u[at - 1], u[at + 1], u[at - n], u[at + n]) : u[at];
}

// The block's points and a halo of one point around them are read once, into
// shared memory.
extern "C" __global__ void tiled(const float *u, float *v, int m, int n) {
    __shared__ float tile[HEIGHT + 2][WIDTH + 2];
    int left = (int)blockIdx.x * WIDTH - 1, top = (int)blockIdx.y * HEIGHT - 1;
    for (int y = threadIdx.y; y < HEIGHT + 2; y += HEIGHT)
        for (int x = threadIdx.x; x < WIDTH + 2; x += WIDTH) {
            int row = top + y, column = left + x;
            if (row >= 0 && row < m && column >= 0 && column < n)
                tile[y][x] = u[(long long)row * n + column];
        }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1, row = top + y, column = left + x;
    if (row >= m || column >= n)
        return;
    bool inner = row > 0 && row < m - 1 && column > 0 && column < n - 1;
    v[(long long)row * n + column] = inner ? step(tile[y][x], tile[y][x - 1], tile[y][x + 1], tile[y - 1][x], tile[y + 1][x]) : tile[y][x];
}
