// loads_right.cu: what the loads write, plainly and in double precision, one place a thread.

typedef unsigned u32;


// The place of the thread, and the number of the load's thread that writes it.
#define PLACE                                          \
    const int p = blockIdx.x * blockDim.x + threadIdx.x; \
    if (p == 0)                                        \
        c[0] = make_uint4(0, 0, 0, 0);                 \
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

extern "C" __global__ void right_products(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const double factors[4] = {0.71, -0.83, 0.59, -0.93};
    y[p] = float(chains(x[id % n], rounds, factors));
}

extern "C" __global__ void right_issue(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
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

extern "C" __global__ void right_float16(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
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

extern "C" __global__ void right_integer(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j);
        for (int step = 0; step < 8 * rounds; step++) {
            v ^= v << 13;
            v ^= v >> 17;
            v ^= v << 5;
            v += 0x9e3779b9u;
        }
        all ^= v;
    }
    y[p] = float(all >> 8);
}

extern "C" __global__ void right_multiply(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 all = 0;
    for (int j = 0; j < 4; j++) {
        u32 v = seed(id % n, j);
        for (int step = 0; step < 8 * rounds; step++)
            v = v * 1664525u + 1013904223u;
        all ^= v;
    }
    y[p] = float(all >> 8);
}

extern "C" __global__ void right_special(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
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

extern "C" __global__ void right_tensor(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    const int i = id % n, warp = i / 32, row = i % 32 / 4, column = i % 4 * 2; // of the product, which has 8 columns
    double sum = 0;
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 16; k++)
            sum += entry(warp, row, k) * entry(j, k, 16 + column);
    y[p] = float(sum * rounds);
}

static __device__ u32 multiplied(u32 v) { return v * 1664525u + 1013904223u; }

static __device__ u32 mixed4(uint4 w) { return w.x ^ w.y ^ w.z ^ w.w; }

extern "C" __global__ void right_shared(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 v = 0;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 4; k++) {
            const u32 at = (id % block + (5 * r + k) * 32) % 1024;
            v ^= (multiplied(at) ^ multiplied(at + 1024) ^ multiplied(at + 2048) ^ multiplied(at + 3072)) + r;
        }
    y[p] = float(v >> 8);
}

extern "C" __global__ void right_L1(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 v = 0;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 4; k++)
            v ^= mixed4(m[(id % block + (5 * r + k) * 32) % 1024]) + r;
    y[p] = float(v >> 8);
}

extern "C" __global__ void right_L2(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 v = 0, at = (id / block * 7 + 1) * 256 + id % block;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 4; k++, at += 256)
            v ^= mixed4(m[at % held]) + r;
    y[p] = float(v >> 8);
}

extern "C" __global__ void right_waiting(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 at = id / block * 256 + id % block;
    for (int r = 0; r < rounds; r++)
        at += 256 + (m[at % held].x & 32);
    y[p] = float(at % (1 << 24));
}

extern "C" __global__ void right_atomics(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = float(4 * rounds);
}

extern "C" __global__ void right_empty(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    y[p] = 1;
}

extern "C" __global__ void right_copy(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += gridDim.x * blockDim.x)
        c[i] = m[i];
    y[0] = 0;
}

extern "C" __global__ void right_write(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < e; i += gridDim.x * blockDim.x) {
        const u32 v = multiplied(i);
        c[i] = make_uint4(v, v ^ 0x5bd1e995u, multiplied(v), ~v);
    }
    y[0] = 0;
}

extern "C" __global__ void right_read(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 v = 0;
    for (int i = id, turn = 0; i < e; i += threads, turn++)
        v ^= mixed4(m[i]) + turn % 4;
    y[p] = float(v >> 8);
}

extern "C" __global__ void right_gather(const float *x, const uint4 *m, float *y, uint4 *c, int n, int e, int rounds, u32 held, int threads, int block)
{
    PLACE
    u32 v = 0;
    for (int r = 0; r < rounds; r++) {
        const u32 at = u32(id % n) * 64 + r, place = (at * 0x9e3779b1u ^ (at * 0x85ebca6bu) >> 15) % (4u * e);
        const uint4 w = m[place / 4];
        v ^= place % 4 == 0 ? w.x : place % 4 == 1 ? w.y : place % 4 == 2 ? w.z : w.w;
    }
    y[p] = float(v >> 8);
}
