// Textures and surfaces: kernels that name them are compiled, and fail where they read or write one.
#pragma once

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

namespace bench_sim {
template <class T>
inline T no_texture(Place at) { bench_sim_fail("the simulator has no textures and surfaces", at); }
}  // namespace bench_sim

// The result has the type of the template's argument, or the place that a pointer names.
#define BENCH_SIM_READS(name, object, ...)                                                                                              \
  template <class T> inline T name(object, __VA_ARGS__, bench_sim::Place at = bench_sim::here()) { return bench_sim::no_texture<T>(at); } \
  template <class T> inline void name(T*, object, __VA_ARGS__, bench_sim::Place at = bench_sim::here()) { bench_sim::no_texture<int>(at); }
#define BENCH_SIM_WRITES(name, ...)                                                                                                      \
  template <class T> inline void name(T, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap, bench_sim::Place at = bench_sim::here()) { \
    bench_sim::no_texture<int>(at);                                                                                                      \
  }
BENCH_SIM_READS(tex1Dfetch, cudaTextureObject_t, int) BENCH_SIM_READS(tex1D, cudaTextureObject_t, float) BENCH_SIM_READS(tex2D, cudaTextureObject_t, float, float)
BENCH_SIM_READS(tex3D, cudaTextureObject_t, float, float, float) BENCH_SIM_READS(tex1DLayered, cudaTextureObject_t, float, int)
BENCH_SIM_READS(tex2DLayered, cudaTextureObject_t, float, float, int) BENCH_SIM_READS(texCubemap, cudaTextureObject_t, float, float, float)
BENCH_SIM_READS(tex2Dgather, cudaTextureObject_t, float, float, int) BENCH_SIM_READS(tex2DLod, cudaTextureObject_t, float, float, float)
BENCH_SIM_READS(surf1Dread, cudaSurfaceObject_t, int) BENCH_SIM_READS(surf2Dread, cudaSurfaceObject_t, int, int) BENCH_SIM_READS(surf3Dread, cudaSurfaceObject_t, int, int, int)
BENCH_SIM_WRITES(surf1Dwrite, int) BENCH_SIM_WRITES(surf2Dwrite, int, int) BENCH_SIM_WRITES(surf3Dwrite, int, int, int)
#undef BENCH_SIM_READS
#undef BENCH_SIM_WRITES
