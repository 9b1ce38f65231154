// heavy.cu: version v2, heavy threads. Each thread belongs to one input point
// and makes its row_factor·column_factor output points. The block's control
// points lie in shared memory; for each phase down the rows (Y) its threads
// interpolate their columns into one line per row, then each makes its points
// across (X).
//
// Defines: BX, BY threads per block, BX at least 3; BASIS. Traffic: the block's
// points with a rim of 3 are requested once, each output point is stored once.
#include "spline.cuh"

enum { WIDTH = BX + 3, HEIGHT = BY + 3 };

// row_step and column_step are 1/row_factor and 1/column_factor.
KERNEL(BX, BY, 1)
    heavy(GLOBAL const float* __restrict__ in, GLOBAL float* __restrict__ out, int rows, int cols, int row_factor, int column_factor,
          float row_step, float column_step, unsigned blocks_across) {
  SHARED float points[HEIGHT][WIDTH];
  SHARED float lines[2][BY][WIDTH];  // of phases in turn, so that one barrier per phase is enough
  const int left = (int)(blockIdx.x % blocks_across) * BX, top = (int)(blockIdx.x / blocks_across) * BY;
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int i = ty * BX + tx; i < HEIGHT * WIDTH; i += BX * BY) {
    const int y = i / WIDTH, x = i - y * WIDTH;
    points[y][x] = in[(Long)clamp_to(top - 1 + y, rows) * cols + clamp_to(left - 1 + x, cols)];
  }
  __syncthreads();
  const int x = left + tx, y = top + ty;
  const Cubic own = cubic_of(points[ty][tx], points[ty + 1][tx], points[ty + 2][tx], points[ty + 3][tx]);
  Cubic rim = own;  // the column right of the block's that this thread takes too
  const int beyond = BX + tx;
  if (tx < 3) rim = cubic_of(points[ty][beyond], points[ty + 1][beyond], points[ty + 2][beyond], points[ty + 3][beyond]);
  const Long out_cols = (Long)cols * column_factor;
  GLOBAL float* to = out + (Long)y * row_factor * out_cols + (Long)x * column_factor;
#pragma unroll 1
  for (int r = 0; r < row_factor; r++, to += out_cols) {
    LOCAL float* const line = lines[r % 2][ty];
    const Basis down = basis_at((float)r * row_step);
    line[tx] = value(down, own);
    if (tx < 3) line[beyond] = value(down, rim);
    __syncthreads();
    if (x < cols && y < rows) {
      const Cubic p = cubic_of(line[tx], line[tx + 1], line[tx + 2], line[tx + 3]);
#pragma unroll 1
      for (int c = 0; c < column_factor; c++) to[c] = value(basis_at((float)c * column_step), p);
    }
  }
}
