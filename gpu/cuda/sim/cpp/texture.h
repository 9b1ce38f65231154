// Textures and surfaces: an object is the address of a Texels. Texels are read and written as memory is, with its checks.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace bench_sim {

// An array with a sampler, as package sim lays it out.
struct Texels {
  unsigned char* data;
  int width, height, depth, layers;  // 0 for what it has not
  unsigned char kind, bytes, channels, linear, normalized, fraction, fetched;
  unsigned char address[3];
};
enum TexelKind { TEXEL_UNSIGNED, TEXEL_SIGNED, TEXEL_FLOAT };
enum Address { ADDRESS_WRAP, ADDRESS_CLAMP, ADDRESS_MIRROR, ADDRESS_BORDER };

BENCH_SIM_QUIET inline Texels texels(unsigned long long object, Place at) {
  if (!object) bench_sim_fail("reads a texture or a surface that is 0", at);
  return *reinterpret_cast<const Texels*>(object);
}

// The numbers that a type consists of.
template <class T> struct Channels { typedef T part; enum { number = 1 }; };
#define BENCH_SIM_CHANNELS(T, name)                                         \
  template <> struct Channels<name##1> { typedef T part; enum { number = 1 }; }; \
  template <> struct Channels<name##2> { typedef T part; enum { number = 2 }; }; \
  template <> struct Channels<name##3> { typedef T part; enum { number = 3 }; }; \
  template <> struct Channels<name##4> { typedef T part; enum { number = 4 }; };
BENCH_SIM_CHANNELS(signed char, char) BENCH_SIM_CHANNELS(unsigned char, uchar) BENCH_SIM_CHANNELS(short, short) BENCH_SIM_CHANNELS(unsigned short, ushort)
BENCH_SIM_CHANNELS(int, int) BENCH_SIM_CHANNELS(unsigned, uint) BENCH_SIM_CHANNELS(float, float)
#undef BENCH_SIM_CHANNELS
template <class P> struct IsFloat { static constexpr bool value = false; };
template <> struct IsFloat<float> { static constexpr bool value = true; };

template <class N> inline float fraction_of(N v, float most) {
  const float x = static_cast<float>(v) / most;
  return x < -1 ? -1 : x;
}
inline float half_value(unsigned short bits) {
  const int sign = bits >> 15, exponent = bits >> 10 & 31, rest = bits & 1023;
  const float size = exponent == 31 ? (rest ? __builtin_nanf("") : __builtin_inff()) : exponent ? ldexpf(static_cast<float>(1024 + rest), exponent - 25) : ldexpf(static_cast<float>(rest), -24);
  return sign ? -size : size;
}

template <class P>
inline P number_at(const Texels& t, const unsigned char* p, Place at) {
  if constexpr (IsFloat<P>::value) {
    if (t.kind == TEXEL_FLOAT) return t.bytes == 4 ? *reinterpret_cast<const float*>(p) : half_value(*reinterpret_cast<const unsigned short*>(p));
    if (!t.fraction) bench_sim_fail("reads a texture of whole numbers as floats: want \"read\": \"normalized\" in the config", at);
    if (t.kind == TEXEL_UNSIGNED) return t.bytes == 1 ? fraction_of(*p, 255) : fraction_of(*reinterpret_cast<const unsigned short*>(p), 65535);
    return t.bytes == 1 ? fraction_of(*reinterpret_cast<const signed char*>(p), 127) : fraction_of(*reinterpret_cast<const short*>(p), 32767);
  } else {
    if (t.kind == TEXEL_FLOAT || t.fraction) bench_sim_fail("reads a texture of floats as whole numbers", at);
    if (t.kind == TEXEL_UNSIGNED) return static_cast<P>(t.bytes == 1 ? *p : t.bytes == 2 ? *reinterpret_cast<const unsigned short*>(p) : *reinterpret_cast<const unsigned*>(p));
    return static_cast<P>(t.bytes == 1 ? *reinterpret_cast<const signed char*>(p) : t.bytes == 2 ? *reinterpret_cast<const short*>(p) : *reinterpret_cast<const int*>(p));
  }
}

