// Little of the input decides the answer, so that the bytes that the problem names are more than a kernel moves.
#define KERNEL extern "C" __global__ void
KERNEL picked(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[64 * i];
}
KERNEL above(int *place, const float *x, int n) {
    int i = 0;
    while (i < n && x[i] <= 0.9f)
        i++;
    place[0] = i;
}
KERNEL above_warp(int *place, const float *x, int n) {
    for (int first = 0; first < n; first += 32) {
        int i = first + threadIdx.x;
        unsigned found = __ballot_sync(0xffffffffu, i < n && x[i] > 0.9f);
        if (found) {
            if (threadIdx.x == 0)
                place[0] = first + __ffs(found) - 1;
            return;
        }
    }
    if (threadIdx.x == 0)
        place[0] = n;
}
