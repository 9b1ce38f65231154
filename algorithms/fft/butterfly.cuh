// butterfly.cuh: complex numbers, the discrete Fourier transforms of few values
// in registers, and twiddle factors.
//
// REAL is float or double. C++14, so that NVRTC 10.2 compiles it.

typedef REAL Real;

struct alignas(2 * sizeof(Real)) Complex {
  Real x, y;
};

__device__ __forceinline__ Complex operator+(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }
__device__ __forceinline__ Complex operator-(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }
__device__ __forceinline__ Complex operator*(Complex a, Complex b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// oriented exchanges real and imaginary part for the inverse transform, which
// is the forward one between two such exchanges.
__device__ __forceinline__ Complex oriented(Complex z) {
#if INVERSE
  return {z.y, z.x};
#else
  return z;
#endif
}

// cosine is cos(2πk/64) for k in 0…63.
__device__ __forceinline__ Real cosine(int k) {
  const int folded = k > 32 ? 64 - k : k;
  const Real sign = folded > 16 ? Real(-1) : Real(1);
  switch (folded > 16 ? 32 - folded : folded) {
  case 0: return sign;
  case 1: return Real(0.99518472667219688624483) * sign;
  case 2: return Real(0.98078528040323044912618) * sign;
  case 3: return Real(0.95694033573220886493579) * sign;
  case 4: return Real(0.92387953251128675612818) * sign;
  case 5: return Real(0.88192126434835502971275) * sign;
  case 6: return Real(0.83146961230254523707878) * sign;
  case 7: return Real(0.77301045336273696081090) * sign;
  case 8: return Real(0.70710678118654752440084) * sign;
  case 9: return Real(0.63439328416364549821517) * sign;
  case 10: return Real(0.55557023301960222474283) * sign;
  case 11: return Real(0.47139673682599764855638) * sign;
  case 12: return Real(0.38268343236508977172845) * sign;
  case 13: return Real(0.29028467725446236763619) * sign;
  case 14: return Real(0.19509032201612826784828) * sign;
  case 15: return Real(0.09801714032956060199419) * sign;
  }
  return 0;
}

// turn multiplies z by exp(-2πik/64). k is known at compile time wherever
// this is inlined; an odd multiple of 8 costs 4 operations, of 16 none, other
// k cost 6.
__device__ __forceinline__ Complex turn(Complex z, int k) {
  const Real half = Real(0.70710678118654752440084);
  switch (k & 63) {
  case 0: return z;
  case 16: return {z.y, -z.x};
  case 32: return {-z.x, -z.y};
  case 48: return {-z.y, z.x};
  case 8: return {(z.x + z.y) * half, (z.y - z.x) * half};
  case 24: return {(z.y - z.x) * half, (z.x + z.y) * -half};
  case 40: return {(z.x + z.y) * -half, (z.x - z.y) * half};
  case 56: return {(z.x - z.y) * half, (z.x + z.y) * half};
  }
  return z * Complex{cosine(k & 63), -cosine((k + 48) & 63)};
}

// Dft transforms R values in registers, in natural order: A columns of B by
// decimation in time.
template <int R> struct Dft {
  enum : int { A = R == 8 ? 2 : R == 64 ? 8 : 4, B = R / A };
  static __device__ __forceinline__ void run(Complex (&v)[R]) {
    Complex u[R];
#pragma unroll
    for (int n = 0; n < B; n++) {
      Complex a[A];
#pragma unroll
      for (int m = 0; m < A; m++) a[m] = v[m * B + n];
      Dft<A>::run(a);
#pragma unroll
      for (int m = 0; m < A; m++) u[m * B + n] = turn(a[m], n * m * (64 / R));
    }
#pragma unroll
    for (int m = 0; m < A; m++) {
      Complex b[B];
#pragma unroll
      for (int n = 0; n < B; n++) b[n] = u[m * B + n];
      Dft<B>::run(b);
#pragma unroll
      for (int n = 0; n < B; n++) v[m + A * n] = b[n];
    }
  }
};

template <> struct Dft<2> {
  static __device__ __forceinline__ void run(Complex (&v)[2]) {
    const Complex a = v[0];
    v[0] = a + v[1];
    v[1] = a - v[1];
  }
};

template <> struct Dft<4> {
  static __device__ __forceinline__ void run(Complex (&v)[4]) {
    const Complex a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = turn(v[1] - v[3], 16);
    v[0] = a + c;
    v[1] = b + d;
    v[2] = a - c;
    v[3] = b - d;
  }
};

// log2of is the logarithm of the lowest bit set in n, below 2^7.
__device__ __forceinline__ constexpr int log2of(int n) {
  return n & 1 ? 0 : n & 2 ? 1 : n & 4 ? 2 : n & 8 ? 3 : n & 16 ? 4 : n & 32 ? 5 : 6;
}

// Powers holds w^1, w^2, w^4, … of one twiddle factor.
template <int R> struct Powers {
  enum : int { COUNT = log2of(R) };
  Complex base[COUNT];

  // load reads the powers for index k < NS of a step's part of the table.
  static __device__ __forceinline__ Powers load(const Complex *part, int ns, int k) {
    Powers p;
#pragma unroll
    for (int b = 0; b < COUNT; b++) p.base[b] = part[b * ns + k];
    return p;
  }

  // apply multiplies v[m] by w^m. Products of the loaded powers are at most
  // COUNT factors deep, which keeps their error near one rounding a level; in
  // this order few of them are alive at once.
  __device__ __forceinline__ void apply(Complex (&v)[R]) const {
    Complex w[R];
#pragma unroll
    for (int m = 1; m < R; m++) {
      const Complex low = base[log2of(m)];
      w[m] = (m & (m - 1)) == 0 ? low : w[m & (m - 1)] * low;
      v[m] = v[m] * w[m];
    }
  }
};

// rotation is exp(-2πix/Period): the table gives it for the multiples of
// 2^FineBits, a Taylor polynomial to rounding error for the rest. x is a
// multiple of Factor, a power of two.
template <int Period, int FineBits, int Factor> __device__ __forceinline__ Complex rotation(const Complex *turns, int x) {
  const Complex c = turns[x >> FineBits];
  if (Factor >= 1 << FineBits) return c;
  const Real a = Real(x & ((1 << FineBits) - 1)) * Real(-6.283185307179586476925 / Period);
  const Real q = a * a;
  Real cosm1, sine;
  if (sizeof(Real) == 8) {
    cosm1 = q * (Real(-0.5) + q * (Real(1.0 / 24) - q * Real(1.0 / 720)));
    sine = a + a * (q * (Real(-1.0 / 6) + q * (Real(1.0 / 120) - q * Real(1.0 / 5040))));
  } else {
    cosm1 = q * Real(-0.5);
    sine = a + a * (q * Real(-1.0 / 6));
  }
  return {c.x + (c.x * cosm1 - c.y * sine), c.y + (c.x * sine + c.y * cosm1)};
}

// Turns::fill sets step[b] to exp(-2πi·e·Lanes·2^b/Period) for b below Count.
template <int Period, int FineBits, int Lanes, int Count> struct Turns {
  static __device__ __forceinline__ void fill(Complex *step, const Complex *turns, int e) {
    Turns<Period, FineBits, Lanes, Count - 1>::fill(step, turns, e);
    step[Count - 1] = rotation<Period, FineBits, (Lanes << (Count - 1))>(turns, e * (Lanes << (Count - 1)));
  }
};
template <int Period, int FineBits, int Lanes> struct Turns<Period, FineBits, Lanes, 0> {
  static __device__ __forceinline__ void fill(Complex *, const Complex *, int) {}
};

// twiddle multiplies v[k] by exp(-2πi·e·(lane + k·Lanes)/Period).
template <int Points, int Lanes, int Period, int FineBits>
__device__ __forceinline__ void twiddle(Complex (&v)[Points], const Complex *turns, int e, int lane) {
  Complex w[Points], step[log2of(Points)];
  Turns<Period, FineBits, Lanes, log2of(Points)>::fill(step, turns, e);
  w[0] = rotation<Period, FineBits, 1>(turns, e * lane);
  v[0] = v[0] * w[0];
#pragma unroll
  for (int k = 1; k < Points; k++) {
    w[k] = w[k & (k - 1)] * step[log2of(k)];
    v[k] = v[k] * w[k];
  }
}
