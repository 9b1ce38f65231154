// The words of the kernels for CUDA.
#define KERNEL extern "C" __global__
#define GLOBAL
#define LOCAL __shared__
#define GROUP blockIdx.x
#define ITEM threadIdx.x
#define GROUPS gridDim.x
#define SIZE blockDim.x
#define BARRIER __syncthreads()
#define RSQRT(x) rsqrtf(x)
#define FMA(a, b, c) fmaf(a, b, c)
typedef unsigned int uint;
