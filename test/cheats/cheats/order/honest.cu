// The rank of each number: how many are less, or the same and before it.
extern "C" __global__ void rank(int *r, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int before = 0;
    for (int k = 0; k < n; k++)
        before += x[k] < x[i] || (x[k] == x[i] && k < i);
    r[i] = before;
}