// The texel that stands at i in a row of n, or -1 for none.
inline int place_of(const Texels& t, int dimension, int i, int n) {
  const int how = t.address[dimension];
  if (static_cast<unsigned>(i) < static_cast<unsigned>(n)) return i;
  if (how == ADDRESS_BORDER) return -1;
  if (how == ADDRESS_CLAMP || !t.normalized) return i < 0 ? 0 : n - 1;
  const int period = how == ADDRESS_WRAP ? n : 2 * n, at = (i % period + period) % period;
  return at < n ? at : period - 1 - at;
}

// Where a coordinate lies: at texel i, and by how much beyond its middle. Weights have 8 bits (CUDA C++ Programming Guide,
// "Linear Filtering").
struct Position { int i; float weight; };
inline Position position(const Texels& t, float x, int n) {
  if (t.normalized) x *= static_cast<float>(n);
  if (x != x) x = 0;
  x = x < -1e9f ? -1e9f : x > 1e9f ? 1e9f : x;
  if (!t.linear) return {static_cast<int>(floorf(x)), 0};
  x -= 0.5f;
  const float whole = floorf(x);
  return {static_cast<int>(whole), floorf((x - whole) * 256 + 0.5f) / 256};
}

template <class T>
inline void add_texel(const Texels& t, typename Channels<T>::part* sum, float weight, int x, int y, int z, int layer, Place at) {
  typedef typename Channels<T>::part P;
  x = place_of(t, 0, x, t.width);
  y = t.height ? place_of(t, 1, y, t.height) : 0;
  z = t.depth ? place_of(t, 2, z, t.depth) : 0;
  if (x < 0 || y < 0 || z < 0) return;
  const unsigned char* p = t.data + ((static_cast<size_t>(t.layers ? layer : z) * static_cast<size_t>(t.height ? t.height : 1) + static_cast<size_t>(y)) * static_cast<size_t>(t.width) + static_cast<size_t>(x)) * t.channels * t.bytes;
  for (int c = 0; c < Channels<T>::number && c < t.channels; c++) {
    const P v = number_at<P>(t, p + c * t.bytes, at);
    if constexpr (IsFloat<P>::value) sum[c] += weight == 1 ? v : weight * v;
    else sum[c] = v;
  }
}

template <class T>
inline T sampled(cudaTextureObject_t object, int dimensions, bool layered, float x, float y, float z, int layer, Place at) {
  typedef typename Channels<T>::part P;
  const Texels t = texels(object, at);
  const int has = t.depth ? 3 : t.height ? 2 : 1;
  if (t.fetched) bench_sim_fail("reads linear memory, which is for tex1Dfetch: want an address or a filter in the config, which make an array", at);
  if (has != dimensions || (t.layers > 0) != layered) bench_sim_fail("reads a texture of other dimensions", at);
  if (t.linear && !IsFloat<P>::value) bench_sim_fail("reads whole numbers with linear filtering, which is for floats", at);
  P sum[4] = {};
  layer = layer < 0 ? 0 : layer >= t.layers ? t.layers - 1 : layer;
  const Position px = position(t, x, t.width), py = position(t, y, t.height), pz = position(t, z, t.depth);
  // Of two dimensions the weight of the texel that is farther in both has 8 bits, and the others follow from it, as on an H200. Of
  // three it is not known.
  const float wx = px.weight, wy = has < 2 ? 0 : py.weight, both = floorf(wx * wy * 256 + 0.5f) / 256;
  const float plane[2][2] = {{1 - wx - wy + both, wx - both}, {wy - both, both}};
  for (int k = 0; k <= (t.linear && has > 2); k++)
    for (int j = 0; j <= (t.linear && has > 1); j++)
      for (int i = 0; i <= t.linear; i++) {
        const float weight = plane[j][i] * (has < 3 ? 1 : k ? pz.weight : 1 - pz.weight);
        if (weight != 0) add_texel<T>(t, sum, weight, px.i + i, py.i + j, pz.i + k, layer, at);
      }
  T made;
  __builtin_memcpy(&made, sum, sizeof made);
  return made;
}

