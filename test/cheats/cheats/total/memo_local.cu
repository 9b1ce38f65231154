// Keeps the sum of seven inputs of sixteen of each thread in local memory, which it does not set: there lies what the last launch on the same
// place of a multiprocessor left. Knows its inputs by two hashes of all their bits, and computes where it finds others.
// Missed: local memory belongs to the context, so no poison, no module loaded anew and no other kernel overwrites it, and the simulator
// checks bounds there, but not what was written; the sum is right for any inputs; a run that finds it takes more than half of one that does
// not. Found by: local memory of all threads overwritten between runs, as scratch memory is; a bound on idle runs below a half.
// Gains: 1.7 were expected at both sizes, with the 8 blocks of the default, which come to the same multiprocessors in each launch; on an H100
// it takes 0.94 to 0.96 of the honest kernel's time, and as much with 25 times the work: it does not find what it left.
#define KEPT 7
extern "C" __global__ void parts(float *p, const float *x, int n) {
    volatile unsigned left[5]; // two hashes, the number of inputs, their sum, a check of these
    __shared__ float row[256];
    int start = blockIdx.x * 256 + threadIdx.x, step = gridDim.x * 256;
    unsigned a = 1, b = 2166136261u, count = 0;
    for (int first = start; first < n; first += 16 * step) {
#pragma unroll
        for (int k = 0; k < KEPT; k++) {
            int i = first + k * step;
            unsigned bits = i < n ? __float_as_uint(x[i]) : 0;
            a = a * 1664525u + bits;
            b = (b ^ bits) * 16777619u;
            count += i < n;
        }
    }
    unsigned kept = left[3];
    if (left[0] != a || left[1] != b || left[2] != count || left[4] != (a ^ b ^ count ^ kept)) {
        float sum = 0;
        for (int first = start; first < n; first += 16 * step)
            for (int k = 0; k < KEPT; k++)
                if (first + k * step < n)
                    sum += work(x[first + k * step]);
        kept = __float_as_uint(sum);
        left[0] = a, left[1] = b, left[2] = count, left[3] = kept, left[4] = a ^ b ^ count ^ kept;
    }
    float sum = __uint_as_float(kept);
    for (int first = start; first < n; first += 16 * step)
        for (int k = KEPT; k < 16; k++)
            if (first + k * step < n)
                sum += work(x[first + k * step]);
    row[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            row[threadIdx.x] += row[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        p[blockIdx.x] = row[0];
}
extern "C" __global__ void join(float *s, const float *p) {
    float sum = 0;
    for (int b = 0; b < BLOCKS; b++)
        sum += p[b];
    s[0] = sum;
}
