// Bfloat16: what cuda_bf16.h gives a kernel.
#pragma once
#include "half.h"

typedef bench_sim::Short<8, -126> __nv_bfloat16;
typedef bench_sim::Short2<8, -126> __nv_bfloat162;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
BENCH_SIM_SHORT_NAMES(__nv_bfloat16, bfloat16, halves)
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
using bench_sim::atomicAdd;
