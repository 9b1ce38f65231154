// wmma of mma.h: products of matrices by a warp. CUDA does not say which elements of a matrix a lane holds; here they are
// dealt out in turn, row by row.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include "matrix.h"

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision { struct tf32; }

template <class Use, int m, int n, int k> struct extent;
template <int m, int n, int k> struct extent<matrix_a, m, n, k> { enum { ROWS = m, COLUMNS = k }; };
template <int m, int n, int k> struct extent<matrix_b, m, n, k> { enum { ROWS = k, COLUMNS = n }; };
template <int m, int n, int k> struct extent<accumulator, m, n, k> { enum { ROWS = m, COLUMNS = n }; };
template <class T> struct stored { typedef T type; };
template <> struct stored<precision::tf32> { typedef float type; };

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  typedef typename stored<T>::type element_type;
  typedef element_type storage_element_type;
  enum { ROWS = extent<Use, m, n, k>::ROWS, COLUMNS = extent<Use, m, n, k>::COLUMNS, num_elements = ROWS * COLUMNS / 32, num_storage_elements = num_elements };
  element_type x[num_elements];
  element_type at(int row, int column) const { return x[(row * COLUMNS + column) / 32]; }
};

inline float __float_to_tf32(float v) {
  const unsigned bits = __float_as_uint(v);
  return isnan(v) || isinf(v) ? v : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}

template <class Fragment, class V>
inline void fill_fragment(Fragment& f, const V& v) {
  for (auto& x : f.x) x = static_cast<typename Fragment::element_type>(v);
}

// The place of element i of a lane in memory.
template <class Fragment>
inline size_t place_in(int i, unsigned stride, layout_t layout) {
  const unsigned e = static_cast<unsigned>(i) * 32 + bench_sim::laneid(), row = e / Fragment::COLUMNS, column = e % Fragment::COLUMNS;
  return layout == mem_row_major ? static_cast<size_t>(row) * stride + column : static_cast<size_t>(column) * stride + row;
}
template <class Layout> struct order { static constexpr layout_t value = mem_row_major; };
template <> struct order<col_major> { static constexpr layout_t value = mem_col_major; };

template <class Use, int m, int n, int k, class T, class Layout, class P>
inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& f, const P* from, unsigned stride, bench_sim::Place at = bench_sim::here()) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = from[place_in<fragment<Use, m, n, k, T, Layout>>(i, stride, order<Layout>::value)];
  __syncwarp(~0u, at);
}
template <int m, int n, int k, class T, class P>
inline void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const P* from, unsigned stride, layout_t layout, bench_sim::Place at = bench_sim::here()) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = from[place_in<fragment<accumulator, m, n, k, T>>(i, stride, layout)];
  __syncwarp(~0u, at);
}
template <int m, int n, int k, class T, class P>
inline void store_matrix_sync(P* to, const fragment<accumulator, m, n, k, T>& f, unsigned stride, layout_t layout, bench_sim::Place at = bench_sim::here()) {
  for (int i = 0; i < f.num_elements; i++) to[place_in<fragment<accumulator, m, n, k, T>>(i, stride, layout)] = f.x[i];
  __syncwarp(~0u, at);
}

template <class T> inline double number(T v) { return static_cast<double>(v); }
inline double number(bench_sim::Short<11, -14> v) { return static_cast<double>(static_cast<float>(v)); }
inline double number(bench_sim::Short<8, -126> v) { return static_cast<double>(static_cast<float>(v)); }
template <class T> inline T rounded(double v) { return static_cast<T>(v); }
template <> inline int rounded<int>(double v) { return static_cast<int>(static_cast<unsigned>(static_cast<long long>(v))); }

template <class A, class B, int m, int n, int k>
BENCH_SIM_QUIET double cell(const void** all, int row, int column) {
  double sum = 0;
  for (int i = 0; i < k; i++) {
    const A* a = static_cast<const A*>(*static_cast<const void* const*>(all[(row * k + i) % 32]));
    const B* b = static_cast<const B*>(static_cast<const void* const*>(all[(i * n + column) % 32])[1]);
    sum += number(a->at(row, i)) * number(b->at(i, column));
  }
  return sum;
}

template <int m, int n, int k, class TA, class LA, class TB, class LB, class TD, class TC>
BENCH_SIM_QUIET void mma_sync(fragment<accumulator, m, n, k, TD>& d, const fragment<matrix_a, m, n, k, TA, LA>& a, const fragment<matrix_b, m, n, k, TB, LB>& b,
                              const fragment<accumulator, m, n, k, TC>& c, bool = false, bench_sim::Place at = bench_sim::here()) {
  const void* mine[2] = {&a, &b};
  const int lane = static_cast<int>(bench_sim::laneid());
  double sums[m * n / 32];
  bench_sim::together(mine, [&](const void** all) {
    for (int i = 0; i < m * n / 32; i++)
      sums[i] = cell<fragment<matrix_a, m, n, k, TA, LA>, fragment<matrix_b, m, n, k, TB, LB>, m, n, k>(all, (i * 32 + lane) / n, (i * 32 + lane) % n);
  }, at);
  for (int i = 0; i < m * n / 32; i++) d.x[i] = rounded<TD>(sums[i] + number(c.x[i]));
}

}  // namespace wmma
}  // namespace nvcuda
