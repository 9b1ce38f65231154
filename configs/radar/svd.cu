// Singular values of a batch of small complex matrices, largest first, as adaptive beamformers want them of samples (their squares are the
// covariance's eigenvalues): one-sided Jacobi rotations (Hestenes, 1958), which make columns orthogonal two at a time. What is left of a column's
// length is a singular value. A sweep rotates every pair of columns once.
//
// A bidiagonalisation would take 16·COLUMNS²·(ROWS - COLUMNS/3) FLOPs a matrix, which is what a problem is said to take; Jacobi's rotations take
// some 14·COLUMNS²·ROWS a sweep, and six to nine sweeps, but all columns at once. Arithmetic bounds it.

// Where two columns are this near to orthogonal, their rotation is left out.
#define NEAR 1e-6f
#define SWEEPS 15

struct Rotation {
    float c;
    float2 s;
};

// The rotation after which columns with these squared lengths and this product, the sum of conj(p)·q, are orthogonal.
__device__ __forceinline__ bool rotation(float pp, float qq, float2 pq, Rotation &r) {
    float size = pq.x * pq.x + pq.y * pq.y;
    if (!(size > NEAR * NEAR * pp * qq))
        return false;
    size = sqrtf(size);
    float z = (qq - pp) / (2 * size);
    float t = copysignf(1, z) / (fabsf(z) + sqrtf(1 + z * z));
    r.c = 1 / sqrtf(1 + t * t);
    float s = r.c * t / size;
    r.s = make_float2(s * pq.x, s * pq.y);
    return true;
}

__device__ __forceinline__ void rotate(float2 &p, float2 &q, const Rotation &r) {
    float2 was = p;
    p = make_float2(r.c * p.x - r.s.x * q.x - r.s.y * q.y, r.c * p.y - r.s.x * q.y + r.s.y * q.x);
    q = make_float2(r.c * q.x + r.s.x * was.x - r.s.y * was.y, r.c * q.y + r.s.x * was.y + r.s.y * was.x);
}

__device__ __forceinline__ void gather(float2 p, float2 q, float &pp, float &qq, float2 &pq) {
    pp += p.x * p.x + p.y * p.y;
    qq += q.x * q.x + q.y * q.y;
    pq.x += p.x * q.x + p.y * q.y;
    pq.y += p.x * q.y - p.y * q.x;
}

// A thread a matrix, in a copy of it in memory.
extern "C" __global__ void plain(const float2 *a, float2 *work, float *values, int batch) {
    int matrix = blockIdx.x * blockDim.x + threadIdx.x;
    if (matrix >= batch)
        return;
    a += matrix * (size_t)(ROWS * COLUMNS);
    work += matrix * (size_t)(ROWS * COLUMNS);
    values += matrix * (size_t)COLUMNS;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        work[i] = a[i];
    bool again = true;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = false;
        for (int i = 0; i < COLUMNS; i++)
            for (int j = i + 1; j < COLUMNS; j++) {
                float2 *p = work + i * ROWS, *q = work + j * ROWS;
                float pp = 0, qq = 0;
                float2 pq = make_float2(0, 0);
                for (int k = 0; k < ROWS; k++)
                    gather(p[k], q[k], pp, qq, pq);
                Rotation r;
                if (!rotation(pp, qq, pq, r))
                    continue;
                again = true;
                for (int k = 0; k < ROWS; k++)
                    rotate(p[k], q[k], r);
            }
    }
    for (int i = 0; i < COLUMNS; i++) {
        float length = 0;
        for (int k = 0; k < ROWS; k++) {
            float2 x = work[i * ROWS + k];
            length += x.x * x.x + x.y * x.y;
        }
        length = sqrtf(length);
        int at = i;
        for (; at > 0 && values[at - 1] < length; at--)
            values[at] = values[at - 1];
        values[at] = length;
    }
}

#ifdef GROUP

