// The device's side of cuRAND: the generators XORWOW and Philox4x32-10, with cuRAND's numbers and sizes of states.
#pragma once

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace bench_sim {

// One step of xorshift on its five words, which is linear in their bits.
inline void xorshift(unsigned (&v)[5]) {
  const unsigned t = v[0] ^ (v[0] >> 2);
  v[0] = v[1], v[1] = v[2], v[2] = v[3], v[3] = v[4];
  v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
}

// The words that each bit of a state becomes after some power of two of steps. Sequences are 2^67 steps apart, and have 64
// bits. Whoever comes first makes the list; others that come meanwhile write the same.
struct Jumps {
  enum { NUMBER = 131 };
  unsigned of[NUMBER][160][5];
  bool ready;
};
BENCH_SIM_QUIET inline void jump(unsigned (&v)[5], const unsigned (&of)[160][5]) {
  unsigned sum[5] = {};
  for (int bit = 0; bit < 160; bit++)
    if (v[bit / 32] >> bit % 32 & 1)
      for (int i = 0; i < 5; i++) sum[i] ^= of[bit][i];
  for (int i = 0; i < 5; i++) v[i] = sum[i];
}
BENCH_SIM_QUIET inline void jump(unsigned (&v)[5], unsigned long long steps, int first) {
  static Jumps list;
  if (!list.ready) {
    for (int bit = 0; bit < 160; bit++) {
      unsigned one[5] = {};
      one[bit / 32] = 1u << bit % 32;
      xorshift(one);
      for (int i = 0; i < 5; i++) list.of[0][bit][i] = one[i];
    }
    for (int n = 1; n < Jumps::NUMBER; n++)
      for (int bit = 0; bit < 160; bit++) {
        unsigned one[5];
        for (int i = 0; i < 5; i++) one[i] = list.of[n - 1][bit][i];
        jump(one, list.of[n - 1]);
        for (int i = 0; i < 5; i++) list.of[n][bit][i] = one[i];
      }
    list.ready = true;
  }
  for (int n = 0; n < 64; n++)
    if (steps >> n & 1) jump(v, list.of[first + n]);
}

inline uint4 philox(uint4 c, uint2 k) {
  for (int i = 0; i < 10; i++) {
    const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
    c = make_uint4(static_cast<unsigned>(b >> 32) ^ c.y ^ k.x, static_cast<unsigned>(b), static_cast<unsigned>(a >> 32) ^ c.w ^ k.y, static_cast<unsigned>(a));
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
inline void add(unsigned& low, unsigned& high, unsigned long long n) {
  const unsigned long long sum = (static_cast<unsigned long long>(high) << 32 | low) + n;
  low = static_cast<unsigned>(sum);
  high = static_cast<unsigned>(sum >> 32);
}
inline void advance(curandStatePhilox4_32_10* s, unsigned long long n) {
  const unsigned long long before = static_cast<unsigned long long>(s->ctr.y) << 32 | s->ctr.x;
  add(s->ctr.x, s->ctr.y, n);
  if (before + n < before) add(s->ctr.z, s->ctr.w, 1);
}
inline float uniform(unsigned x) { return static_cast<float>(x) * 2.3283064365386963e-10f + 2.3283064365386963e-10f / 2; }
inline double uniform(unsigned x, unsigned y) { return static_cast<double>(static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(y) << 21) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2; }
inline float2 normals(unsigned x, unsigned y) {
  const float radius = sqrtf(-2 * logf(uniform(x))), angle = static_cast<float>(y) * (2.3283064365386963e-10f * 6.2831855f) + 2.3283064365386963e-10f * 6.2831855f / 2;
  return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
inline double2 normals(uint4 x) {
  const double radius = sqrt(-2 * log(uniform(x.x, x.y)));
  double2 both;
  sincospi(2 * uniform(x.z, x.w), &both.x, &both.y);
  both.x *= radius;
  both.y *= radius;
  return both;
}
}  // namespace bench_sim

inline void skipahead(unsigned long long n, curandStateXORWOW* s) {
  bench_sim::jump(s->v, n, 0);
  s->d += 362437u * static_cast<unsigned>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* s) { bench_sim::jump(s->v, n, 67); }
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW* s) {
  const unsigned t0 = 1099087573u * (static_cast<unsigned>(seed) ^ 0xaad26b49u), t1 = 2591861531u * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddu);
  s->d = 6615241u + t1 + t0;
  s->v[0] = 123456789u + t0;
  s->v[1] = 362436069u ^ t0;
  s->v[2] = 521288629u + t1;
  s->v[3] = 88675123u ^ t1;
  s->v[4] = 5783321u + t0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
}
inline unsigned curand(curandStateXORWOW* s) {
  bench_sim::xorshift(s->v);
  s->d += 362437;
  return s->v[4] + s->d;
}

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
  n += s->STATE;
  s->STATE = n & 3;
  bench_sim::advance(s, n / 4);
  s->output = bench_sim::philox(s->ctr, s->key);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) {
  bench_sim::add(s->ctr.z, s->ctr.w, n);
  s->output = bench_sim::philox(s->ctr, s->key);
}
inline void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10* s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  s->STATE = 0;
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  skipahead_sequence(sequence, s);
  skipahead(offset, s);
}
inline unsigned curand(curandStatePhilox4_32_10* s) {
  const unsigned made = s->STATE == 0 ? s->output.x : s->STATE == 1 ? s->output.y : s->STATE == 2 ? s->output.z : s->output.w;
  if (++s->STATE == 4) {
    bench_sim::advance(s, 1);
    s->output = bench_sim::philox(s->ctr, s->key);
    s->STATE = 0;
  }
  return made;
}
inline uint4 curand4(curandStatePhilox4_32_10* s) {
  const uint4 now = s->output;
  bench_sim::advance(s, 1);
  s->output = bench_sim::philox(s->ctr, s->key);
  switch (s->STATE) {
    case 1: return make_uint4(now.y, now.z, now.w, s->output.x);
    case 2: return make_uint4(now.z, now.w, s->output.x, s->output.y);
    case 3: return make_uint4(now.w, s->output.x, s->output.y, s->output.z);
  }
  return now;
}
inline float4 curand_uniform4(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return make_float4(bench_sim::uniform(x.x), bench_sim::uniform(x.y), bench_sim::uniform(x.z), bench_sim::uniform(x.w));
}
inline float4 curand_normal4(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  const float2 a = bench_sim::normals(x.x, x.y), b = bench_sim::normals(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}

template <class State> inline float curand_uniform(State* s) { return bench_sim::uniform(curand(s)); }
template <class State> inline double curand_uniform_double(State* s) {
  const unsigned x = curand(s), y = curand(s);
  return bench_sim::uniform(x, y);
}
inline double curand_uniform_double(curandStatePhilox4_32_10* s) { return curand(s) * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2; }
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
  const uint4 x = curand4(s);
  return make_double2(bench_sim::uniform(x.x, x.y), bench_sim::uniform(x.z, x.w));
}
template <class State> inline float2 curand_normal2(State* s) {
  const unsigned x = curand(s), y = curand(s);
  return bench_sim::normals(x, y);
}
template <class State> inline float curand_normal(State* s) {
  if (s->boxmuller_flag) {
    s->boxmuller_flag = 0;
    return s->boxmuller_extra;
  }
  const float2 both = curand_normal2(s);
  s->boxmuller_flag = 1;
  s->boxmuller_extra = both.y;
  return both.x;
}
template <class State> inline double2 curand_normal2_double(State* s) {
  uint4 x;
  x.x = curand(s), x.y = curand(s), x.z = curand(s), x.w = curand(s);
  return bench_sim::normals(x);
}
template <class State> inline double curand_normal_double(State* s) {
  if (s->boxmuller_flag_double) {
    s->boxmuller_flag_double = 0;
    return s->boxmuller_extra_double;
  }
  const double2 both = curand_normal2_double(s);
  s->boxmuller_flag_double = 1;
  s->boxmuller_extra_double = both.y;
  return both.x;
}
template <class State> inline double curand_log_normal_double(State* s, double mean, double deviation) { return exp(mean + deviation * curand_normal_double(s)); }
template <class State> inline float curand_log_normal(State* s, float mean, float deviation) { return expf(mean + deviation * curand_normal(s)); }
