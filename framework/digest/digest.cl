// digest.cl: a digest of an array on the device (digest.go), as digest.cu makes it.

static ulong mixed(ulong x)
{
    x += 0x9e3779b97f4a7c15UL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return x ^ x >> 31;
}

// OpenCL C 1.2 has no addition of 64 bits without an extension: the low half's carry is added to the high half.
// sum is little-endian.
static void add(volatile __global uint *sum, ulong x)
{
    const uint low = (uint)x, before = atomic_add(sum, low);
    atomic_add(sum + 1, (uint)(x >> 32) + (before + low < before ? 1 : 0));
}

__kernel void digest(__global const uint *data, ulong bytes, volatile __global uint *sum)
{
    __local ulong part[THREADS];
    const ulong threads = (ulong)get_num_groups(0) * THREADS, words = bytes / 4;
    const uint me = get_local_id(0);
    ulong own = 0;
    for (ulong i = (ulong)get_group_id(0) * THREADS + me; i < words; i += threads)
        own += mixed(i << 32 | data[i]);
    if (bytes % 4 && get_global_id(0) == 0) {
        __global const uchar *rest = (__global const uchar *)(data + words);
        uint last = 0;
        for (uint i = 0; i < bytes % 4; i++)
            last |= (uint)rest[i] << 8 * i;
        own += mixed(words << 32 | last);
    }
    part[me] = own;
    for (uint step = THREADS / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < step)
            part[me] += part[me + step];
    }
    if (me == 0)
        add(sum, part[0]);
}
