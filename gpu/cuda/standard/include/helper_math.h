// <helper_math.h> of NVIDIA's samples: arithmetic of float2 to float4, int2 to int4 and uint2 to uint4, part by part.
#pragma once
#include <math.h>
#define BENCH_ARITHMETIC(V, S, D)                                                      \
  __device__ inline V operator+(V a, V b) { return D(a, +, b); }                       \
  __device__ inline V operator-(V a, V b) { return D(a, -, b); }                       \
  __device__ inline V operator*(V a, V b) { return D(a, *, b); }                       \
  __device__ inline V operator+(V a, S s) { return a + make_##V(s); }                  \
  __device__ inline V operator-(V a, S s) { return a - make_##V(s); }                  \
  __device__ inline V operator*(V a, S s) { return a * make_##V(s); }                  \
  __device__ inline V operator+(S s, V a) { return make_##V(s) + a; }                  \
  __device__ inline V operator-(S s, V a) { return make_##V(s) - a; }                  \
  __device__ inline V operator*(S s, V a) { return make_##V(s) * a; }                  \
  __device__ inline void operator+=(V& a, V b) { a = a + b; }                          \
  __device__ inline void operator-=(V& a, V b) { a = a - b; }                          \
  __device__ inline void operator*=(V& a, V b) { a = a * b; }                          \
  __device__ inline void operator+=(V& a, S s) { a = a + s; }                          \
  __device__ inline void operator-=(V& a, S s) { a = a - s; }                          \
  __device__ inline void operator*=(V& a, S s) { a = a * s; }
#define BENCH_QUOTIENT(V, S, D)                                                        \
  __device__ inline V operator/(V a, V b) { return D(a, /, b); }                       \
  __device__ inline V operator/(V a, S s) { return a / make_##V(s); }                  \
  __device__ inline V operator/(S s, V a) { return make_##V(s) / a; }                  \
  __device__ inline void operator/=(V& a, V b) { a = a / b; }                          \
  __device__ inline void operator/=(V& a, S s) { a = a / s; }
__device__ inline float2 make_float2(float s) { return make_float2(s, s); }
#define BENCH_FLOAT2(a, op, b) make_float2(a.x op b.x, a.y op b.y)
BENCH_ARITHMETIC(float2, float, BENCH_FLOAT2)
BENCH_QUOTIENT(float2, float, BENCH_FLOAT2)
__device__ inline float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
__device__ inline float2 fminf(float2 a, float2 b) { return make_float2(fminf(a.x, b.x), fminf(a.y, b.y)); }
__device__ inline float2 fmaxf(float2 a, float2 b) { return make_float2(fmaxf(a.x, b.x), fmaxf(a.y, b.y)); }
__device__ inline float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline float3 make_float3(float s) { return make_float3(s, s, s); }
__device__ inline float3 make_float3(float2 a, float s) { return make_float3(a.x, a.y, s); }
__device__ inline float3 make_float3(float2 a) { return make_float3(a, 0.0f); }
#define BENCH_FLOAT3(a, op, b) make_float3(a.x op b.x, a.y op b.y, a.z op b.z)
BENCH_ARITHMETIC(float3, float, BENCH_FLOAT3)
BENCH_QUOTIENT(float3, float, BENCH_FLOAT3)
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline float3 fminf(float3 a, float3 b) { return make_float3(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)); }
__device__ inline float3 fmaxf(float3 a, float3 b) { return make_float3(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)); }
__device__ inline float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline float4 make_float4(float s) { return make_float4(s, s, s, s); }
__device__ inline float4 make_float4(float3 a, float s) { return make_float4(a.x, a.y, a.z, s); }
__device__ inline float4 make_float4(float3 a) { return make_float4(a, 0.0f); }
#define BENCH_FLOAT4(a, op, b) make_float4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w)
BENCH_ARITHMETIC(float4, float, BENCH_FLOAT4)
BENCH_QUOTIENT(float4, float, BENCH_FLOAT4)
__device__ inline float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__device__ inline float4 fminf(float4 a, float4 b) { return make_float4(fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z), fminf(a.w, b.w)); }
__device__ inline float4 fmaxf(float4 a, float4 b) { return make_float4(fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z), fmaxf(a.w, b.w)); }
__device__ inline float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline int2 make_int2(int s) { return make_int2(s, s); }
#define BENCH_INT2(a, op, b) make_int2(a.x op b.x, a.y op b.y)
BENCH_ARITHMETIC(int2, int, BENCH_INT2)
__device__ inline int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
__device__ inline int2 min(int2 a, int2 b) { return make_int2(min(a.x, b.x), min(a.y, b.y)); }
__device__ inline int2 max(int2 a, int2 b) { return make_int2(max(a.x, b.x), max(a.y, b.y)); }
__device__ inline int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline int3 make_int3(int s) { return make_int3(s, s, s); }
__device__ inline int3 make_int3(int2 a, int s) { return make_int3(a.x, a.y, s); }
__device__ inline int3 make_int3(int2 a) { return make_int3(a, 0); }
#define BENCH_INT3(a, op, b) make_int3(a.x op b.x, a.y op b.y, a.z op b.z)
BENCH_ARITHMETIC(int3, int, BENCH_INT3)
__device__ inline int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
__device__ inline int3 min(int3 a, int3 b) { return make_int3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
__device__ inline int3 max(int3 a, int3 b) { return make_int3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
__device__ inline int dot(int3 a, int3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline int4 make_int4(int s) { return make_int4(s, s, s, s); }
__device__ inline int4 make_int4(int3 a, int s) { return make_int4(a.x, a.y, a.z, s); }
__device__ inline int4 make_int4(int3 a) { return make_int4(a, 0); }
#define BENCH_INT4(a, op, b) make_int4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w)
BENCH_ARITHMETIC(int4, int, BENCH_INT4)
__device__ inline int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
__device__ inline int4 min(int4 a, int4 b) { return make_int4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
__device__ inline int4 max(int4 a, int4 b) { return make_int4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
__device__ inline int dot(int4 a, int4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline uint2 make_uint2(unsigned s) { return make_uint2(s, s); }
#define BENCH_UINT2(a, op, b) make_uint2(a.x op b.x, a.y op b.y)
BENCH_ARITHMETIC(uint2, unsigned, BENCH_UINT2)
__device__ inline uint2 min(uint2 a, uint2 b) { return make_uint2(min(a.x, b.x), min(a.y, b.y)); }
__device__ inline uint2 max(uint2 a, uint2 b) { return make_uint2(max(a.x, b.x), max(a.y, b.y)); }
__device__ inline unsigned dot(uint2 a, uint2 b) { return a.x * b.x + a.y * b.y; }
__device__ inline uint3 make_uint3(unsigned s) { return make_uint3(s, s, s); }
__device__ inline uint3 make_uint3(uint2 a, unsigned s) { return make_uint3(a.x, a.y, s); }
__device__ inline uint3 make_uint3(uint2 a) { return make_uint3(a, 0); }
#define BENCH_UINT3(a, op, b) make_uint3(a.x op b.x, a.y op b.y, a.z op b.z)
BENCH_ARITHMETIC(uint3, unsigned, BENCH_UINT3)
__device__ inline uint3 min(uint3 a, uint3 b) { return make_uint3(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }
__device__ inline uint3 max(uint3 a, uint3 b) { return make_uint3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }
__device__ inline unsigned dot(uint3 a, uint3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ inline uint4 make_uint4(unsigned s) { return make_uint4(s, s, s, s); }
__device__ inline uint4 make_uint4(uint3 a, unsigned s) { return make_uint4(a.x, a.y, a.z, s); }
__device__ inline uint4 make_uint4(uint3 a) { return make_uint4(a, 0); }
#define BENCH_UINT4(a, op, b) make_uint4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w)
BENCH_ARITHMETIC(uint4, unsigned, BENCH_UINT4)
__device__ inline uint4 min(uint4 a, uint4 b) { return make_uint4(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }
__device__ inline uint4 max(uint4 a, uint4 b) { return make_uint4(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }
__device__ inline unsigned dot(uint4 a, uint4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
__device__ inline float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
__device__ inline float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
__device__ inline int2 make_int2(int3 a) { return make_int2(a.x, a.y); }
__device__ inline uint2 make_uint2(uint3 a) { return make_uint2(a.x, a.y); }
__device__ inline float2 make_float2(int2 a) { return make_float2((float)a.x, (float)a.y); }
__device__ inline float2 make_float2(uint2 a) { return make_float2((float)a.x, (float)a.y); }
__device__ inline int2 make_int2(float2 a) { return make_int2((int)a.x, (int)a.y); }
__device__ inline int2 make_int2(uint2 a) { return make_int2((int)a.x, (int)a.y); }
__device__ inline uint2 make_uint2(int2 a) { return make_uint2((unsigned)a.x, (unsigned)a.y); }
__device__ inline float3 make_float3(int3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__device__ inline float3 make_float3(uint3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__device__ inline int3 make_int3(float3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__device__ inline int3 make_int3(uint3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__device__ inline uint3 make_uint3(int3 a) { return make_uint3((unsigned)a.x, (unsigned)a.y, (unsigned)a.z); }
__device__ inline float4 make_float4(int4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
__device__ inline float4 make_float4(uint4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
__device__ inline int4 make_int4(float4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
__device__ inline int4 make_int4(uint4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
__device__ inline uint4 make_uint4(int4 a) { return make_uint4((unsigned)a.x, (unsigned)a.y, (unsigned)a.z, (unsigned)a.w); }
__device__ inline float clamp(float x, float least, float most) { return fmaxf(least, fminf(x, most)); }
__device__ inline int clamp(int x, int least, int most) { return max(least, min(x, most)); }
__device__ inline unsigned clamp(unsigned x, unsigned least, unsigned most) { return max(least, min(x, most)); }
__device__ inline float lerp(float a, float b, float t) { return a + t * (b - a); }
__device__ inline float fracf(float x) { return x - floorf(x); }
__device__ inline float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
__device__ inline float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
__device__ inline float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
__device__ inline float2 lerp(float2 a, float2 b, float t) { return a + t * (b - a); }
__device__ inline float2 clamp(float2 x, float2 least, float2 most) { return fmaxf(least, fminf(x, most)); }
__device__ inline float2 clamp(float2 x, float least, float most) { return clamp(x, make_float2(least), make_float2(most)); }
__device__ inline float length(float2 a) { return sqrtf(dot(a, a)); }
__device__ inline float2 normalize(float2 a) { return a * rsqrtf(dot(a, a)); }
__device__ inline float2 floorf(float2 a) { return make_float2(floorf(a.x), floorf(a.y)); }
__device__ inline float2 fabs(float2 a) { return make_float2(fabsf(a.x), fabsf(a.y)); }
__device__ inline float2 fracf(float2 a) { return make_float2(fracf(a.x), fracf(a.y)); }
__device__ inline float2 fmodf(float2 a, float2 b) { return make_float2(fmodf(a.x, b.x), fmodf(a.y, b.y)); }
__device__ inline float3 lerp(float3 a, float3 b, float t) { return a + t * (b - a); }
__device__ inline float3 clamp(float3 x, float3 least, float3 most) { return fmaxf(least, fminf(x, most)); }
__device__ inline float3 clamp(float3 x, float least, float most) { return clamp(x, make_float3(least), make_float3(most)); }
__device__ inline float length(float3 a) { return sqrtf(dot(a, a)); }
__device__ inline float3 normalize(float3 a) { return a * rsqrtf(dot(a, a)); }
__device__ inline float3 floorf(float3 a) { return make_float3(floorf(a.x), floorf(a.y), floorf(a.z)); }
__device__ inline float3 fabs(float3 a) { return make_float3(fabsf(a.x), fabsf(a.y), fabsf(a.z)); }
__device__ inline float3 fracf(float3 a) { return make_float3(fracf(a.x), fracf(a.y), fracf(a.z)); }
__device__ inline float3 fmodf(float3 a, float3 b) { return make_float3(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z)); }
__device__ inline float4 lerp(float4 a, float4 b, float t) { return a + t * (b - a); }
__device__ inline float4 clamp(float4 x, float4 least, float4 most) { return fmaxf(least, fminf(x, most)); }
__device__ inline float4 clamp(float4 x, float least, float most) { return clamp(x, make_float4(least), make_float4(most)); }
__device__ inline float length(float4 a) { return sqrtf(dot(a, a)); }
__device__ inline float4 normalize(float4 a) { return a * rsqrtf(dot(a, a)); }
__device__ inline float4 floorf(float4 a) { return make_float4(floorf(a.x), floorf(a.y), floorf(a.z), floorf(a.w)); }
__device__ inline float4 fabs(float4 a) { return make_float4(fabsf(a.x), fabsf(a.y), fabsf(a.z), fabsf(a.w)); }
__device__ inline float4 fracf(float4 a) { return make_float4(fracf(a.x), fracf(a.y), fracf(a.z), fracf(a.w)); }
__device__ inline float4 fmodf(float4 a, float4 b) { return make_float4(fmodf(a.x, b.x), fmodf(a.y, b.y), fmodf(a.z, b.z), fmodf(a.w, b.w)); }
#undef BENCH_ARITHMETIC
#undef BENCH_QUOTIENT
#undef BENCH_FLOAT2
#undef BENCH_FLOAT3
#undef BENCH_FLOAT4
#undef BENCH_INT2
#undef BENCH_INT3
#undef BENCH_INT4
#undef BENCH_UINT2
#undef BENCH_UINT3
#undef BENCH_UINT4
