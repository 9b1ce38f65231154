// A block of 32 x 8 threads transposes a tile of 32 x 32 elements.
extern "C" __global__ void transpose(const float *in, float *out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int row = 0; row < 32; row += 8) {
        int y = blockIdx.y * 32 + threadIdx.y + row;
        if (x < n && y < n)
            out[(size_t)x * n + y] = in[(size_t)y * n + x];
    }
}
