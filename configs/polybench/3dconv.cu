// B = A convolved with a fixed mask of 15 products on 11 points, border left out:
// a thread a point. PolyBench/GPU, 3DCONV, whose mask uses the point (-1, -1, -1)
// three times; there each plane i is a launch of its own, here all planes are one
// launch.

extern "C" __global__ void conv3d(const float *A, float *B, int n) {
    int k = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = blockIdx.z + 1;
    if (j >= n - 1 || k >= n - 1)
        return;
    long long row = n, plane = row * n;
    const float *a = A + i * plane + j * row + k;
    B[i * plane + j * row + k] =
        2 * a[-plane - row - 1] + 4 * a[plane - row - 1] + 5 * a[-plane - row - 1] + 7 * a[plane - row - 1]
        - 8 * a[-plane - row - 1] + 10 * a[plane - row - 1]
        - 3 * a[-row] + 6 * a[0] - 9 * a[row]
        + 2 * a[-plane - row + 1] + 4 * a[plane - row + 1] + 5 * a[-plane + 1] + 7 * a[plane + 1]
        - 8 * a[-plane + row + 1] + 10 * a[plane + row + 1];
}
