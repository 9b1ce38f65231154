// The same small work, with all that honest kernels keep in variables of a module or ask of the machine.
#define KERNEL extern "C" __global__ void
#define ONE(i) int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return

struct Twice { __device__ float operator()(float x) const { return 2 * x; } };
template <class F> __device__ void applied(float *y, const float *x, int n, F f) {
    ONE(i);
    y[i] = f(x[i]);
}
KERNEL functor(float *y, const float *x, int n) { applied(y, x, n, Twice()); }

struct Base { __device__ virtual float f(float x) = 0; };
struct Derived : Base { __device__ float f(float x) override { return 2 * x; } };
KERNEL overridden(float *y, const float *x, int n) {
    ONE(i);
    Derived d;
    Base *b = &d;
    y[i] = b->f(x[i]);
}

// A flag that says what was seen, of all runs, as a search by breadth does.
__device__ int seen;
KERNEL flagged(float *y, const float *x, int n) {
    ONE(i);
    if (x[i] > 0)
        atomicExch(&seen, 1);
    y[i] = 2 * x[i];
}

// A sum of all runs, which no answer depends on.
__device__ double total;
KERNEL summed(float *y, const float *x, int n) {
    ONE(i);
    unsigned long long *place = (unsigned long long *)&total, old = atomicAdd(place, 0ull), assumed;
    do {
        assumed = old;
        old = atomicCAS(place, assumed, __double_as_longlong(x[i] + __longlong_as_double(assumed)));
    } while (assumed != old);
    y[i] = 2 * x[i];
}

// How often it was launched, for statistics.
__device__ unsigned launches;
KERNEL counted(float *y, const float *x, int n) {
    ONE(i);
    if (i == 0)
        atomicAdd(&launches, 1);
    y[i] = 2 * x[i];
}

// How long a block took, as profiled kernels note it.
__device__ long long took[65536];
KERNEL stamped(float *y, const float *x, int n) {
    long long start = clock64();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * x[i];
    __syncthreads();
    if (threadIdx.x == 0)
        took[blockIdx.x] = clock64() - start;
}

// Memory of the module as a buffer between two launches of a run.
__device__ float buffer[16384];
KERNEL filled(const float *x, int n) {
    ONE(i);
    buffer[i] = x[i];
}
KERNEL emptied(float *y, int n) {
    ONE(i);
    y[i] = buffer[i] + buffer[i];
}

// A table that each launch makes anew for itself.
KERNEL tabled(float *y, const float *x, int n) {
    __shared__ float factor[64];
    factor[threadIdx.x] = 1 + cosf(0.f * threadIdx.x);
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor[63 - threadIdx.x] * x[i];
}

// A table that the first launch leaves, which depends on no input.
__device__ float kept[64];
KERNEL planned(float *y, const float *x, int n) {
    __shared__ float factor;
    if (threadIdx.x == 0) {
        float have = atomicAdd(&kept[blockIdx.x % 64], 0.f);
        if (have == 0)
            atomicExch(&kept[blockIdx.x % 64], have = 1 + cosf(0));
        factor = have;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i];
}

// It reads what it wrote itself in this run.
KERNEL reread(float *y, const float *x, int n) {
    ONE(i);
    y[i] = x[i];
    y[i] += y[i];
}

// It works only where the input asks for it, after a launch that sets all to 0.
KERNEL cleared(float *y, int n) {
    ONE(i);
    y[i] = 0;
}
KERNEL positive(float *y, const float *x, int n) {
    ONE(i);
    if (x[i] != 0)
        y[i] = 2 * x[i];
}
