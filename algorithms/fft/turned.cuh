// turned.cuh: DFTs in registers of values that are multiplied by powers of one
// factor first.

// Pair is two neighbouring elements.
struct alignas(16) Pair {
  Complex a, b;
};

// addTurned sets p to p + f·q and q to p - f·q, in six multiply-adds; with
// Quarter, f is turned by -90° first.
template <bool Quarter> __device__ __forceinline__ void addTurned(Complex &p, Complex &q, Complex f) {
  Complex sum;
  if (Quarter) {
    sum = {fma(f.x, q.y, fma(f.y, q.x, p.x)), fma(-f.x, q.x, fma(f.y, q.y, p.y))};
  } else {
    sum = {fma(-f.y, q.y, fma(f.x, q.x, p.x)), fma(f.y, q.x, fma(f.x, q.y, p.y))};
  }
  q = {fma(Real(2), p.x, -sum.x), fma(Real(2), p.y, -sum.y)};
  p = sum;
}

// Turned is Dft of v[m]·w^m, by decimation in time with the factors in its
// butterflies; w holds w^1, w^2, w^4, ….
template <int R> struct Turned {
  static __device__ __forceinline__ void run(Complex (&v)[R], const Complex *w) {
    Complex even[R / 2], odd[R / 2];
#pragma unroll
    for (int k = 0; k < R / 2; k++) {
      even[k] = v[2 * k];
      odd[k] = v[2 * k + 1];
    }
    Turned<R / 2>::run(even, w + 1);
    Turned<R / 2>::run(odd, w + 1);
#pragma unroll
    for (int k = 0; k < R / 4; k++) {
      const Complex f = turn(w[0], k * (64 / R));
      addTurned<false>(even[k], odd[k], f);
      addTurned<true>(even[k + R / 4], odd[k + R / 4], f);
    }
#pragma unroll
    for (int k = 0; k < R / 2; k++) {
      v[k] = even[k];
      v[k + R / 2] = odd[k];
    }
  }
};
template <> struct Turned<2> {
  static __device__ __forceinline__ void run(Complex (&v)[2], const Complex *w) { addTurned<false>(v[0], v[1], w[0]); }
};
