// The elements of the matrices: double where DOUBLE is defined, else float.
#pragma once

#include "portable.h"

#ifdef DOUBLE
typedef double real;
FUNCTION real reciprocal_root(real x) { return rsqrt(x); }
FUNCTION real magnitude(real x) { return fabs(x); }
FUNCTION real with_sign(real x, real sign) { return copysign(x, sign); }
FUNCTION real reciprocal(real x) { return 1 / x; }
#else
typedef float real;
FUNCTION real reciprocal_root(real x) { return rsqrtf(x); }
FUNCTION real magnitude(real x) { return fabsf(x); }
FUNCTION real with_sign(real x, real sign) { return copysignf(x, sign); }
#ifdef __OPENCL_VERSION__
FUNCTION real reciprocal(real x) { return 1 / x; }
#else
FUNCTION real reciprocal(real x) { return __fdividef(1.0f, x); }
#endif
#endif
