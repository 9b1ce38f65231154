// transposed.cu: versions v3 and v4, heavy threads and transposes. The input
// is transposed, interpolated along what were its columns, transposed back and
// interpolated along its rows, so that both interpolations go along lines that
// are contiguous. v4 does so for one chunk of input rows after another, with one
// row before and two after them for control points.
//
// Defines: BX, BY threads per block; TILE, the side of a transposed square, a
// multiple of BY; BASIS. Traffic: each of the four kernels loads its input (in
// lines with a rim of 3 per block) and stores its output.
#include "spline.cuh"

// to[x][y] = from[y][x] for rows × cols elements.
KERNEL(TILE, BY, 1)
    transpose(GLOBAL const float* __restrict__ from, GLOBAL float* __restrict__ to, int rows, int cols, unsigned blocks_across) {
  SHARED float square[TILE][TILE + 1];  // no two rows start in one bank
  const int left = (int)(blockIdx.x % blocks_across) * TILE, top = (int)(blockIdx.x / blocks_across) * TILE;
  const int tx = threadIdx.x;
  for (int i = threadIdx.y; i < TILE; i += BY) {
    const int x = left + tx, y = top + i;
    if (x < cols && y < rows) square[i][tx] = from[(Long)y * cols + x];
  }
  __syncthreads();
  for (int i = threadIdx.y; i < TILE; i += BY) {
    const int x = left + i, y = top + tx;
    if (x < cols && y < rows) to[(Long)x * rows + y] = square[tx][i];
  }
}

// Each thread belongs to one of the points of a line and makes its factor
// output points. A line of from has length points, of which those from number
// first on are interpolated: the others are control points, and the nearest
// point replaces what is missing beyond an edge.
KERNEL(BX, BY, 1)
    interpolate(GLOBAL const float* __restrict__ from, GLOBAL float* __restrict__ to, int lines, int length, int first, int points,
                int factor, float step, unsigned blocks_across) {
  SHARED float line[BY][BX + 3];
  const int left = (int)(blockIdx.x % blocks_across) * BX;
  const int y = (int)(blockIdx.x / blocks_across) * BY + threadIdx.y;
  if (y < lines) {
    GLOBAL const float* const points_of = from + (Long)y * length;
    for (int i = threadIdx.x; i < BX + 3; i += BX) line[threadIdx.y][i] = points_of[clamp_to(first + left - 1 + i, length)];
  }
  __syncthreads();
  const int x = left + threadIdx.x;
  if (x >= points || y >= lines) return;
  LOCAL const float* const p = line[threadIdx.y] + threadIdx.x;
  const Cubic cubic = cubic_of(p[0], p[1], p[2], p[3]);
  GLOBAL float* const to_of = to + ((Long)y * points + x) * factor;
#pragma unroll 1
  for (int i = 0; i < factor; i++) to_of[i] = value(basis_at((float)i * step), cubic);
}
