// Floating-point numbers of 8 bits: what cuda_fp8.h gives a kernel.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace bench_sim {
// The format by its bits of precision, the hidden one included, its least normal exponent, and its largest code: E4M3 has no
// infinity.
template <int precision, int least, int largest, bool infinite>
struct Byte {
  static unsigned char encode(double x, bool saturates) {
    const unsigned char sign = static_cast<unsigned char>(__double_as_longlong(x) >> 56 & 0x80);
    if (isnan(x)) return 0x7f;
    x = fabs(x);
    if (x == 0) return sign;
    int exponent = isinf(x) ? 1 << 10 : ilogb(x);
    if (exponent < least) exponent = least;
    const int beyond = infinite && !saturates ? largest + 1 : saturates ? largest : 0x7f;
    if (exponent > 40) return static_cast<unsigned char>(sign | beyond);
    const unsigned units = static_cast<unsigned>(rint(ldexp(x, precision - 1 - exponent)));
    const unsigned all = units + (static_cast<unsigned>(exponent - least) << (precision - 1));
    return static_cast<unsigned char>(sign | (all > largest ? static_cast<unsigned>(beyond) : all));
  }
  static float decode(unsigned char bits) {
    const unsigned fraction = bits & ((1u << (precision - 1)) - 1), exponent = (bits & 0x7fu) >> (precision - 1);
    float x;
    if ((bits & 0x7f) > largest) x = infinite && !fraction ? __int_as_float(0x7f800000) : __int_as_float(0x7fffffff);
    else if (exponent == 0) x = ldexpf(static_cast<float>(fraction), least - precision + 1);
    else x = ldexpf(static_cast<float>(fraction | 1u << (precision - 1)), least + static_cast<int>(exponent) - precision);
    return bits & 0x80 ? -x : x;
  }
  unsigned char __x;
  Byte() = default;
  explicit Byte(float x) : __x(encode(static_cast<double>(x), true)) {}
  explicit Byte(double x) : __x(encode(x, true)) {}
  explicit Byte(int x) : __x(encode(x, true)) {}
  explicit Byte(__half x) : __x(encode(static_cast<double>(static_cast<float>(x)), true)) {}
  explicit Byte(__nv_bfloat16 x) : __x(encode(static_cast<double>(static_cast<float>(x)), true)) {}
  explicit operator float() const { return decode(__x); }
  explicit operator double() const { return static_cast<double>(decode(__x)); }
  explicit operator __half() const { return __half(decode(__x)); }
};
}  // namespace bench_sim
typedef bench_sim::Byte<4, -6, 0x7e, false> __nv_fp8_e4m3;
typedef bench_sim::Byte<3, -14, 0x7b, true> __nv_fp8_e5m2;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturates, __nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? __nv_fp8_e4m3::encode(x, saturates == __NV_SATFINITE) : __nv_fp8_e5m2::encode(x, saturates == __NV_SATFINITE);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturates, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double_to_fp8(static_cast<double>(x), saturates, kind);
}
inline __half __nv_cvt_fp8_to_half(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(kind == __NV_E4M3 ? __nv_fp8_e4m3::decode(x) : __nv_fp8_e5m2::decode(x));
}
