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

// What is read and written again and again is volatile: drivers then do it each time, and NVIDIA's and AMD's pass over first-level caches.
// Stores that depend on told never happen, but keep the result alive.

// Each work-item reads 4 · rounds of the mask + 1 places (a power of two), each group's from a place of its own.
__kernel void read_cache(__global float4 *out, __global const volatile float4 *in, uint mask, uint rounds, float told)
{
    const uint width = get_local_size(0);
    uint at = get_group_id(0) * width * 7 + get_local_id(0);
    float4 sum = 0;
    for (uint r = 0; r < rounds; r++, at += 4 * width) {
        sum += in[at & mask];
        sum += in[(at + width) & mask];
        sum += in[(at + 2 * width) & mask];
        sum += in[(at + 3 * width) & mask];
    }
    if (sum.x + sum.y + sum.z + sum.w == told)
        out[get_local_id(0)] = sum;
}

__kernel void write_cache(__global volatile float4 *to, uint mask, uint rounds)
{
    const uint width = get_local_size(0), at = get_group_id(0) * width * 4 + get_local_id(0);
    const float4 value = (float4)(rounds);
    for (uint r = 0; r < rounds; r++) {
        to[at & mask] = value;
        to[(at + width) & mask] = value;
        to[(at + 2 * width) & mask] = value;
        to[(at + 3 * width) & mask] = value;
    }
}

// One work-item loads words, each when it has the one before; zero is 0, which the compiler does not know. mask is a number of
// words less 1.
__kernel void chase(__global uint *out, __global const volatile uint *in, uint mask, uint stride, uint steps, uint zero)
{
    uint at = 0;
    for (uint i = 0; i < steps; i++)
        at = (at + stride + (in[at] & zero)) & mask;
    *out = at;
}

#define TILE 256
__kernel void read_local(__global float4 *out, uint rounds, float told)
{
    __local volatile float4 tile[TILE];
    for (uint i = get_local_id(0); i < TILE; i += get_local_size(0))
        tile[i] = (float4)(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 sum = 0;
    for (uint r = 0, at = get_local_id(0); r < rounds; r++, at += 32) {
        sum += tile[at % TILE];
        sum += tile[(at + 64) % TILE];
        sum += tile[(at + 128) % TILE];
        sum += tile[(at + 192) % TILE];
    }
    if (sum.x + sum.y + sum.z + sum.w == told)
        out[get_local_id(0)] = sum;
}

__kernel void chase_local(__global uint *out, uint steps, uint zero)
{
    __local volatile uint tile[TILE];
    for (uint i = 0; i < TILE; i++)
        tile[i] = i;
    uint at = 0;
    for (uint i = 0; i < steps; i++)
        at = (at + 33 + (tile[at] & zero)) % TILE;
    *out = at;
}

__kernel void empty() {}
