// light.cu: version v1, light threads. Each thread makes one output point from
// its 16 control points by five cubics, on its own.
//
// Defines: BX, BY threads per block; BASIS. Traffic: 64 bytes requested per
// point, less where threads of a warp share control points, and 4 stored.
#include "spline.cuh"

// row_step and column_step are 1/row_factor and 1/column_factor.
KERNEL(BX, BY, 1)
    light(GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out, int rows, int cols, int row_factor, int column_factor,
          float row_step, float column_step, unsigned blocks_across) {
  const Long out_cols = (Long)cols * column_factor;
  const Long out_rows = (Long)rows * row_factor;
  const Long column = (Long)(blockIdx.x % blocks_across) * BX + threadIdx.x;
  const Long row = (Long)(blockIdx.x / blocks_across) * BY + threadIdx.y;
  if (column >= out_cols || row >= out_rows) return;
  const int x = (int)((unsigned)column / column_factor);
  const int y = (int)((unsigned)row / row_factor);
  const Basis across = basis_at((float)((int)column - x * column_factor) * column_step);
  const Basis down = basis_at((float)((int)row - y * row_factor) * row_step);
  int at[4];
#pragma unroll
  for (int i = 0; i < 4; i++) at[i] = clamp_to(x - 1 + i, cols);
  float v[4];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    GLOBAL const float* from = in + (Long)clamp_to(y - 1 + i, rows) * cols;
    v[i] = value(across, cubic_of(from[at[0]], from[at[1]], from[at[2]], from[at[3]]));
  }
  out[row * out_cols + column] = value(down, cubic_of(v[0], v[1], v[2], v[3]));
}
