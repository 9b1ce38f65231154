// Complex numbers: what cuComplex.h gives a kernel.
#pragma once

typedef float2 cuFloatComplex;
typedef float2 cuComplex;
typedef double2 cuDoubleComplex;

#define BENCH_SIM_COMPLEX(T, real, f, Make)                                                                  \
  inline T Make(real x, real y) { return {x, y}; }                                                           \
  inline real cuCreal##f(T z) { return z.x; }                                                                \
  inline real cuCimag##f(T z) { return z.y; }                                                                \
  inline T cuConj##f(T z) { return {z.x, -z.y}; }                                                            \
  inline T cuCadd##f(T a, T b) { return {a.x + b.x, a.y + b.y}; }                                            \
  inline T cuCsub##f(T a, T b) { return {a.x - b.x, a.y - b.y}; }                                            \
  inline T cuCmul##f(T a, T b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                    \
  inline T cuCfma##f(T a, T b, T c) { return cuCadd##f(cuCmul##f(a, b), c); }                                \
  inline T cuCdiv##f(T a, T b) {                                                                             \
    real n = b.x * b.x + b.y * b.y;                                                                          \
    return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};                                       \
  }                                                                                                          \
  inline real cuCabs##f(T z) { return sqrt(z.x * z.x + z.y * z.y); }
BENCH_SIM_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
BENCH_SIM_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef BENCH_SIM_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