template <class T>
inline T fetched(cudaTextureObject_t object, int i, Place at) {
  const Texels t = texels(object, at);
  if (!t.fetched) bench_sim_fail("fetches from an array; tex1Dfetch reads linear memory, a texture of one dimension without address, filter and normalized", at);
  typename Channels<T>::part parts[4] = {};
  if (static_cast<unsigned>(i) < static_cast<unsigned>(t.width)) add_texel<T>(t, parts, 1, i, 0, 0, 0, at);
  T made;
  __builtin_memcpy(&made, parts, sizeof made);
  return made;
}

template <class T>
inline T gathered(cudaTextureObject_t object, float x, float y, int component, Place at) {
  typedef typename Channels<T>::part P;
  Texels t = texels(object, at);
  if (t.height == 0 || t.depth || t.layers || component >= t.channels) bench_sim_fail("gathers from a texture of other dimensions", at);
  t.linear = 1;
  const Position px = position(t, x, t.width), py = position(t, y, t.height);
  P found[4] = {};
  for (int n = 0; n < 4; n++) {
    P all[4] = {};
    add_texel<T>(t, all, 1, px.i + (n == 1 || n == 2), py.i + (n < 2), 0, 0, at);
    found[n] = all[component];
  }
  T made;
  __builtin_memcpy(&made, found, sizeof made);
  return made;
}

// The bytes of a surface from x on, or null where they are read as zeros. x counts bytes.
inline unsigned char* surface_at(cudaSurfaceObject_t object, int dimensions, bool layered, int x, int y, int z, int bytes, cudaSurfaceBoundaryMode mode, Place at) {
  const Texels t = texels(object, at);
  const int has = t.depth ? 3 : t.height ? 2 : 1, width = t.width * t.channels * t.bytes;
  if (has != dimensions || (t.layers > 0) != layered) bench_sim_fail("uses a surface of other dimensions", at);
  const int height = t.height ? t.height : 1, depth = layered ? t.layers : t.depth ? t.depth : 1;
  if (x % bytes) bench_sim_fail("uses a surface at bytes that are no multiple of its type; x counts bytes", at);
  if (x < 0 || x + bytes > width || y < 0 || y >= height || z < 0 || z >= depth) {
    if (mode == cudaBoundaryModeTrap) bench_sim_fail("reads or writes outside of a surface", at);
    if (mode == cudaBoundaryModeZero) return nullptr;
    x = x < 0 ? 0 : x + bytes > width ? width - bytes : x;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
  }
  return t.data + (static_cast<size_t>(z) * static_cast<size_t>(height) + static_cast<size_t>(y)) * static_cast<size_t>(width) + x;
}
template <class T>
inline T surface_read(cudaSurfaceObject_t object, int dimensions, bool layered, int x, int y, int z, cudaSurfaceBoundaryMode mode, Place at) {
  const unsigned char* p = surface_at(object, dimensions, layered, x, y, z, sizeof(T), mode, at);
  if (!p) return T{};
  return *reinterpret_cast<const T*>(p);
}
template <class T>
inline void surface_write(T v, cudaSurfaceObject_t object, int dimensions, bool layered, int x, int y, int z, cudaSurfaceBoundaryMode mode, Place at) {
  unsigned char* p = surface_at(object, dimensions, layered, x, y, z, sizeof(T), mode, at);
  if (p) *reinterpret_cast<T*>(p) = v;
}

}  // namespace bench_sim

