// What memory allows solvers of interleaved systems that hold whole systems on
// the chip: the same loads and stores as algorithms/tridiagonal/teams.cu, no
// elimination, no barrier.

extern "C" __global__ void __launch_bounds__(512)
    together(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, const float *__restrict__ d, float *__restrict__ x,
             int n, int systems) {
  const int chunks = n / (TEAM * ROWS), chunk = blockIdx.x % chunks;
  const long long at = (long long)(chunk * TEAM + threadIdx.x / COLUMNS) * ROWS * systems + (long long)(blockIdx.x / chunks) * COLUMNS + threadIdx.x % COLUMNS;
  float v[ROWS][4];
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    const long long k = at + (long long)i * systems;
    v[i][0] = a[k];
    v[i][1] = b[k];
    v[i][2] = c[k];
    v[i][3] = d[k];
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++) x[at + (long long)i * systems] = v[i][0] + v[i][1] + v[i][2] + v[i][3];
}

// The same values in the order of memory.
extern "C" __global__ void __launch_bounds__(512)
    in_order(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, const float *__restrict__ d, float *__restrict__ x,
             int, int) {
  const long long at = (long long)blockIdx.x * (TEAM * COLUMNS * ROWS) + threadIdx.x;
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    const long long k = at + i * TEAM * COLUMNS;
    x[k] = a[k] + b[k] + c[k] + d[k];
  }
}
