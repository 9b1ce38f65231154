// Copies the input, and brings a kernel `right` that copies it too: the right answer is that of a kernel in the same file, which is the
// candidate's.
// Missed: every comparison says that the answer is right, on any inputs, at any size, in any run. Found by: the right answer's kernel taken
// from the file of the baseline or from one that no version replaces; a task refused whose verify.kernels has no source.
// Gains: all of the work: 3 or more at 4194304, a third of the time at 65536, where a launch is most of it.
extern "C" __global__ void map(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}
extern "C" __global__ void right(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i];
}
