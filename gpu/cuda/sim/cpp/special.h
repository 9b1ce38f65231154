// Functions of CUDA C++ that the C library has not, or under other names. In double precision they are within a few
// units of the last place; those of float are rounded from these.
#pragma once

extern "C" {
long long llround(double) noexcept;
long long llroundf(float) noexcept;
double nan(const char*) noexcept;
float nanf(const char*) noexcept;
double j0(double) noexcept;
double j1(double) noexcept;
double jn(int, double) noexcept;
double y0(double) noexcept;
double y1(double) noexcept;
double yn(int, double) noexcept;
}

inline long lrint(float x) { return lrintf(x); }
inline long lround(float x) { return lroundf(x); }
inline long long llrint(float x) { return llrintf(x); }
inline long long llround(float x) { return llroundf(x); }

namespace bench_sim {

constexpr double SQRT_PI = 1.77245385090551602730;

// erfc(y) = x for x in (0, 1], by Newton's method on the logarithm, which is nearly a parabola.
inline double inverse_erfc(double x) {
  double y = x > 0.5 ? SQRT_PI / 2 * (1 - x) : sqrt(-log(x));
  for (int i = 0; i < 40; i++) {
    const double e = erfc(y), step = (log(e) - log(x)) * e * SQRT_PI / 2 * exp(y * y);
    y += step;
    if (fabs(step) <= 1e-16 * y) break;
  }
  return y;
}

// Of a function that grows as exp(x), by its series; for large numbers what is left of it divided by
// exp(x) / sqrt(2 pi x) (Abramowitz and Stegun, 9.6.10 and 9.7.1).
inline double modified_bessel(int order, double x) {
  const double a = fabs(x);
  double sum = 1, term = 1;
  if (a < 40) {
    for (int k = 1; k < 300 && term > 1e-17 * sum; k++) sum += term *= a * a / 4 / (k * (k + order));
    sum *= order ? a / 2 : 1;
  } else {
    for (int k = 1; k < 30 && fabs(term) > 1e-17; k++) sum += term *= -(4.0 * order * order - (2 * k - 1.0) * (2 * k - 1)) / (8 * k * a);
    sum *= exp(a / 2) / sqrt(6.28318530717958647693 * a) * exp(a / 2);
  }
  return order && x < 0 ? -sum : sum;
}

// The square root of the sum of squares, of which none goes beyond the type's range.
template <class... T>
inline double length(T... x) {
  double most = 0, sum = 0;
  ((most = fmax(most, fabs(static_cast<double>(x)))), ...);
  if (most == 0 || isinf(most)) return most;
  ((sum += (x / most) * (x / most)), ...);
  return most * sqrt(sum);
}

}  // namespace bench_sim

inline double erfcinv(double x) {
  if (!(x >= 0 && x <= 2)) return nan("");
  if (x == 0 || x == 2) return x == 0 ? __builtin_inf() : -__builtin_inf();
  return x <= 1 ? bench_sim::inverse_erfc(x) : -bench_sim::inverse_erfc(2 - x);
}
inline double erfinv(double x) {
  if (fabs(x) > 0.5) return copysign(erfcinv(1 - fabs(x)), x);
  double y = bench_sim::SQRT_PI / 2 * x;
  for (int i = 0; i < 6; i++) {
    const double u = (erf(y) - x) * bench_sim::SQRT_PI / 2 * exp(y * y);
    y -= u / (1 + y * u);
  }
  return y;
}
inline double erfcx(double x) {
  if (x < 10) {
    const double square = x * x;
    return exp(square) * (1 + fma(x, x, -square)) * erfc(x);
  }
  double sum = 1, term = 1;
  for (int k = 1; k < 20; k++) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * bench_sim::SQRT_PI);
}
inline double normcdf(double x) { return 0.5 * erfc(-0.70710678118654752440 * x); }
inline double normcdfinv(double p) { return -1.41421356237309504880 * erfcinv(2 * p); }
inline double cyl_bessel_i0(double x) { return bench_sim::modified_bessel(0, x); }
inline double cyl_bessel_i1(double x) { return bench_sim::modified_bessel(1, x); }
inline double rhypot(double x, double y) { return 1 / bench_sim::length(x, y); }
inline double norm3d(double x, double y, double z) { return bench_sim::length(x, y, z); }
inline double norm4d(double x, double y, double z, double w) { return bench_sim::length(x, y, z, w); }
inline double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
inline double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }

#define BENCH_SIM_FLOAT(name) \
  inline float name##f(float x) { return static_cast<float>(name(static_cast<double>(x))); }
BENCH_SIM_FLOAT(erfinv) BENCH_SIM_FLOAT(erfcinv) BENCH_SIM_FLOAT(erfcx) BENCH_SIM_FLOAT(normcdf) BENCH_SIM_FLOAT(normcdfinv)
BENCH_SIM_FLOAT(cyl_bessel_i0) BENCH_SIM_FLOAT(cyl_bessel_i1)
BENCH_SIM_FLOAT(j0) BENCH_SIM_FLOAT(j1) BENCH_SIM_FLOAT(y0) BENCH_SIM_FLOAT(y1)
#undef BENCH_SIM_FLOAT
inline float jnf(int n, float x) { return static_cast<float>(jn(n, static_cast<double>(x))); }
inline float ynf(int n, float x) { return static_cast<float>(yn(n, static_cast<double>(x))); }
inline float erfinv(float x) { return erfinvf(x); }
inline float erfcinv(float x) { return erfcinvf(x); }
inline float erfcx(float x) { return erfcxf(x); }
inline float normcdf(float x) { return normcdff(x); }
inline float normcdfinv(float x) { return normcdfinvf(x); }
inline float rhypotf(float x, float y) { return static_cast<float>(1 / bench_sim::length(x, y)); }
inline float norm3df(float x, float y, float z) { return static_cast<float>(bench_sim::length(x, y, z)); }
inline float norm4df(float x, float y, float z, float w) { return static_cast<float>(bench_sim::length(x, y, z, w)); }
inline float rnorm3df(float x, float y, float z) { return static_cast<float>(1 / bench_sim::length(x, y, z)); }
inline float rnorm4df(float x, float y, float z, float w) { return static_cast<float>(1 / bench_sim::length(x, y, z, w)); }

inline constexpr unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
inline constexpr unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
inline constexpr long long llmin(long long a, long long b) { return b < a ? b : a; }
inline constexpr long long llmax(long long a, long long b) { return a < b ? b : a; }
inline constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
inline constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
