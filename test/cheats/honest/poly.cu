// Kernels of the kinds of PolyBench, one thread for each element of the answer or for each chain.
#define AT(a, i, j) a[(i) * n + (j)]
#define ONE(i) int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
#define TWO(i, j) int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y; if (i >= n || j >= n) return
#define KERNEL extern "C" __global__ void

KERNEL atax_rows(float *t, const float *a, const float *x, int n) {
    ONE(i);
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += AT(a, i, j) * x[j];
    t[i] = sum;
}
KERNEL atax_columns(float *y, const float *a, const float *t, int n) {
    ONE(j);
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += AT(a, i, j) * t[i];
    y[j] = sum;
}
KERNEL bicg(float *s, float *q, const float *a, const float *p, const float *r, int n) {
    ONE(i);
    float down = 0, across = 0;
    for (int j = 0; j < n; j++) {
        down += r[j] * AT(a, j, i);
        across += AT(a, i, j) * p[j];
    }
    s[i] = down, q[i] = across;
}
KERNEL gemver(float *a, const float *u, const float *v, const float *w, const float *z, int n) {
    TWO(i, j);
    AT(a, i, j) += u[i] * v[j] + w[i] * z[j];
}
KERNEL doitgen(float *b, const float *a, const float *c, int n) {
    int p = threadIdx.x, row = blockIdx.x;
    float t = 0;
    for (int s = 0; s < n; s++)
        t += a[row * n + s] * AT(c, s, p);
    b[row * n + p] = t;
}
KERNEL trmm(float *b, const float *a, const float *x, int n) {
    TWO(i, j);
    float t = AT(x, i, j);
    for (int k = i + 1; k < n; k++)
        t += AT(a, k, i) * AT(x, k, j);
    AT(b, i, j) = t;
}
KERNEL mean(float *m, const float *x, int n) {
    ONE(j);
    float t = 0;
    for (int i = 0; i < n; i++)
        t += AT(x, i, j);
    m[j] = t / n;
}
KERNEL deviation(float *d, const float *m, const float *x, int n) {
    ONE(j);
    float t = 0;
    for (int i = 0; i < n; i++)
        t += (AT(x, i, j) - m[j]) * (AT(x, i, j) - m[j]);
    d[j] = t / n > 1e-6f ? sqrtf(t / n) : 1;
}
KERNEL covariance(float *c, const float *m, const float *x, int n) {
    TWO(i, j);
    float t = 0;
    for (int k = 0; k < n; k++)
        t += (AT(x, k, i) - m[i]) * (AT(x, k, j) - m[j]);
    AT(c, i, j) = n > 1 ? t / (n - 1) : 0;
}
KERNEL correlation(float *c, const float *m, const float *d, const float *x, int n) {
    TWO(i, j);
    float t = 0;
    for (int k = 0; k < n; k++)
        t += (AT(x, k, i) - m[i]) * (AT(x, k, j) - m[j]);
    AT(c, i, j) = t / (n * d[i] * d[j]);
}
KERNEL jacobi1d(float *b, const float *a, int n) {
    ONE(i);
    b[i] = i == 0 || i == n - 1 ? a[i] : (a[i - 1] + a[i] + a[i + 1]) / 3;
}
KERNEL jacobi2d(float *b, const float *a, int n) {
    TWO(i, j);
    bool edge = i == 0 || j == 0 || i == n - 1 || j == n - 1;
    AT(b, i, j) = edge ? AT(a, i, j) : 0.2f * (AT(a, i, j) + AT(a, i, j - 1) + AT(a, i, j + 1) + AT(a, i + 1, j) + AT(a, i - 1, j));
}
// A wave front of points that depend on none of each other.
KERNEL seidel(float *a, int n) {
    for (int wave = 3; wave <= 3 * (n - 2); wave++) {
        for (int i = 1 + threadIdx.x; i < n - 1; i += blockDim.x) {
            int j = wave - 2 * i;
            if (j < 1 || j >= n - 1)
                continue;
            float t = 0;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                    t += AT(a, i + y, j + x);
            AT(a, i, j) = t / 9;
        }
        __syncthreads();
    }
}
KERNEL heat3d(float *b, const float *a, int n) {
    int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y, i = (z * n + y) * n + x;
    float v = a[i];
    if (x > 0 && y > 0 && z > 0 && x < n - 1 && y < n - 1 && z < n - 1)
        v += 0.125f * (a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6 * a[i]);
    b[i] = v;
}
KERNEL fdtd_e(float *ex, float *ey, const float *hz, int n) {
    TWO(i, j);
    AT(ey, i, j) = i == 0 ? 1 : AT(ey, i, j) - 0.5f * (AT(hz, i, j) - AT(hz, i - 1, j));
    if (j > 0)
        AT(ex, i, j) -= 0.5f * (AT(hz, i, j) - AT(hz, i, j - 1));
}
KERNEL fdtd_h(const float *ex, const float *ey, float *hz, int n) {
    TWO(i, j);
    if (i < n - 1 && j < n - 1)
        AT(hz, i, j) -= 0.7f * (AT(ex, i, j + 1) - AT(ex, i, j) + AT(ey, i + 1, j) - AT(ey, i, j));
}
KERNEL adi(float *u, const float *x, int n) {
    ONE(i);
    float v = AT(x, i, 0);
    AT(u, i, 0) = v;
    for (int j = 1; j < n; j++)
        AT(u, i, j) = v = AT(x, i, j) + 0.25f * v;
    for (int j = n - 2; j >= 0; j--)
        AT(u, i, j) = v = AT(u, i, j) + 0.25f * v;
}
KERNEL trisolv(float *x, const float *l, const float *b, int n) {
    __shared__ float solved[256];
    int i = threadIdx.x;
    float t = i < n ? b[i] : 0;
    for (int j = 0; j < n; j++) {
        if (i == j)
            solved[j] = t / (2 + AT(l, i, i));
        __syncthreads();
        if (i > j && i < n)
            t -= AT(l, i, j) * solved[j] / n;
    }
    if (i < n)
        x[i] = solved[i];
}
KERNEL durbin(float *y, const float *r, int n) {
    __shared__ float now[256], term[256];
    int t = threadIdx.x;
    float alpha = -r[0] / n, beta = 1;
    if (t == 0)
        now[0] = alpha;
    for (int k = 1; k < n; k++) {
        beta *= 1 - alpha * alpha;
        __syncthreads();
        if (t < k)
            term[t] = r[k - t - 1] / n * now[t];
        __syncthreads();
        float sum = 0;
        for (int i = 0; i < k; i++)
            sum += term[i];
        alpha = -(r[k] / n + sum) / beta;
        float next = t < k ? now[t] + alpha * now[k - t - 1] : alpha;
        __syncthreads();
        if (t <= k)
            now[t] = next;
    }
    __syncthreads();
    if (t < n)
        y[t] = now[t];
}
KERNEL lu(float *a, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        AT(a, i, i) += 2 * n;
    for (int k = 0; k < n; k++) {
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) {
            float f = AT(a, i, k) / AT(a, k, k);
            AT(a, i, k) = f;
            for (int j = k + 1; j < n; j++)
                AT(a, i, j) -= f * AT(a, k, j);
        }
    }
}
KERNEL cholesky(float *l, const float *a, int n) {
    for (int j = 0; j < n; j++) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            float t = i == j ? AT(a, i, i) + n : AT(a, max(i, j), min(i, j));
            for (int k = 0; k < j && j <= i; k++)
                t -= AT(l, i, k) * AT(l, j, k);
            AT(l, i, j) = i < j ? 0 : t;
        }
        __syncthreads();
        float root = sqrtf(AT(l, j, j));
        __syncthreads();
        for (int i = j + threadIdx.x; i < n; i += blockDim.x)
            AT(l, i, j) = i == j ? root : AT(l, i, j) / root;
        __syncthreads();
    }
}
KERNEL floyd(float *d, int n) {
    __shared__ float column[64], row[64];
    for (int k = 0; k < n; k++) {
        if (threadIdx.x < n)
            column[threadIdx.x] = AT(d, threadIdx.x, k), row[threadIdx.x] = AT(d, k, threadIdx.x);
        __syncthreads();
        for (int e = threadIdx.x; e < n * n; e += blockDim.x)
            d[e] = fminf(d[e], column[e / n] + row[e % n]);
        __syncthreads();
    }
}
