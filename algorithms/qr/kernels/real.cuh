// The elements of the matrices: double where DOUBLE is defined, else float.
#pragma once

#ifdef DOUBLE
typedef double real;
__device__ __forceinline__ real reciprocal_root(real x) { return rsqrt(x); }
__device__ __forceinline__ real magnitude(real x) { return fabs(x); }
__device__ __forceinline__ real with_sign(real x, real sign) { return copysign(x, sign); }
__device__ __forceinline__ real reciprocal(real x) { return 1 / x; }
#else
typedef float real;
__device__ __forceinline__ real reciprocal_root(real x) { return rsqrtf(x); }
__device__ __forceinline__ real magnitude(real x) { return fabsf(x); }
__device__ __forceinline__ real with_sign(real x, real sign) { return copysignf(x, sign); }
__device__ __forceinline__ real reciprocal(real x) { return __fdividef(1.0f, x); }
#endif
