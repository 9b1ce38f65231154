// z = a·x + y. Each block takes BLOCK·ITEMS elements in a row, each thread every
// BLOCK-th of them, so that neighbours in a warp read neighbours in memory.
// BLOCK and ITEMS are the tunables of NAME.json.

extern "C" __global__ void saxpy(float a, const float *x, const float *y, float *z, int n) {
    long long first = (long long)blockIdx.x * (BLOCK * ITEMS) + threadIdx.x;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        long long i = first + item * BLOCK;
        if (i < n)
            z[i] = a * x[i] + y[i];
    }
}
