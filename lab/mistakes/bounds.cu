// Accesses outside what there is. Each kernel has one mistake, in the line marked
// "//!" with a part of its report; what is after "launch:" replaces two blocks of 64
// threads, 128 elements and no dynamic shared memory.

// The last thread takes part although it has no element: <= for <. launch: grid=3
extern "C" __global__ void one_too_many(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i % n] = in[i];  //! reads 4 bytes at 0 bytes past the end of argument 2
}

// The first element has no left neighbour.
extern "C" __global__ void left_neighbour(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] - in[i - 1];  //! reads 4 bytes at 4 bytes before argument 2
}

// Rows and columns of a matrix of 8 x 16 are swapped. launch: grid=1 block=16x8
extern "C" __global__ void swapped_axes(float* out, const float* in, int n) {
  int x = threadIdx.x, y = threadIdx.y;
  float v = in[y * 16 + x];
  out[x * 16 + y] = v;  //! past the end of argument 1
}

// The remainder of a negative number is negative.
extern "C" __global__ void ring_buffer(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i - 3) % n];  //! bytes before argument 2
}

// A static array has no room for the halo.
extern "C" __global__ void halo(float* out, const float* in, int n) {
  __shared__ float row[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  row[t + 1] = in[i];  //! index 64 is outside the array of type 'float [64]'
  __syncthreads();
  out[i] = row[t];
}

// The same through a pointer: what lies behind is another array.
extern "C" __global__ void other_array(float* out, const float* in, int n) {
  __shared__ float first[64];
  __shared__ float second[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  float* to = n > 0 ? first : second;
  second[t] = 0;
  to[t + 8] = in[i];  //! past the end of __shared__ first (256 bytes)
  __syncthreads();
  out[i] = first[t] + second[t];
}

// The padding is in the wrong dimension: an index of a row is beyond it, inside the array. launch: grid=1 block=8x8 n=64
extern "C" __global__ void padding(float* out, const float* in, int n) {
  __shared__ float tile[9][8];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x + 1] = in[y * 8 + x];  //! index 8 is outside the array of type 'float [8]'
  __syncthreads();
  out[y * 8 + x] = tile[y][x];
}

// A local array is shorter than the loop.
extern "C" __global__ void local_array(float* out, const float* in, int n) {
  float best[4] = {};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k <= n / 32; k++)
    best[k] = in[i] + k;  //! index 4 is outside the array of type 'float [4]'
  out[i] = best[n / 64];
}

// The launch gives dynamic shared memory for one float per thread; the kernel needs two. launch: shared=256
extern "C" __global__ void dynamic_memory(float* out, const float* in, int n) {
  extern __shared__ float both[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  both[t] = in[i];
  both[blockDim.x + t] = -in[i];  //! past the end of the dynamic shared memory (256 bytes)
  __syncthreads();
  out[i] = both[t] + both[blockDim.x + t];
}

// A filter has nine weights; the loop has ten.
__constant__ float weights[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
extern "C" __global__ void filter(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n - 118; k++)
    sum += weights[k] * in[i];  //! index 9 is outside the array of type 'float [9]'
  out[i] = sum;
}

// Some threads have no row, and use its pointer.
extern "C" __global__ void no_row(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float* row = i < n / 2 ? in : nullptr;
  out[i] = row[i];  //! which is not device memory
}
