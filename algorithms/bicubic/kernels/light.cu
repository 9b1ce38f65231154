// light.cu: version v1, light threads. Each thread makes one output point from
// its 16 control points by five cubics, on its own.
//
// Defines: BX, BY threads per block; BASIS. Traffic: 64 bytes requested per
// point, less where threads of a warp share control points, and 4 stored.
#include "spline.cuh"

// row_step and column_step are 1/row_factor and 1/column_factor.
extern "C" __global__ void __launch_bounds__(BX* BY)
    light(const float* __restrict__ in, float* __restrict__ out, int rows, int cols, int row_factor, int column_factor,
          float row_step, float column_step, unsigned blocks_across) {
  const long long out_cols = static_cast<long long>(cols) * column_factor;
  const long long out_rows = static_cast<long long>(rows) * row_factor;
  const long long column = static_cast<long long>(blockIdx.x % blocks_across) * BX + threadIdx.x;
  const long long row = static_cast<long long>(blockIdx.x / blocks_across) * BY + threadIdx.y;
  if (column >= out_cols || row >= out_rows) return;
  const int x = static_cast<int>(static_cast<unsigned>(column) / column_factor);
  const int y = static_cast<int>(static_cast<unsigned>(row) / row_factor);
  const Basis across = basis_at(static_cast<float>(static_cast<int>(column) - x * column_factor) * column_step);
  const Basis down = basis_at(static_cast<float>(static_cast<int>(row) - y * row_factor) * row_step);
  int at[4];
#pragma unroll
  for (int i = 0; i < 4; i++) at[i] = clamp_to(x - 1 + i, cols);
  float v[4];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const float* from = in + static_cast<long long>(clamp_to(y - 1 + i, rows)) * cols;
    v[i] = value(across, cubic_of(from[at[0]], from[at[1]], from[at[2]], from[at[3]]));
  }
  out[row * out_cols + column] = value(down, cubic_of(v[0], v[1], v[2], v[3]));
}
