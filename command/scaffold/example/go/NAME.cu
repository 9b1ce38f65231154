// z = a·x + y: each thread takes ITEMS elements, BLOCK apart.

extern "C" __global__ void saxpy(float a, const float *x, const float *y, float *z, long long n) {
    long long first = (long long)blockIdx.x * (BLOCK * ITEMS) + threadIdx.x;
#pragma unroll
    for (int item = 0; item < ITEMS; item++) {
        long long i = first + item * BLOCK;
        if (i < n)
            z[i] = a * x[i] + y[i];
    }
}
