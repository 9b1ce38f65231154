// Kernels of ordinary work, one of each kind of instruction that programs contain. Each reads n words of x and
// writes n words of y; the grid is of 3 × 2 × 2 blocks of 16 × 4 × 2 threads.
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

__device__ int linear() {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  return block * 128 + threadIdx.x + 16 * (threadIdx.y + 4 * threadIdx.z);
}
__device__ int within() { return threadIdx.x + 16 * (threadIdx.y + 4 * threadIdx.z); }
#define AT const int i = linear(); if (i >= n) return;

extern "C" __global__ void bytes(const u32 *x, u32 *y, int n) { AT
  const u8 *b = (const u8 *)x + 4 * i;
  u8 *to = (u8 *)y + 4 * i;
  for (int k = 0; k < 4; k++) to[k] = (u8)((b[k] * 3 + 7) >> 1) ^ (signed char)b[3 - k];
}
extern "C" __global__ void weights(const u32 *x, u32 *y, int n) { AT const uchar4 c = ((const uchar4 *)x)[i]; y[i] = (77 * c.x + 150 * c.y + 29 * c.z) >> 8; }
extern "C" __global__ void weighted(const u32 *x, u32 *y, int n) { AT const uchar3 *c = (const uchar3 *)x; y[i] = (77 * c[i].x + 150 * c[i].y + 29 * c[i].z) >> 8; }
extern "C" __global__ void signed_sums(const u32 *x, u32 *y, int n) { AT const char4 c = ((const char4 *)x)[i]; y[i] = 3 * c.x - 5 * c.y + c.z * c.w; }
extern "C" __global__ void shorts(const u32 *x, u32 *y, int n) { AT
  const short2 s = ((const short2 *)x)[i];
  y[i] = (u16)(s.x * s.y) | (u32)(u16)(short)(s.x - s.y) << 16;
}
extern "C" __global__ void short_division(const u32 *x, u32 *y, int n) { AT const u16 *s = (const u16 *)x; y[i] = s[2 * i] / (u16)(s[2 * i + 1] | 1) + (short)s[2 * i] % 77; }
extern "C" __global__ void long_arithmetic(const u32 *x, u32 *y, int n) { AT
  s64 a = (s64)x[i] << 31 | x[(i + 1) % n], b = (s64)x[(i + 2) % n] * -7919;
  a = a * b + (a >> 5) - (b << 3);
  a ^= a < b ? a / (b | 1) : a % (b | 1);
  y[i] = (u32)(a >> 32) ^ (u32)a;
}
extern "C" __global__ void long_unsigned(const u32 *x, u32 *y, int n) { AT
  const u64 a = (u64)x[i] * x[(i + 1) % n], b = (u64)x[(i + 3) % n] << 20 | 1;
  y[i] = (u32)(a / b) ^ (u32)(a % b) ^ (u32)(a >> (b & 63)) ^ (u32)min(a, b) ^ (u32)(max((s64)a, -(s64)b) >> 3);
}
extern "C" __global__ void high_products(const u32 *x, u32 *y, int n) { AT
  const u32 b = x[(i + 1) % n];
  y[i] = __umulhi(x[i], b) ^ __mulhi((int)x[i], (int)b) ^ (u32)__umul64hi((u64)x[i] << 32 | b, (u64)b << 32 | x[i]) ^ __mul24((int)x[i], (int)b) ^ __umul24(x[i], b);
}
extern "C" __global__ void bits(const u32 *x, u32 *y, int n) { AT
  const u32 a = x[i];
  y[i] = __popc(a) + 64 * __clz(a) + 4096 * __ffs(a) + __brev(a) + (a << 7 | a >> 25) + __byte_perm(a, ~a, 0x3715);
}
extern "C" __global__ void long_bits(const u32 *x, u32 *y, int n) { AT
  const u64 a = (u64)x[i] << 32 | x[(i + 5) % n];
  y[i] = __popcll(a) + 64 * __clzll(a) + 4096 * __ffsll(a) + (u32)__brevll(a) + (u32)(a << 13 | a >> 51);
}
extern "C" __global__ void funnels(const u32 *x, u32 *y, int n) { AT const u32 b = x[(i + 1) % n]; y[i] = __funnelshift_l(x[i], b, b & 31) ^ __funnelshift_r(x[i], b, i & 63) ^ __funnelshift_lc(x[i], b, i) ^ __funnelshift_rc(x[i], b, 3); }
extern "C" __global__ void sums_of_differences(const u32 *x, u32 *y, int n) { AT const u32 b = x[(i + 1) % n]; y[i] = __sad((int)x[i], (int)b, 17) + __usad(x[i], b, 3) + __hadd((int)x[i], (int)b) + __rhadd((int)x[i], (int)b); }
extern "C" __global__ void packed(const u32 *x, u32 *y, int n) { AT
  const u32 a = x[i], b = x[(i + 1) % n];
  y[i] = __vadd4(a, b) ^ __vmaxu2(a, b) ^ __vabsdiffu4(a, b) ^ __vcmpgtu4(a, b) ^ __vavgu4(a, b) ^ __vsub2(a, b);
}
#if __CUDA_ARCH__ >= 610 || defined(BENCH_SIM)
#ifdef BENCH_SIM
__device__ u32 dots4(u32 a, u32 b, u32 c) { return __dp4a((int)a, (int)b, (int)c); }
__device__ u32 dots2(u32 a, u32 b, u32 c) { return __dp2a_hi(a, b, c); }
#else
__device__ u32 dots4(u32 a, u32 b, u32 c) { asm("dp4a.s32.s32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)); return a; }
__device__ u32 dots2(u32 a, u32 b, u32 c) { asm("dp2a.hi.u32.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c)); return a; }
#endif
extern "C" __global__ void dots(const u32 *x, u32 *y, int n) { AT const u32 b = x[(i + 1) % n]; y[i] = dots4(x[i], b, 5) ^ dots2(x[i], b, 2); }
#endif
extern "C" __global__ void cases(const u32 *x, u32 *y, int n) { AT
  u32 a = x[i];
  switch (a % 11) {
  case 0: a += 5; break;
  case 1: a *= 7; break;
  case 2: a ^= a >> 3; break;
  case 3: a = ~a; // and on
  case 4: a -= 9; break;
  case 5: for (int k = 0; k < (int)(a & 7); k++) a = a * 3 + 1; break;
  case 6: a = a / 3; break;
  case 7: a = a << 4 | 1; break;
  case 8: a = 77; break;
  default: a |= 0x8000;
  }
  y[i] = a;
}
__device__ __noinline__ u32 called(u32 a, int k) { return k & 1 ? a * 31 + 7 : (a >> 2) ^ k; }
extern "C" __global__ void calls(const u32 *x, u32 *y, int n) { AT u32 a = x[i]; for (int k = 0; k < 5; k++) a = called(a, k + i); y[i] = a; }
struct Pair { float a; int b; double c; };
__device__ __noinline__ Pair built(const u32 *x, int i, Pair p) { p.a += x[i] & 255; p.b ^= x[i]; p.c *= 2; return p; }
extern "C" __global__ void calls_of_structs(const u32 *x, u32 *y, int n) { AT Pair p = {1.5f, 3, 0.25}; p = built(x, i, p); p = built(x, (i + 1) % n, p); y[i] = (u32)p.a + p.b + (u32)p.c; }
__device__ __noinline__ void through(u32 *to, u32 a) { to[0] += a; to[1] ^= a; }
extern "C" __global__ void calls_by_pointer(const u32 *x, u32 *y, int n) { AT u32 own[2] = {1, 2}; for (int k = 0; k < 3; k++) through(own, x[(i + k) % n]); y[i] = own[0] ^ own[1]; }
__device__ u32 fibonacci(u32 k) { return k < 2 ? k : fibonacci(k - 1) + fibonacci(k - 2); }
extern "C" __global__ void recursion(const u32 *x, u32 *y, int n) { AT y[i] = fibonacci(x[i] % 9); }
__device__ u32 first(u32 a) { return a + 1; }
__device__ u32 second(u32 a) { return a * 3; }
__device__ u32 third(u32 a) { return ~a; }
extern "C" __global__ void function_pointers(const u32 *x, u32 *y, int n) { AT u32 (*const f[3])(u32) = {first, second, third}; y[i] = f[x[i] % 3](x[i]); }
struct Shape { __device__ virtual u32 area(u32 a) const { return a; } };
struct Square : Shape { __device__ u32 area(u32 a) const override { return a * a; } };
extern "C" __global__ void virtual_functions(const u32 *x, u32 *y, int n) { AT Shape s; Square q; const Shape *p = x[i] & 1 ? (const Shape *)&q : &s; y[i] = p->area(x[i]); }
extern "C" __global__ void local_array(const u32 *x, u32 *y, int n) { AT
  u32 own[24];
  for (int k = 0; k < 24; k++) own[k] = x[(i + k) % n] * k;
  u32 sum = 0;
  for (int k = 0; k < 24; k++) sum = sum * 5 + own[(x[i] >> (k & 15)) % 24];
  y[i] = sum;
}
union Word { float f; u32 u; u8 b[4]; u16 h[2]; };
extern "C" __global__ void unions(const u32 *x, u32 *y, int n) { AT Word w; w.u = x[i]; w.b[1] ^= 0x5a; w.h[1] = w.h[1] % 0x3f00 + 0x80; w.f *= 0.5f; y[i] = w.u; }
template <typename T, int N> struct Poly { T c[N]; __device__ T operator()(T t) const { T s = 0; for (int k = N - 1; k >= 0; k--) s = s * t + c[k]; return s; } };
extern "C" __global__ void templates(const u32 *x, u32 *y, int n) { AT const Poly<int, 5> p = {{1, -2, 3, -4, 5}}; const Poly<s64, 3> q = {{7, 8, 9}}; y[i] = p((int)x[i] % 100) ^ (u32)q((s64)x[i]); }
extern "C" __global__ void lambdas(const u32 *x, u32 *y, int n) { AT auto f = [&](u32 a) { return a * x[(i + 1) % n]; }; auto g = [=](u32 a) { return f(a) + i; }; y[i] = g(g(x[i])); }
extern "C" __global__ void shuffles(const u32 *x, u32 *y, int n) { AT
  u32 a = x[i];
  for (int d = 16; d; d >>= 1) a += __shfl_xor_sync(~0u, a, d);
  a ^= __shfl_up_sync(~0u, a, 3) + __shfl_down_sync(~0u, x[i], 5, 8) + __shfl_sync(~0u, x[i], a & 31);
  y[i] = a;
}
extern "C" __global__ void wide_shuffles(const u32 *x, u32 *y, int n) { AT
  double d = (int)x[i] * 0.25;
  d += __shfl_down_sync(~0u, d, 1);
  const u64 u = __shfl_xor_sync(~0u, (u64)x[i] * 77777777777ull, 2);
  y[i] = (u32)(s64)d ^ (u32)(u >> 20);
}
extern "C" __global__ void votes(const u32 *x, u32 *y, int n) { AT
  const bool odd = x[i] & 1;
  y[i] = __ballot_sync(~0u, odd) + __any_sync(~0u, x[i] > 0xf0000000u) + 2 * __all_sync(~0u, x[i] > 7) + __popc(__activemask());
}
#if __CUDA_ARCH__ >= 700 || defined(BENCH_SIM)
extern "C" __global__ void matches(const u32 *x, u32 *y, int n) { AT int all; y[i] = __match_any_sync(~0u, x[i] & 3) ^ __match_all_sync(~0u, x[i] >> 31 & 0, &all); y[i] += all; }
#endif
#if __CUDA_ARCH__ >= 800 || defined(BENCH_SIM)
extern "C" __global__ void warp_sums(const u32 *x, u32 *y, int n) { AT y[i] = __reduce_add_sync(~0u, x[i]) ^ __reduce_max_sync(~0u, (int)x[i]) ^ __reduce_xor_sync(~0u, x[i]) ^ __reduce_min_sync(~0u, x[i]); }
#endif
extern "C" __global__ void barriers_that_count(const u32 *x, u32 *y, int n) { AT const int odd = x[i] & 1; y[i] = __syncthreads_count(odd) + 1000 * __syncthreads_and(odd) + 2000 * __syncthreads_or(odd); }
extern "C" __global__ void singles(const u32 *x, u32 *y, int n) { AT
  const float a = (int)x[i] * 1e-8f, b = (x[(i + 1) % n] >> 8) * 1e-6f + 0.5f;
  float s = sqrtf(fabsf(a)) + a / b + fmaf(a, b, 1) + fminf(a, b) + floorf(a) + rintf(a) + truncf(b) + copysignf(b, a) + fdimf(a, b) + __saturatef(a);
  s += (isnan(a / 0.0f) ? 1 : 2) + (isinf(b) ? 3 : 4) + (signbit(a) ? 5 : 6);
  y[i] = (int)(s * 100);
}
extern "C" __global__ void single_functions(const u32 *x, u32 *y, int n) { AT
  const float a = (int)x[i] * 1e-8f, b = (x[(i + 1) % n] >> 8) * 1e-6f + 0.5f;
  y[i] = (int)(100 * (sinf(a) + cosf(b) + tanf(a * 0.05f) + expf(a * 0.1f) + logf(b) + log2f(b) + log10f(b) + powf(b, 1.7f) + atanf(a) + atan2f(a, b) + tanhf(a) + erff(a) + cbrtf(b) + hypotf(a, b) + exp2f(a * 0.2f) + rsqrtf(b) + fmodf(b, 3) + log1pf(b) + expm1f(a * 0.1f) + asinf(a * 0.04f) + acosf(a * 0.04f) + sinhf(a * 0.1f)));
}
extern "C" __global__ void large_angles(const u32 *x, u32 *y, int n) { AT y[i] = (int)(100 * (sinf(x[i] * 1.0f) + cosf(x[i] * 3.5f))); }
extern "C" __global__ void fast_functions(const u32 *x, u32 *y, int n) { AT const float a = (int)(x[i] >> 12) * 1e-5f + 0.1f; y[i] = (int)(100 * (__sinf(a * 0.1f) + __cosf(a * 0.1f) + __expf(a * 0.1f) + __logf(a) + __fdividef(1, a) + __powf(a, 1.5f) + __frcp_rn(a) + __fsqrt_rn(a) + __log2f(a))); }
extern "C" __global__ void doubles(const u32 *x, u32 *y, int n) { AT
  const double a = (int)x[i] * 1e-8, b = (x[(i + 1) % n] >> 8) * 1e-6 + 0.5;
  y[i] = (int)(1000 * (sqrt(fabs(a)) + a / b + fma(a, b, 1) + fmin(a, b) + floor(a) + ceil(b) + rint(a) + (double)(float)b + (a > b ? 1 : 2)));
}
extern "C" __global__ void double_functions(const u32 *x, u32 *y, int n) { AT
  const double a = (int)x[i] * 1e-8, b = (x[(i + 1) % n] >> 8) * 1e-6 + 0.5;
  y[i] = (int)(1000 * (sin(a) + cos(b) + exp(a * 0.1) + log(b) + pow(b, 1.7) + atan2(a, b) + tanh(a) + erf(a) + cbrt(b) + fmod(b, 3) + rsqrt(b) + hypot(a, b) + log2(b) + exp2(a * 0.1)));
}
extern "C" __global__ void gammas(const u32 *x, u32 *y, int n) { AT const double b = (x[i] >> 20) * 1e-3 + 0.5; y[i] = (int)(1000 * (tgamma(b) + lgamma(b) + j0(b) + normcdf(b - 2) + erfcinv(1.0 / (1 + b)))); }
extern "C" __global__ void conversions(const u32 *x, u32 *y, int n) { AT
  const float f = (int)x[i] * 3e-5f;
  const double d = (int)x[i] * 3.7;
  y[i] = __float2int_rd(f) ^ __float2int_ru(f) ^ __float2uint_rz(fabsf(f)) ^ (u32)__double2ll_rn(d) ^ (u32)(s64)f ^ __float_as_uint(__ll2float_rn((s64)x[i] << 9)) ^ (u32)__double2hiint(d) ^ __double2loint(d) ^ (u32)(u8)fabsf(f * 1e-4f) ^ (u32)(short)(d * 1e-6) ^ __float_as_uint((float)(x[i] | 1ull << 40));
}
extern "C" __global__ void saturated(const u32 *x, u32 *y, int n) { AT const int a = (int)x[i], b = (int)x[(i + 1) % n]; y[i] = (u8)min(max(a >> 16, 0), 255) | (u32)(short)max(-32768, min(32767, b >> 8)) << 16; }
extern __shared__ u32 dynamic[];
extern "C" __global__ void dynamic_shared(const u32 *x, u32 *y, int n) {
  AT
  const int t = within(); dynamic[t] = x[i]; __syncthreads(); y[i] = dynamic[127 - t] + dynamic[(t * 7) % 128];
}
extern "C" __global__ void shared_kinds(const u32 *x, u32 *y, int n) { AT
  __shared__ u8 b[128];
  __shared__ double d[2][64];
  __shared__ struct { short s; u64 u; } r[128];
  const int t = within();
  b[t] = x[i]; d[t / 64][t % 64] = x[i] * 0.5; r[t].s = x[i]; r[t].u = (u64)x[i] << 7;
  __syncthreads();
  y[i] = b[127 - t] + (u32)d[1 - t / 64][t % 64] + r[(t + 9) % 128].s + (u32)(r[t ^ 1].u >> 3);
}
extern "C" __global__ void shared_atomics(const u32 *x, u32 *y, int n) { AT
  __shared__ u32 h[16];
  __shared__ u64 wide;
  __shared__ float sum;
  const int t = within();
  if (t < 16) h[t] = 0;
  if (t == 0) wide = 0, sum = 0;
  __syncthreads();
  atomicAdd(&h[x[i] & 7], 1); atomicMax(&h[8], x[i]); atomicXor(&h[9], x[i]); atomicAdd(&wide, (u64)x[i]); atomicAdd(&sum, 0.25f);
  __syncthreads();
  y[i] = h[t % 10] + (u32)wide + (u32)sum;
}
extern "C" __global__ void atomics(const u32 *x, u32 *y, int n) { AT
  u32 *to = y + i / 128 * 128; // of the block: all blocks write words of their own
  if (within() >= 112) return;
  u32 *w = to + 112;
  atomicAdd(w, x[i]); atomicSub(w + 1, x[i]); atomicMin((int *)w + 2, (int)x[i]); atomicMax(w + 3, x[i]); atomicAnd(w + 4, x[i]);
  atomicOr(w + 5, x[i]); atomicXor(w + 6, x[i]); atomicInc(w + 7, 50); atomicDec(w + 8, 50); atomicAdd((float *)w + 9, 0.5f);
  atomicAdd((u64 *)(w + 10), (u64)x[i] << 8); atomicMax((u64 *)(w + 12), (u64)x[i] << 8); atomicMin((s64 *)(w + 14), -(s64)x[i]);
  to[within()] = x[i];
}
#if __CUDA_ARCH__ >= 600 || defined(BENCH_SIM)
extern "C" __global__ void double_atomics(const u32 *x, u32 *y, int n) { AT __shared__ double s; if (within() == 0) s = 0; __syncthreads(); atomicAdd(&s, 0.5); atomicAdd_block((int *)&y[i], 1); __syncthreads(); y[i] += (u32)s; }
#endif
extern "C" __global__ void compare_and_swap(const u32 *x, u32 *y, int n) { AT
  u32 *w = y + i / 128 * 128;
  u32 old = *w, seen;
  do { seen = old; old = atomicCAS(w, seen, seen + (x[i] & 15)); } while (old != seen);
  __syncthreads();
  if (within()) y[i] = atomicExch(&y[i], x[i]);
}
extern "C" __global__ void read_only(const u32 *x, u32 *y, int n) { AT y[i] = __ldg(&x[i]) + __ldg((const u8 *)x + i) + (u32)__ldg((const double *)x + i / 2 % 4 * 0) % 2 + __ldg((const uint2 *)x + i / 2).y; }
extern "C" __global__ void cache_hints(const u32 *x, u32 *y, int n) { AT __stcs(&y[i], __ldcg(&x[i]) + __ldcs(&x[(i + 1) % n]) + __ldca(&x[(i + 2) % n])); }
extern "C" __global__ void vectors(const u32 *x, u32 *y, int n) { AT if (i % 4 == 0) { uint4 a = ((const uint4 *)x)[i / 4]; a.x ^= a.w; a.y += a.z; ((uint4 *)y)[i / 4] = a; } }
extern "C" __global__ void long_vectors(const u32 *x, u32 *y, int n) { AT if (i % 4 == 0) { double2 a = ((const double2 *)x)[i / 4 * 0 + i / 4]; ulonglong2 b = ((const ulonglong2 *)x)[i / 4]; b.x ^= (u64)(a.x < a.y); ((ulonglong2 *)y)[i / 4] = b; } }
extern "C" __global__ void volatile_words(const u32 *x, u32 *y, int n) { AT volatile u32 *v = y; v[i] = x[i]; __threadfence(); v[i] = v[i] + 1; __threadfence_block(); __syncwarp(); y[i] ^= 3; }
__constant__ u32 table[16] = {1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47};
__device__ const float slopes[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ u32 state[4] = {4, 3, 2, 1};
extern "C" __global__ void tables(const u32 *x, u32 *y, int n) { AT y[i] = table[x[i] & 15] + (u32)(slopes[x[i] >> 4 & 3] * 8) + state[i & 3]; }
extern "C" __global__ void divergent_loops(const u32 *x, u32 *y, int n) { AT u32 a = x[i], k = 0; while (a != 1 && k < 60) { a = a & 1 ? 3 * (a & 0xfffff) + 1 : a >> 1; if (a == 77) continue; k++; if (k == 50 && (a & 2)) break; } y[i] = a * 64 + k; }
extern "C" __global__ void nested_loops(const u32 *x, u32 *y, int n) { AT u32 s = 0; for (int r = 0; r < (int)(x[i] & 7); r++) for (int c = r; c < (int)(x[i] >> 3 & 7); c++) { if ((r + c) % 3 == 0) continue; s += r * c; } y[i] = s; }
extern "C" __global__ void early_returns(const u32 *x, u32 *y, int n) { AT if (x[i] & 1) { y[i] = 1; return; } __syncwarp(); if (x[i] & 2) { for (int k = 0;; k++) if (k * k > (int)(x[i] & 255)) { y[i] = k; return; } } y[i] = 9; }
extern "C" __global__ void gotos(const u32 *x, u32 *y, int n) { AT u32 a = x[i]; int k = 0; again: a = a * 5 + 1; if (++k < 3) goto again; if (a & 1) goto out; a ^= 0xff; if (a & 2) goto again2; out: a += 3; again2: y[i] = a; }
extern "C" __global__ void logic(const u32 *x, u32 *y, int n) { AT const u32 a = x[i], b = x[(i + 1) % n], c = x[(i + 2) % n]; y[i] = (a & b | c) ^ ((a > b && b > c) || (c == a) ? a & ~c : b | ~a) ^ (!a ? 5 : !!b); }
extern "C" __global__ void bools(const u32 *x, u32 *y, int n) { AT const bool a = x[i] & 1, b = x[i] & 2; bool c = a ^ b; c |= a & !b; y[i] = c + 2 * (a && !c) + 4 * (a == b) + 8 * (a < b); }
extern "C" __global__ void fields(const u32 *x, u32 *y, int n) { AT struct { u32 a : 5, b : 11, c : 16; int d : 7; } f; f.a = x[i]; f.b = x[i] >> 3; f.c = x[i] >> 9; f.d = (int)x[i]; y[i] = f.a * 3 + f.b * 5 + f.c * 7 + f.d; }
extern "C" __global__ void carries(const u32 *x, u32 *y, int n) { AT
  const u64 a = (u64)x[i] << 40 | x[(i + 1) % n], b = (u64)x[(i + 2) % n] << 33 | x[(i + 3) % n];
  const unsigned __int128 p = (unsigned __int128)a * b + a;
  y[i] = (u32)(p >> 70) ^ (u32)p ^ (u32)((unsigned __int128)(a + 1) << 40 >> 64);
}
extern "C" __global__ void matrices(const u32 *x, u32 *y, int n) { AT
  float m[3][3], v[3] = {1, 2, 3}, r[3];
  for (int k = 0; k < 9; k++) m[k / 3][k % 3] = (x[(i + k) % n] >> 20) * 0.01f;
  for (int a = 0; a < 3; a++) { r[a] = 0; for (int b = 0; b < 3; b++) r[a] += m[a][b] * v[b]; }
  y[i] = (u32)(r[0] + r[1] * 2 + r[2] * 3);
}
extern "C" __global__ void copies(const u32 *x, u32 *y, int n) { AT __shared__ __align__(16) char s[2048]; char own[16]; memcpy(own, x + i / 4 * 4, 16); memset(own + 3, 5, 4); memcpy(s + 16 * within(), own, 16); __syncthreads(); memcpy(y + i, s + 16 * (127 - within()) + 4, 4); }
extern "C" __global__ void assertions(const u32 *x, u32 *y, int n) { AT if (x[i] == 0x12345678u && n < 0) __trap(); y[i] = x[i] + __builtin_expect(x[i] > 5, 1); }
extern "C" __global__ void clocks(const u32 *x, u32 *y, int n) { AT const long long a = clock64(); const u32 b = clock(); y[i] = x[i] + (clock64() - a < 0) + (b == 0xfffffffe && n < 0); }
extern "C" __global__ void registers(const u32 *x, u32 *y, int n) { AT
  u32 warp, lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  u32 low; asm("{ .reg .u32 t; add.u32 t, %1, %2; xor.b32 %0, t, 5; }" : "=r"(low) : "r"(lane), "r"(x[i]));
  u32 l3; asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(l3) : "r"(low), "r"(x[i]), "r"(x[(i + 1) % n]));
  y[i] = low + l3 + warpSize;
}
#ifdef HALVES
#include <cuda_fp16.h>
extern "C" __global__ void halves(const u32 *x, u32 *y, int n) { AT
  const __half2 a = __floats2half2_rn((x[i] & 1023) * 0.01f, (x[i] >> 10 & 1023) * 0.01f), b = __float2half2_rn(0.75f);
  __half2 c = __hfma2(a, b, __hmul2(a, a));
  c = __hadd2(c, __hsub2(b, a));
  const __half low = __low2half(c);
  const bool less = __hlt(low, __high2half(c));
  c = __hmax2(c, __hneg2(b));
  y[i] = (u32)__half2float(low) + (u32)__high2float(c) * 3 + less + (u32)__half2int_rn(__hdiv(low, __float2half(1.5f)));
}
extern "C" __global__ void half_functions(const u32 *x, u32 *y, int n) { AT
  const __half a = __float2half((x[i] & 1023) * 0.01f + 0.1f);
  y[i] = (u32)(16 * __half2float(hsqrt(a))) + (u32)(16 * __half2float(hexp(__hmul(a, __float2half(0.1f))))) + __half_as_ushort(__habs(__hneg(a)));
}
#endif
