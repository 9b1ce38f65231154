// portable.h: what one kernel text needs to be CUDA C++ and OpenCL C 1.2, mostly CUDA's words for OpenCL. A text that includes it
// keeps to C99, names the address space of each pointer (GLOBAL, LOCAL), and has no dynamic shared memory but
// DYNAMIC, after the kernel's other parameters, and DYNAMIC_AS.
#pragma once

#ifdef __OPENCL_VERSION__
#define KERNEL(X, Y, Z) __kernel __attribute__((reqd_work_group_size(X, Y, Z))) void
#define FUNCTION static
#define REFERENCE(TYPE) TYPE
#define GLOBAL __global
#define LOCAL __local
#define SHARED __local
#define DYNAMIC(TYPE, NAME) , __local TYPE *NAME
#define DYNAMIC_AS(TYPE, NAME)
#define __restrict__ restrict
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define threadIdx ((int3)((int)get_local_id(0), (int)get_local_id(1), (int)get_local_id(2)))
#define blockIdx ((uint3)((uint)get_group_id(0), (uint)get_group_id(1), (uint)get_group_id(2)))
#define gridDim ((uint3)((uint)get_num_groups(0), (uint)get_num_groups(1), (uint)get_num_groups(2)))
#define fmaf fma
#define fabsf fabs
#define copysignf copysign
#define rsqrtf rsqrt
#define __float_as_uint as_uint
#define __uint_as_float as_float
typedef long Long;
typedef ulong Word;
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#else
#define KERNEL(X, Y, Z) extern "C" __global__ void __launch_bounds__((X) * (Y) * (Z))
#define FUNCTION __device__ __forceinline__
#define REFERENCE(TYPE) const TYPE&
#define GLOBAL
#define LOCAL
#define SHARED __shared__
#define DYNAMIC(TYPE, NAME)
#define DYNAMIC_AS(TYPE, NAME) extern __shared__ TYPE NAME[]
typedef long long Long;
typedef unsigned long long Word;
#endif
