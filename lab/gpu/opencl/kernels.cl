// Ten kernels, in the words of cuda.cu or of opencl.cl, and one of a single element, to know what any kernel takes.

KERNEL void one(GLOBAL const float *x, GLOBAL float *y, int n)
{
    y[0] = x[0];
}

KERNEL void copy(GLOBAL const float *x, GLOBAL float *y, int n)
{
    for (int i = GROUP * SIZE + ITEM; i < n; i += GROUPS * SIZE)
        y[i] = x[i];
}

KERNEL void triad(GLOBAL const float *x, GLOBAL const float *z, GLOBAL float *y, int n)
{
    for (int i = GROUP * SIZE + ITEM; i < n; i += GROUPS * SIZE)
        y[i] = FMA(3.0f, x[i], z[i]);
}

// 512 dependent multiply-adds in four chains for each element.
KERNEL void multiply_add(GLOBAL const float *x, GLOBAL float *y, int n)
{
    const int i = GROUP * SIZE + ITEM;
    float a = x[i], b = a + 0.1f, c = a + 0.2f, d = a + 0.3f;
    for (int k = 0; k < 512; k++) {
        a = FMA(a, 0.5f, 0.25f);
        b = FMA(b, 0.5f, 0.25f);
        c = FMA(c, 0.5f, 0.25f);
        d = FMA(d, 0.5f, 0.25f);
    }
    if (i < n)
        y[i] = a + b + c + d;
}

// An inclusive scan of each block of 256 elements.
KERNEL void scan_blocks(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float part[2][256];
    const int i = GROUP * 256 + ITEM, me = ITEM;
    int from = 0;
    part[0][me] = x[i];
    BARRIER;
    for (int step = 1; step < 256; step *= 2) {
        part[1 - from][me] = me >= step ? part[from][me] + part[from][me - step] : part[from][me];
        from = 1 - from;
        BARRIER;
    }
    if (i < n)
        y[i] = part[from][me];
}

// Sums of 4096 elements each, and then the sum of those.
KERNEL void sums(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float part[256];
    float own = 0;
    for (int k = 0; k < 16; k++)
        own += x[GROUP * 4096 + k * 256 + ITEM];
    part[ITEM] = own;
    for (int step = 128; step > 0; step /= 2) {
        BARRIER;
        if (ITEM < step)
            part[ITEM] += part[ITEM + step];
    }
    if (ITEM == 0)
        y[GROUP] = part[0];
}

KERNEL void last_sum(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float part[256];
    float own = 0;
    for (int k = ITEM; k < n; k += 256)
        own += x[k];
    part[ITEM] = own;
    for (int step = 128; step > 0; step /= 2) {
        BARRIER;
        if (ITEM < step)
            part[ITEM] += part[ITEM + step];
    }
    if (ITEM == 0)
        y[0] = part[0];
}

// An n × n matrix is transposed through tiles of 32 × 32, by 256 threads.
KERNEL void transpose(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float tile[32][33];
    const int tiles = n / 32, row = GROUP / tiles * 32, column = GROUP % tiles * 32;
    const int i = ITEM % 32, first = ITEM / 32;
    for (int j = first; j < 32; j += 8)
        tile[j][i] = x[(row + j) * n + column + i];
    BARRIER;
    for (int j = first; j < 32; j += 8)
        y[(column + j) * n + row + i] = tile[i][j];
}

// Seven points of a row.
KERNEL void stencil(GLOBAL const float *x, GLOBAL float *y, int n)
{
    for (int i = GROUP * SIZE + ITEM; i < n; i += GROUPS * SIZE) {
        float sum = 0;
        for (int k = -3; k <= 3; k++) {
            const int at = i + k;
            sum += at >= 0 && at < n ? x[at] : 0;
        }
        y[i] = sum;
    }
}

// Elements in an order that no cache follows.
KERNEL void gather(GLOBAL const float *x, GLOBAL float *y, int n)
{
    for (int i = GROUP * SIZE + ITEM; i < n; i += GROUPS * SIZE)
        y[i] = x[(uint)i * 2654435761u % (uint)n];
}

// Eight stages of butterflies on 512 values held in shared memory, by 256 threads: what a short FFT does.
KERNEL void butterflies(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float part[512];
    const int base = GROUP * 512, me = ITEM;
    part[me] = x[base + me];
    part[me + 256] = x[base + me + 256];
#pragma unroll // by both compilers, or one divides by width: what is compared is how a kernel is timed
    for (int width = 1; width < 512; width *= 2) {
        BARRIER;
        const int at = me / width * 2 * width + me % width;
        const float a = part[at], b = part[at + width];
        part[at] = (a + b) * 0.70710678f;
        part[at + width] = (a - b) * 0.70710678f;
    }
    BARRIER;
    y[base + me] = part[me];
    y[base + me + 256] = part[me + 256];
}

// Forces of n bodies on a line on each of them.
KERNEL void forces(GLOBAL const float *x, GLOBAL float *y, int n)
{
    LOCAL float there[256];
    const int i = GROUP * 256 + ITEM;
    const float me = x[i];
    float sum = 0;
    for (int tile = 0; tile < n; tile += 256) {
        there[ITEM] = x[tile + ITEM];
        BARRIER;
        for (int k = 0; k < 256; k++) {
            const float d = there[k] - me, r = RSQRT(FMA(d, d, 0.01f));
            sum = FMA(d * r, r * r, sum);
        }
        BARRIER;
    }
    y[i] = sum;
}
