// Kernels that work on rows: softmax, a product that leaves out rows by a flag, prefix sums, and what is positive.
#define KERNEL extern "C" __global__ void
KERNEL softmax(float *y, const float *x, int n) {
    int lane = threadIdx.x, row = blockIdx.x;
    float u = expf(x[row * 64 + lane]), v = expf(x[row * 64 + 32 + lane]), sum = u + v;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
    y[row * 64 + lane] = u / sum;
    y[row * 64 + 32 + lane] = v / sum;
}
KERNEL softmax_thread(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float most = x[row * 64], sum = 0;
    for (int j = 1; j < 64; j++)
        most = fmaxf(most, x[row * 64 + j]);
    for (int j = 0; j < 64; j++)
        sum += expf(x[row * 64 + j] - most);
    for (int j = 0; j < 64; j++)
        y[row * 64 + j] = expf(x[row * 64 + j] - most) / sum;
}
// It skips work by what its input says in this run, as sparse kernels do.
KERNEL rows(float *y, const float *a, const float *x, const int *empty, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = 0;
    if (!empty[i])
        for (int j = 0; j < n; j++)
            v += a[i * n + j] * x[j];
    y[i] = v;
}
KERNEL rows_warp(float *y, const float *a, const float *x, const int *empty, int n) {
    int i = blockIdx.x;
    if (empty[i]) {
        if (threadIdx.x == 0)
            y[i] = 0;
        return;
    }
    float v = 0;
    for (int j = threadIdx.x; j < n; j += 32)
        v += a[i * n + j] * x[j];
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0)
        y[i] = v;
}
KERNEL prefix(float *y, const float *x, int n) {
    __shared__ float row[2][128];
    int t = threadIdx.x, now = 0;
    row[0][t] = x[blockIdx.x * 128 + t];
    for (int d = 1; d < 128; d *= 2) {
        __syncthreads();
        row[1 - now][t] = row[now][t] + (t >= d ? row[now][t - d] : 0);
        now = 1 - now;
    }
    y[blockIdx.x * 128 + t] = row[now][t];
}
KERNEL prefix_serial(float *y, const float *x, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float v = 0;
    for (int j = 0; j < 128; j++)
        y[row * 128 + j] = v += x[row * 128 + j];
}
// Places differ from run to run: the answer is compared sorted.
KERNEL nothing(float *y, int *count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        count[0] = 0;
    if (i < n)
        y[i] = 0;
}
KERNEL positive(float *y, int *count, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0)
        y[atomicAdd(count, 1)] = x[i];
}
