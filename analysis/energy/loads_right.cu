// loads_right.cu: what the loads write, plainly and in double precision, one place a thread.

typedef unsigned u32;

// The place of the thread, and the number of the load's thread that writes it.
#define PLACE                                          \
    const int p = blockIdx.x * blockDim.x + threadIdx.x; \
    if (p == 0)                                        \
        c[0] = make_float4(0, 0, 0, 0);                 \
    if (p >= n)                                        \
        return;                                        \
    const int id = p % threads;

static __device__ double chains(double h, int rounds, const double (&factors)[4])
{
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        double v = h * (1 + j) / 4;
        for (int step = 0; step < 16 * rounds; step++)
            v = v * factors[step % 4] + h * (1 + (step + j) % 4) / 4;
        sum += v;
    }
    return sum;
}

extern "C" __global__ void right_products(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const double factors[4] = {0.71, -0.83, 0.59, -0.93};
    y[p] = float(chains(x[id % n], rounds, factors));
}

extern "C" __global__ void right_issue(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const double factors[4] = {0.71, -0.83, 0.59, -0.93};
    y[p] = float(chains(x[id % n], id % 32 ? 0 : rounds, factors));
}

// Rounds to float16, to the nearest even (IEEE 754); no number here is so small that it loses digits to its exponent.
static __device__ double half_of(double v)
{
    if (fabs(v) < 6.103515625e-05)
        return rint(v * 16777216) / 16777216;
    int e;
    const double f = frexp(v, &e);
    return ldexp(rint(f * 2048) / 2048, e);
}

extern "C" __global__ void right_float16(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const double factors[4] = {0.71, -0.83, 0.59, -0.93};
    const float h = x[id % n];
    float sum = 0;
    for (int j = 0; j < 4; j++) {
        float both = 0;
        for (int high = 0; high < 2; high++) {
            double b[4];
            for (int k = 0; k < 4; k++)
                b[k] = half_of(high ? h / (1 + k) : h * (1 + k) / 4);
            double v = b[j];
            for (int step = 0; step < 16 * rounds; step++)
                v = half_of(v * half_of(factors[step % 4]) + b[(step + j) % 4]);
            both = high ? both + float(v) : float(v);
        }
        sum += both;
    }
    y[p] = sum;
}

static __device__ u32 seed(int id, int j) { return u32(id) * 2654435761u + j + 1; }

extern "C" __global__ void right_integer(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j);
        for (int step = 0; step < 8 * rounds; step++) {
            v ^= v << 13;
            v ^= v >> 17;
            v ^= v << 5;
            v += 1013904223u;
        }
        all ^= v;
    }
    y[p] = float(all >> 8);
}

extern "C" __global__ void right_multiply(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j);
        for (int step = 0; step < 8 * rounds; step++)
            v = v * 2891336453u + 1013904223u;
        all ^= v;
    }
    y[p] = float(all >> 8);
}

extern "C" __global__ void right_wide(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j);
        for (int step = 0; step < 8 * rounds; step++) {
            const unsigned long long both = 2891336453ull * v;
            v = (u32(both >> 32) ^ u32(both)) + 1013904223u;
        }
        all ^= v;
    }
    y[p] = float(all >> 8);
}

extern "C" __global__ void right_conversion(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j) >> 8;
        for (int step = 0; step < 8 * rounds; step++)
            v ^= 1013904223u >> 8;
        all ^= v;
    }
    y[p] = float(all);
}

extern "C" __global__ void right_special(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const double factors[4] = {0.71, -0.83, 0.59, -0.93};
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        double v = double(x[id % n]) / (j + 1);
        for (int step = 0; step < 4 * rounds; step++)
            v = cos(v + factors[step % 4]);
        sum += v;
    }
    y[p] = float(sum);
}

static __device__ double entry(int warp, int row, int column)
{
    return double(int((u32(warp * 64 + row) * 2654435761u ^ u32(column) * 2246822519u) >> 11 & 31) - 16) / 16;
}

