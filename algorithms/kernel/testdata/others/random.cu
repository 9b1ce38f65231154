// cuRAND's numbers on the device: XORWOW and Philox, whole, uniform and normal.
#include <curand_kernel.h>
template <class State>
__device__ void draw(State s, unsigned *y, float *z) {
    for (int i = 0; i < 4; i++) y[i] = curand(&s);
    z[0] = curand_uniform(&s);
    z[1] = curand_normal(&s);
    z[2] = curand_normal(&s);
    z[3] = (float)curand_uniform_double(&s);
    z[4] = (float)curand_normal_double(&s);
    z[5] = (float)curand_normal_double(&s);
    z[6] = curand_log_normal(&s, 0.5f, 0.25f);
    z[7] = sizeof s;
}
__global__ void numbers(unsigned *y, float *z) {
    int t = threadIdx.x;
    curandState a;
    curand_init(1234ull, t, 5 * t, &a);
    draw(a, y + 4 * t, z + 8 * t);
    curandStatePhilox4_32_10_t b;
    curand_init(0x123456789abcdefull, t, 3 * t, &b);
    draw(b, y + 128 + 4 * t, z + 256 + 8 * t);
    uint4 four = curand4(&b);
    y[256 + t] = four.x ^ four.y ^ four.z ^ four.w;
}
