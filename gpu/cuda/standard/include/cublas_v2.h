// <cublas_v2.h>: the types of data that cuBLAS's headers include, where they are. The library's calls are a host's.
#pragma once
#if __has_include(<cuComplex.h>)
#include <cuComplex.h>
#endif
#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
