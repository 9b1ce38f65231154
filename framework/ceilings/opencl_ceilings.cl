// opencl_ceilings.cl: what a device of OpenCL can do at most.

__kernel void copy(__global const float4 *from, __global float4 *to, ulong n)
{
    const ulong stride = get_global_size(0);
    for (ulong i = get_global_id(0); i < n; i += stride)
        to[i] = from[i];
}

// Eight chains of multiply-adds, which end at b / (1 - a), of numbers or of vectors of eight: some devices, CPUs among
// them, compute with vectors alone.
#define CHAINS(name, type, number)                                                                \
    __kernel void name(__global type *out, uint turns, number a, number b)                \
    {                                                                                     \
        type x0 = (type)((number)get_local_id(0)), x1 = x0 + 1, x2 = x0 + 2, x3 = x0 + 3;                 \
        type x4 = x0 + 4, x5 = x0 + 5, x6 = x0 + 6, x7 = x0 + 7;                          \
        for (uint i = 0; i < turns; i++) {                                                \
            x0 = mad(x0, (type)a, (type)b), x1 = mad(x1, (type)a, (type)b);               \
            x2 = mad(x2, (type)a, (type)b), x3 = mad(x3, (type)a, (type)b);               \
            x4 = mad(x4, (type)a, (type)b), x5 = mad(x5, (type)a, (type)b);               \
            x6 = mad(x6, (type)a, (type)b), x7 = mad(x7, (type)a, (type)b);               \
        }                                                                                 \
        out[get_local_id(0)] = x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7;                    \
    }

CHAINS(fma32, float, float)
CHAINS(fma32x8, float8, float)
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
CHAINS(fma64, double, double)
CHAINS(fma64x8, double8, double)
#endif
