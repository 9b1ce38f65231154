// Kernels that only read, only write, or copy n elements of 16 bytes.

extern "C" __global__ void read(const int4 *source, int4 *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int4 x = source[i];
    if ((x.x & x.y & x.z & x.w) == 0x12345678) // hardly ever: so that it is read
        target[i] = x;
}

extern "C" __global__ void write(const int4 *source, int4 *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        target[i] = make_int4(i, i, i, i);
}

extern "C" __global__ void copy(const int4 *source, int4 *target, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        target[i] = source[i];
}
