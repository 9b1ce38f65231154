// B = the mean of the 26 neighbours of a point of A, border left out: a thread a
// point, in double precision. The 27-point stencil of the EPCC OpenACC benchmark
// suite (Johnson, 2013).

extern "C" __global__ void stencil27(const double *A, double *B, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = blockIdx.z + 1;
    if (j >= n - 1 || k >= n - 1)
        return;
    long long row = n, plane = row * n;
    const double *a = A + i * plane + j * row + k;
    double sum = 0;
#pragma unroll
    for (int z = -1; z <= 1; z++)
#pragma unroll
        for (int y = -1; y <= 1; y++)
#pragma unroll
            for (int x = -1; x <= 1; x++)
                if (x != 0 || y != 0 || z != 0)
                    sum += a[z * plane + y * row + x];
    B[i * plane + j * row + k] = sum * (1.0 / 26);
}
