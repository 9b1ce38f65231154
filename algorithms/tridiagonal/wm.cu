// wm.cu: divide and conquer after Wang and Mou, A Divide-and-Conquer Method of
// Solving Tridiagonal Systems on Hypercube Massively Parallel Computers
// (1991), in steps of radix RADIX.
//
// Moves 5 values per row.

#include "divide.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    wm(const Real *__restrict__ a, const Real *__restrict__ b, const Real *__restrict__ c, const Real *__restrict__ d,
       Real *__restrict__ x, long long systems) {
  extern __shared__ Real shared[];
  Rows rows;
  rows.read(a, b, c, d, systems, shared);
  const Part part = conquer(blockOf(rows), shared);
  // The whole system has no neighbours.
  substitute(rows, part.before.d, part.after.d);
  writeRows(x, rows.d, systems, shared);
}