constexpr int PAIRS = (COLUMNS + 1) / 2;
constexpr int THREADS = PAIRS * GROUP; // of a matrix
constexpr int STEP = ROWS + PAD;
constexpr int EACH = (ROWS + GROUP - 1) / GROUP;

// The sum over the GROUP threads of a pair, for all of them.
__device__ __forceinline__ float sum(float x, unsigned mask) {
#pragma unroll
    for (int by = GROUP / 2; by > 0; by /= 2)
        x += __shfl_xor_sync(mask, x, by, GROUP);
    return x;
}

// A block MATRICES matrices in shared memory. GROUP threads take a pair of columns, each thread rows GROUP apart in registers, and all pairs of a round
// are rotated at once: in round s of 2·PAIRS - 1 column s meets the last, and those as far before and after it meet each other, as teams of
// a tournament do. With an odd number of columns the last is absent.
extern "C" __global__ void __launch_bounds__(MATRICES * THREADS) jacobi(const float2 *a, float *values, int batch) {
    __shared__ float2 columns[MATRICES][COLUMNS * STEP];
    __shared__ float lengths[MATRICES][COLUMNS];
    constexpr int ROUNDS = 2 * PAIRS - 1;
    int own = threadIdx.x / THREADS, thread = threadIdx.x % THREADS;
    int pair = thread / GROUP, lane = thread % GROUP;
    unsigned mask = GROUP == 32 ? ~0u : ((1u << GROUP % 32) - 1) << (threadIdx.x % 32 / GROUP * GROUP);
    int matrix = blockIdx.x * MATRICES + own;
    bool there = matrix < batch;
    float2 *column = columns[own];
    for (int i = thread; i < ROWS * COLUMNS; i += THREADS)
        column[i / ROWS * STEP + i % ROWS] = there ? a[matrix * (size_t)(ROWS * COLUMNS) + i] : make_float2(0, 0);
    __syncthreads();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool again = false;
        for (int s = 0; s < ROUNDS; s++) {
            int i = pair == 0 ? s : (s + pair) % ROUNDS, j = pair == 0 ? ROUNDS : (s - pair + ROUNDS) % ROUNDS;
            if (i < COLUMNS && j < COLUMNS) {
                float2 *p = column + i * STEP + lane, *q = column + j * STEP + lane;
                float2 x[EACH], y[EACH];
                float pp = 0, qq = 0;
                float2 pq = make_float2(0, 0);
#pragma unroll
                for (int k = 0; k < EACH; k++) {
                    bool inside = ROWS % GROUP == 0 || lane + k * GROUP < ROWS;
                    x[k] = inside ? p[k * GROUP] : make_float2(0, 0);
                    y[k] = inside ? q[k * GROUP] : make_float2(0, 0);
                    gather(x[k], y[k], pp, qq, pq);
                }
                pp = sum(pp, mask);
                qq = sum(qq, mask);
                pq = make_float2(sum(pq.x, mask), sum(pq.y, mask));
                Rotation r;
                if (rotation(pp, qq, pq, r)) {
                    again = true;
#pragma unroll
                    for (int k = 0; k < EACH; k++)
                        if (ROWS % GROUP == 0 || lane + k * GROUP < ROWS) {
                            rotate(x[k], y[k], r);
                            p[k * GROUP] = x[k];
                            q[k * GROUP] = y[k];
                        }
                }
            }
            __syncthreads();
        }
        if (!__syncthreads_or(again))
            break;
    }
    for (int i = thread; i < COLUMNS; i += THREADS) {
        float length = 0;
        for (int k = 0; k < ROWS; k++) {
            float2 x = column[i * STEP + k];
            length += x.x * x.x + x.y * x.y;
        }
        lengths[own][i] = sqrtf(length);
    }
    __syncthreads();
    for (int i = thread; i < COLUMNS && there; i += THREADS) {
        float length = lengths[own][i];
        int rank = 0;
        for (int j = 0; j < COLUMNS; j++)
            rank += lengths[own][j] > length || (lengths[own][j] == length && j < i);
        values[matrix * (size_t)COLUMNS + rank] = length;
    }
}

#endif