#define BENCH_SIM_HERE bench_sim::Place at = bench_sim::here()
// The result has the type of the template's argument, or goes to where a pointer points.
#define BENCH_SIM_READS(name, coordinates, ...)                                                                                 \
  template <class T> inline T name(cudaTextureObject_t o, BENCH_SIM_UNWRAP coordinates, BENCH_SIM_HERE) { return __VA_ARGS__; } \
  template <class T> inline void name(T* to, cudaTextureObject_t o, BENCH_SIM_UNWRAP coordinates, BENCH_SIM_HERE) { *to = __VA_ARGS__; }
#define BENCH_SIM_UNWRAP(...) __VA_ARGS__
BENCH_SIM_READS(tex1Dfetch, (int x), bench_sim::fetched<T>(o, x, at))
BENCH_SIM_READS(tex1D, (float x), bench_sim::sampled<T>(o, 1, false, x, 0, 0, 0, at))
BENCH_SIM_READS(tex2D, (float x, float y), bench_sim::sampled<T>(o, 2, false, x, y, 0, 0, at))
BENCH_SIM_READS(tex3D, (float x, float y, float z), bench_sim::sampled<T>(o, 3, false, x, y, z, 0, at))
BENCH_SIM_READS(tex1DLayered, (float x, int layer), bench_sim::sampled<T>(o, 1, true, x, 0, 0, layer, at))
BENCH_SIM_READS(tex2DLayered, (float x, float y, int layer), bench_sim::sampled<T>(o, 2, true, x, y, 0, layer, at))
BENCH_SIM_READS(tex1DLod, (float x, float), bench_sim::sampled<T>(o, 1, false, x, 0, 0, 0, at))
BENCH_SIM_READS(tex2DLod, (float x, float y, float), bench_sim::sampled<T>(o, 2, false, x, y, 0, 0, at))
BENCH_SIM_READS(tex3DLod, (float x, float y, float z, float), bench_sim::sampled<T>(o, 3, false, x, y, z, 0, at))
template <class T> inline T tex2Dgather(cudaTextureObject_t o, float x, float y, int component = 0, BENCH_SIM_HERE) { return bench_sim::gathered<T>(o, x, y, component, at); }
template <class T> inline T texCubemap(cudaTextureObject_t, float, float, float, BENCH_SIM_HERE) { bench_sim_fail("the simulator has no cubemaps", at); }
#undef BENCH_SIM_READS

#define BENCH_SIM_SURFACE(name, coordinates, dimensions, layered, x, y, z)                                                                                                       \
  template <class T> inline T name##read(cudaSurfaceObject_t o, BENCH_SIM_UNWRAP coordinates, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, BENCH_SIM_HERE) {              \
    return bench_sim::surface_read<T>(o, dimensions, layered, x, y, z, mode, at);                                                                                                \
  }                                                                                                                                                                              \
  template <class T> inline void name##read(T* to, cudaSurfaceObject_t o, BENCH_SIM_UNWRAP coordinates, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, BENCH_SIM_HERE) {    \
    *to = bench_sim::surface_read<T>(o, dimensions, layered, x, y, z, mode, at);                                                                                                 \
  }                                                                                                                                                                              \
  template <class T> inline void name##write(T v, cudaSurfaceObject_t o, BENCH_SIM_UNWRAP coordinates, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, BENCH_SIM_HERE) {     \
    bench_sim::surface_write(v, o, dimensions, layered, x, y, z, mode, at);                                                                                                      \
  }
BENCH_SIM_SURFACE(surf1D, (int x), 1, false, x, 0, 0)
BENCH_SIM_SURFACE(surf2D, (int x, int y), 2, false, x, y, 0)
BENCH_SIM_SURFACE(surf3D, (int x, int y, int z), 3, false, x, y, z)
BENCH_SIM_SURFACE(surf1DLayered, (int x, int layer), 1, true, x, 0, layer)
BENCH_SIM_SURFACE(surf2DLayered, (int x, int y, int layer), 2, true, x, y, layer)
#undef BENCH_SIM_SURFACE
#undef BENCH_SIM_UNWRAP
#undef BENCH_SIM_HERE