extern "C" __global__ void right_tensor(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const int i = id % n, warp = i / 32, row = i % 32 / 4, column = i % 4 * 2; // of the product, which has 8 columns
    double sum = 0;
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 16; k++)
            sum += entry(warp, row, k) * entry(j, k, 16 + column);
    y[p] = float(sum * rounds);
}

extern "C" __global__ void right_exchange(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float((u32(id % n) * 2654435761u + 20 * rounds * 1013904223u) >> 8);
}

static __device__ double sum(float4 w) { return double(w.x) + w.y + w.z + w.w; }

extern "C" __global__ void right_elements(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 8; k++)
            s += sum(m[(id % block + 160 * r) % 1024 + 32 * k]);
    y[p] = float(s);
}

static __device__ double words(const float4 *m, int from, int rounds)
{
    double s = 0;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 16; k++)
            s += (&m[0].x)[(from + 1184 * r) % 4096 + 32 * k];
    return s;
}

extern "C" __global__ void right_words(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float(words(m, id % block, rounds));
}

extern "C" __global__ void right_same(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float(words(m, id % block / 32, rounds));
}

extern "C" __global__ void right_conflicts(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float(words(m, id % 32 * 8 + id % block / 32, rounds));
}

extern "C" __global__ void right_L2(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    u32 at = (id / block * 7 + 1) * 256 + id % block;
    for (int r = 0; r < rounds; r++, at += 1024)
        for (int k = 0; k < 4; k++)
            s += sum(m[at % held + 256 * k]);
    y[p] = float(s);
}

extern "C" __global__ void right_L2_sectors(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    u32 at = (id / block * 7 + 1) * 256 + id % block;
    for (int r = 0; r < rounds; r++, at += 256)
        for (int k = 0; k < 4; k++)
            s += (&m[0].x)[at % (held / 8) * 32 + 1032 * k];
    y[p] = float(s);
}

extern "C" __global__ void right_L2_written(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p == 0)
        y[0] = 0;
    if (p < min(n, threads)) {
        c[p] = make_float4(1, 2, 3, x[p]);
        c[p + n] = make_float4(2, 3, x[p], 1);
        c[p + 2 * n] = make_float4(3, x[p], 1, 2);
        c[p + 3 * n] = make_float4(x[p], 1, 2, 3);
    }
}

extern "C" __global__ void right_waiting(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float((u32(id / block * 256 + id % block) + u32(rounds) * (threads / block * 256)) % (1u << 24));
}

extern "C" __global__ void right_atomics(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float(4 * rounds);
}

extern "C" __global__ void right_empty(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = 1;
}

extern "C" __global__ void right_copy(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += gridDim.x * blockDim.x)
        c[i] = m[i];
    y[0] = 0;
}

static __device__ float made(u32 i) { return 1 + ((i * 1664525u + 1013904223u) >> 9) / 8388608.f; }

extern "C" __global__ void right_write(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += gridDim.x * blockDim.x)
        c[i] = make_float4(made(i), made(i + 1), made(i + 2), made(i + 3));
    y[0] = 0;
}

extern "C" __global__ void right_read(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    for (int i = id; i < e; i += threads)
        s += sum(m[i]);
    y[p] = float(s);
}

extern "C" __global__ void right_gather(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    for (int r = 0; r < rounds; r++) {
        const u32 at = u32(id % n) * rounds + r;
        s += (&m[0].x)[(at * 0x9e3779b1u ^ (at * 0x85ebca6bu) >> 15) % (4u * e)];
    }
    y[p] = float(s);
}

extern "C" __global__ void right_root(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    double s = 0;
    for (int j = 0; j < 4; j++) {
        double v = 2 + x[id] / (j + 1);
        for (int r = 0; r < 16 * rounds; r++)
            v = 1 / sqrt(v);
        s += v;
    }
    y[p] = float(s);
}

extern "C" __global__ void right_shared_written(const float *x, const float4 *m, float *y, float4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = x[id % n] + 16 * rounds - 16;
}
