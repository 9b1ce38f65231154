// Cubics whose basis polynomials are evaluated where they are used, as the
// literature's versions do.
//
// Defines: BASIS (0 Hermite with Catmull-Rom tangents, 1 B-spline). Compile
// with --fmad=false: products and sums are contracted as written, so that the
// operations can be counted by hand.
#pragma once

#include "portable.h"

#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#endif

// Values of the four basis polynomials at one phase.
typedef struct { float a, b, c, d; } Basis;

// Four control points, made ready for any phase between the second and the
// third: Hermite's a is the second, b its tangent, c the third, d its tangent.
typedef struct { float a, b, c, d; } Cubic;

// The four polynomials at x in [0, 1): 9 operations for Hermite, 13 for
// B-spline.
FUNCTION Basis basis_at(float x) {
  Basis h;
  const float x2 = x * x, x3 = x2 * x;
#if BASIS
  const float t = 1 - x, t2 = t * t, t3 = t2 * t;
  h.a = t3 * (1 / 6.0f);
  h.b = fmaf(0.5f, x3, 2 / 3.0f - x2);
  h.c = fmaf(0.5f, t3, 2 / 3.0f - t2);
  h.d = x3 * (1 / 6.0f);
#else
  h.c = fmaf(-2.0f, x3, 3 * x2);
  h.a = 1 - h.c;
  h.d = x3 - x2;
  h.b = h.d - (x2 - x);
#endif
  return h;
}

// 4 operations for Hermite, none for B-spline.
FUNCTION Cubic cubic_of(float p0, float p1, float p2, float p3) {
#if BASIS
  const Cubic p = {p0, p1, p2, p3};
#else
  const Cubic p = {p1, 0.5f * (p2 - p0), p2, 0.5f * (p3 - p1)};
#endif
  return p;
}

// 7 operations.
FUNCTION float value(REFERENCE(Basis) h, REFERENCE(Cubic) p) {
  return fmaf(h.d, p.d, fmaf(h.c, p.c, fmaf(h.b, p.b, h.a * p.a)));
}

FUNCTION int clamp_to(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }
