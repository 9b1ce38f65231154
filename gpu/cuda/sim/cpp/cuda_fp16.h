// Half precision: what cuda_fp16.h gives a kernel.
#pragma once
#include "half.h"

typedef bench_sim::Short<11, -14> __half;
typedef bench_sim::Short2<11, -14> __half2;
typedef __half half;
typedef __half2 half2;
BENCH_SIM_SHORT_NAMES(__half, half, halves)
inline __half2 make_half2(__half x, __half y) { return {x, y}; }
using bench_sim::atomicAdd;
