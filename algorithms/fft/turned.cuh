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
    sum = {fmaf(f.x, q.y, fmaf(f.y, q.x, p.x)), fmaf(-f.x, q.x, fmaf(f.y, q.y, p.y))};
  } else {
    sum = {fmaf(-f.y, q.y, fmaf(f.x, q.x, p.x)), fmaf(f.y, q.x, fmaf(f.x, q.y, p.y))};
  }
  q = {fmaf(2.0f, p.x, -sum.x), fmaf(2.0f, p.y, -sum.y)};
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
