// gpu_clock.cl: what the timer of a device of OpenCL runs beside the measured work.

// Computes for so many steps, each of which needs the one before.
__kernel void pass_steps(__global uint *out, uint steps)
{
    uint x = steps;
    for (uint i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u + i;
    if (get_global_id(0) == 0)
        out[0] = x;
}

// Reads n elements, all 0, into the caches, which then hold them and nothing else: every line is clean. The store
// never happens.
__kernel void read_lines(__global uint4 *data, ulong n)
{
    const ulong stride = get_global_size(0);
    uint any = 0;
    for (ulong i = get_global_id(0); i < n; i += stride) {
        const uint4 x = data[i];
        any |= x.x | x.y | x.z | x.w;
    }
    if (any != 0)
        data[0].x = any;
}

// Exchanges the two words of each of n pairs, or not, by chance; all if seed is 0.
__kernel void exchange_words(__global uint2 *data, ulong n, ulong seed)
{
    const ulong stride = get_global_size(0);
    for (ulong i = get_global_id(0); i < n; i += stride) {
        ulong x = (seed ^ i) * 0x9e3779b97f4a7c15UL;
        x = (x ^ x >> 32) * 0xd6e8feb86659fd93UL;
        if (x >> 63 || seed == 0)
            data[i] = data[i].yx;
    }
}
