// Element-wise kernels, copies in another order, and stencils.
#define KERNEL extern "C" __global__ void
#define ONE(i) int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
KERNEL naive(float *b, const float *a, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n)
        b[x * n + y] = a[y * n + x];
}
template <int PAD> __device__ inline void turned(float *b, const float *a, int n) {
    __shared__ float tile[16][16 + PAD];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n)
        b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
KERNEL tiled(float *b, const float *a, int n) { turned<0>(b, a, n); }
KERNEL padded(float *b, const float *a, int n) { turned<1>(b, a, n); }
KERNEL swizzled(float *b, const float *a, int n) {
    __shared__ float tile[256];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    if (x < n && y < n)
        tile[ty * 16 + (tx ^ ty)] = a[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + tx, y = blockIdx.x * 16 + ty;
    if (x < n && y < n)
        b[y * n + x] = tile[tx * 16 + (tx ^ ty)];
}
KERNEL saxpy(float *y, const float *x, float a, int n) {
    ONE(i);
    y[i] += a * x[i];
}
KERNEL saxpy_stride(float *y, const float *x, float a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] += a * x[i];
}
KERNEL saxpy_four(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * i + 3 < n) {
        float4 u = reinterpret_cast<float4 *>(y)[i], v = reinterpret_cast<const float4 *>(x)[i];
        u.x += a * v.x, u.y += a * v.y, u.z += a * v.z, u.w += a * v.w;
        reinterpret_cast<float4 *>(y)[i] = u;
    } else {
        for (int k = 4 * i; k < n; k++)
            y[k] += a * x[k];
    }
}
KERNEL wave(float *y, const float *x, int n) {
    ONE(i);
    y[i] = sinf(x[i]) * cosf(x[i]) + x[i];
}
KERNEL wave_together(float *y, const float *x, int n) {
    ONE(i);
    float s, c;
    sincosf(x[i], &s, &c);
    y[i] = s * c + x[i];
}
KERNEL wave_two(float *y, const float *x, int n) {
    for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x), k = 0; k < 2 && i + k < n; k++)
        y[i + k] = 0.5f * sinf(2 * x[i + k]) + x[i + k];
}
// Its only state is the order in which blocks take tiles, which it sets back.
__device__ unsigned next_tile, done_tiles;
KERNEL wave_queue(float *y, const float *x, int n) {
    __shared__ unsigned tile;
    if (threadIdx.x == 0)
        tile = atomicAdd(&next_tile, 1);
    __syncthreads();
    int i = tile * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = sinf(x[i]) * cosf(x[i]) + x[i];
    if (threadIdx.x == 0 && atomicAdd(&done_tiles, 1) == gridDim.x - 1) {
        atomicExch(&next_tile, 0);
        atomicExch(&done_tiles, 0);
    }
}
KERNEL sparse(float *y, const float *x, int n) {
    int i = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        y[i] = 2 * x[i];
}
KERNEL sparse_all(float *y, const float *x, int n) {
    ONE(i);
    if (i % 8 == 0)
        y[i] = x[i] + x[i];
}
KERNEL gather(float *y, const float *x, const int *from, int n) {
    ONE(i);
    y[i] = x[from[i] % n];
}
KERNEL gather_ldg(float *y, const float *x, const int *from, int n) {
    ONE(i);
    y[i] = __ldg(x + __ldg(from + i) % n);
}
KERNEL reverse(float *y, const float *x, int n) {
    ONE(i);
    y[n - 1 - i] = x[i];
}
KERNEL reverse_shared(float *y, const float *x, int n) {
    extern __shared__ float row[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        row[threadIdx.x] = x[i];
    __syncthreads();
    int k = n - 1 - (blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x);
    if (k >= 0 && k < n)
        y[k] = row[blockDim.x - 1 - threadIdx.x];
}
KERNEL stencil(float *y, const float *x, int n) {
    ONE(i);
    float v = 0;
    for (int k = -3; k <= 3; k++)
        if (i + k >= 0 && i + k < n)
            v += x[i + k] * (4 - abs(k)) / 16;
    y[i] = v;
}
KERNEL stencil_shared(float *y, const float *x, int n) {
    __shared__ float row[134];
    int first = blockIdx.x * 128 - 3;
    for (int k = threadIdx.x; k < 134; k += 128)
        row[k] = first + k >= 0 && first + k < n ? x[first + k] : 0;
    __syncthreads();
    float v = 0;
    for (int k = -3; k <= 3; k++)
        v += row[threadIdx.x + 3 + k] * (4 - abs(k)) / 16;
    if (first + 3 + threadIdx.x < n)
        y[first + 3 + threadIdx.x] = v;
}
// The second launch reads what the first one wrote to an output.
KERNEL squares(float *y, const float *x, int n) {
    ONE(i);
    y[i] = x[i] * x[i];
}
KERNEL mirrored(float *z, const float *y, int n) {
    ONE(i);
    z[i] = y[i] + y[n - 1 - i];
}
KERNEL bits(int *y, const int *x, int n) {
    ONE(i);
    y[i] = 2 * __popc(x[i]) + (x[i] & 1);
}
KERNEL bits_loop(int *y, const int *x, int n) {
    ONE(i);
    int v = x[i] & 1;
    for (unsigned rest = x[i]; rest; rest &= rest - 1)
        v += 2;
    y[i] = v;
}
KERNEL mandel(int *y, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    if (j >= n)
        return;
    double cx = -2 + 0.125 * (j % 24), cy = -1 + 0.125 * (i % 16), x = 0, v = 0;
    int k = 0;
    while (k < 20 && x * x + v * v < 4) {
        double t = x * x - v * v + cx;
        v = 2 * x * v + cy, x = t, k++;
    }
    y[i * n + j] = k;
}
KERNEL doubled(double *y, const double *x, int n) {
    ONE(i);
    y[i] = sqrt(x[i] * x[i] + 1);
}
KERNEL wide(long long *y, const long long *x, int n) {
    ONE(i);
    y[i] = x[i] * 1000003 + i;
}
// An input of zeros: the answer is what the fill of an output of zeros would be.
KERNEL zeros(float *y, const float *x, int n) {
    ONE(i);
    y[i] = 3 * x[i];
}
KERNEL one(float *y, const float *x) { y[0] = x[0] + 1; }
// A variable that the config fills before every run, and that the kernel changes.
__device__ int start;
KERNEL counted(int *y, int *calls, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = i + start;
    if (blockIdx.x > 0)
        return;
    __syncthreads();
    if (i == 0)
        calls[0] = ++start;
}
// No input at all: the same answer in every run.
KERNEL noise(unsigned *y, int n) {
    ONE(i);
    unsigned v = i * 747796405u + 2891336453u;
    v = ((v >> ((v >> 28) + 4)) ^ v) * 277803737u;
    y[i] = (v >> 22) ^ v;
}
// It reads its output, which is declared as in place: sums are added to what is there.
KERNEL added(float *y, const float *x, int n) {
    ONE(i);
    atomicAdd(&y[i % 32], x[i]);
}
KERNEL added_rows(float *y, const float *x, int n) {
    float v = y[threadIdx.x];
    for (int i = threadIdx.x; i < n; i += 32)
        v += x[i];
    y[threadIdx.x] = v;
}
