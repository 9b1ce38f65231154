// Texture references, which CUDA has no more: a reference is a variable that holds a texture object, which a config's
// constants fill. It has the name bench_texture, as NVRTC 11 has templates of the old one.
#pragma once
template <class T, int dimensions, int normalized> struct bench_texture { unsigned long long object; };
template <class T, int normalized> struct bench_texel { typedef T type; };
#define BENCH_TEXEL(T, F) template <> struct bench_texel<T, 1> { typedef F type; };
BENCH_TEXEL(unsigned char, float) BENCH_TEXEL(signed char, float) BENCH_TEXEL(unsigned short, float) BENCH_TEXEL(short, float)
BENCH_TEXEL(uchar1, float1) BENCH_TEXEL(char1, float1) BENCH_TEXEL(ushort1, float1) BENCH_TEXEL(short1, float1)
BENCH_TEXEL(uchar2, float2) BENCH_TEXEL(char2, float2) BENCH_TEXEL(ushort2, float2) BENCH_TEXEL(short2, float2)
BENCH_TEXEL(uchar4, float4) BENCH_TEXEL(char4, float4) BENCH_TEXEL(ushort4, float4) BENCH_TEXEL(short4, float4)
#undef BENCH_TEXEL
#define BENCH_FETCH(name, coordinates, ...)                                                                         \
  template <class T, int d, int n> __device__ inline typename bench_texel<T, n>::type name(bench_texture<T, d, n> t, BENCH_LIST coordinates) { \
    return name<typename bench_texel<T, n>::type>(t.object, __VA_ARGS__);                                           \
  }
#define BENCH_LIST(...) __VA_ARGS__
BENCH_FETCH(tex1Dfetch, (int x), x)
BENCH_FETCH(tex1D, (float x), x)
BENCH_FETCH(tex2D, (float x, float y), x, y)
BENCH_FETCH(tex3D, (float x, float y, float z), x, y, z)
BENCH_FETCH(tex1DLayered, (float x, int layer), x, layer)
BENCH_FETCH(tex2DLayered, (float x, float y, int layer), x, y, layer)
#undef BENCH_FETCH
#undef BENCH_LIST
