// fused.cl: version v5 in OpenCL C, with the threads, order and traffic of fused.cu.
//
// Defines: R, C the factors; VECTOR output columns per work-item (1, 2 or 4, of which the output's columns are a multiple); RUN
// input rows per work-item; BX, BY work-items of a group. The header weights.cuh gives ROW_WEIGHTS and, where C divides
// VECTOR, COLUMN_WEIGHTS.
#include "weights.cuh"

#define UNROLL _Pragma("unroll")
#define SAME_PHASES (VECTOR % C == 0)

enum {
  CELLS = SAME_PHASES ? VECTOR / C : C % VECTOR == 0 ? 1 : 2,
  WINDOW = CELLS + 3
};

#if VECTOR == 4
typedef float4 Vector;
#elif VECTOR == 2
typedef float2 Vector;
#else
typedef float Vector;
#endif

typedef union {
  Vector word;
  float x[VECTOR];
} Columns;

typedef struct {
  float x[VECTOR];
} Row;

__constant float row_weights[R][4] = ROW_WEIGHTS;
#if SAME_PHASES
__constant float column_weights[C][4] = COLUMN_WEIGHTS;
#endif

// The columns of a work-item's control points, and its weights for them where these differ.
typedef struct {
  int at[WINDOW];
#if !SAME_PHASES
  float weights[VECTOR][WINDOW];
#endif
} Across;

// The sum of weighted control points; constant weights that are 0 take no operation.
float weighted(__constant const float *w, float p0, float p1, float p2, float p3) {
  const float p[4] = {p0, p1, p2, p3};
  float sum = 0;
  bool first = true;
  UNROLL for (int i = 0; i < 4; i++) {
    if (w[i] != 0) {
      sum = first ? w[i] * p[i] : fma(w[i], p[i], sum);
      first = false;
    }
  }
  return sum;
}

void load(const Across *across, float *points, __global const float *in, int y, int rows, int cols) {
  __global const float *row = in + (long)clamp(y, 0, rows - 1) * cols;
  UNROLL for (int i = 0; i < WINDOW; i++) points[i] = row[across->at[i]];
}

Row interpolate(const Across *across, const float *p) {
  Row row;
#if SAME_PHASES
  UNROLL for (int k = 0; k < VECTOR; k++) row.x[k] = weighted(column_weights[k % C], p[k / C], p[k / C + 1], p[k / C + 2], p[k / C + 3]);
#else
  UNROLL for (int k = 0; k < VECTOR; k++) {
    float sum = across->weights[k][0] * p[0];
    UNROLL for (int i = 1; i < WINDOW; i++) sum = fma(across->weights[k][i], p[i], sum);
    row.x[k] = sum;
  }
#endif
  return row;
}

__kernel __attribute__((reqd_work_group_size(BX, BY, 1))) void
fused(__global const float *restrict in, __global float *restrict out, __global const float *restrict table, int rows, int cols,
      uint groups, uint blocks_across) {
  const uint group = get_group_id(0) % blocks_across * BX + get_local_id(0);
  const long top = ((long)(get_group_id(0) / blocks_across) * BY + get_local_id(1)) * RUN;
  if (group >= groups || top >= rows) return;
  const int first = (int)top, last = rows - first < RUN ? rows : first + RUN;
  const uint column = group * VECTOR, cell = column / C;
  Across across;
  UNROLL for (int i = 0; i < WINDOW; i++) across.at[i] = clamp((int)cell - 1 + i, 0, cols - 1);
#if !SAME_PHASES
  __global const float *own = table + (column - cell * C) * (VECTOR * WINDOW);
  UNROLL for (int k = 0; k < VECTOR; k++) {
    UNROLL for (int i = 0; i < WINDOW; i++) across.weights[k][i] = own[k * WINDOW + i];
  }
#endif
  const long out_cols = (long)groups * VECTOR;
  __global float *to = out + (long)first * R * out_cols + column;
  float points[WINDOW];
  load(&across, points, in, first - 1, rows, cols);
  Row a = interpolate(&across, points);
  load(&across, points, in, first, rows, cols);
  Row b = interpolate(&across, points);
  load(&across, points, in, first + 1, rows, cols);
  Row c = interpolate(&across, points);
  load(&across, points, in, first + 2, rows, cols);
  for (int y = first; y < last; y++) {
    const Row d = interpolate(&across, points);
    if (y + 1 < last) load(&across, points, in, y + 3, rows, cols); // ahead of this row's stores
    UNROLL for (int r = 0; r < R; r++, to += out_cols) {
      Columns v;
      UNROLL for (int k = 0; k < VECTOR; k++) v.x[k] = weighted(row_weights[r], a.x[k], b.x[k], c.x[k], d.x[k]);
      *(__global Vector *)to = v.word;
    }
    a = b;
    b = c;
    c = d;
  }
}
