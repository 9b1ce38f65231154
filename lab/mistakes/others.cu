// Barriers and shuffles that not all reach, vectors, constants, and threads that do
// not end.

// Two branches have a barrier each.
extern "C" __global__ void two_barriers(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  if (threadIdx.x < 16)
    __syncthreads();  //! divergent barrier
  else
    __syncthreads();  //! divergent barrier
}

// A barrier is in a loop that threads leave at different times.
extern "C" __global__ void turns(float* out, const float* in, int n) {
  int t = threadIdx.x;
  for (int k = 0; k <= t % 2; k++)
    __syncthreads();  //! divergent barrier
  out[blockIdx.x * 64 + t] = in[t];
  __syncthreads();  //! divergent barrier
}

// Half of the warp shuffles with all, and the others are at a barrier.
extern "C" __global__ void half_shuffles(float* out, const float* in, int n) {
  int t = threadIdx.x;
  float v = in[t];
  if (t % 32 < 16) v += __shfl_xor_sync(0xffffffff, v, 1);  //! have not come
  __syncthreads();
  out[blockIdx.x * 64 + t] = v;
}

// The last warp is not full: the value is of a lane that does not exist. launch: grid=1 block=48
extern "C" __global__ void absent_lane(float* out, const float* in, int n) {
  float v = in[threadIdx.x];
  v += __shfl_down_sync(0xffffffff, v, 16);  //! which takes no part in it
  out[threadIdx.x] = v;
}

// Threads without an element return, and their lanes' values are read. launch: n=100
extern "C" __global__ void returned_lane(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __shfl_xor_sync(0xffffffff, in[i], 8);  //! which takes no part in it
}

// The mask names half of the warp, and all lanes come.
extern "C" __global__ void narrow_mask(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __popc(__ballot_sync(0xffff, in[i] > 0));  //! does not name the calling lane
}

// A vector begins at an odd float.
extern "C" __global__ void odd_vector(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = reinterpret_cast<const float2*>(in + 1)[i / 4].x;  //! misaligned
}

// Doubles follow one float in dynamic shared memory. launch: shared=1024
extern "C" __global__ void odd_double(float* out, const float* in, int n) {
  extern __shared__ float room[];
  double* sums = reinterpret_cast<double*>(room + 1);
  int t = threadIdx.x;
  sums[t] = in[t];  //! misaligned
  __syncthreads();
  out[blockIdx.x * 64 + t] = sums[t];
}

// A constant is normalised in place.
__constant__ float scale[2] = {2, 3};
extern "C" __global__ void constant_written(float* out, const float* in, int n) {
  float* s = const_cast<float*>(static_cast<const float*>(scale)) + n % 2;
  if (blockIdx.x == 0 && threadIdx.x == 0) *s /= 2;  //! writes to a constant
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[0] * s[0];
}

// An unsigned number is never below 0.
extern "C" __global__ void counts_down(float* out, const float* in, int n) {
  float sum = 0;
  for (unsigned k = n; k >= 0; k--)  //! an endless loop?
    sum += in[k % 64];  //! an endless loop?
  out[threadIdx.x] = sum;
}

// A lock is taken and not given back.
extern "C" __global__ void lock(float* out, const float* in, int n) {
  __shared__ int taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  while (atomicCAS(&taken, 0, 1) != 0) {  //! an endless loop?
  }
  out[blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x];
}

// A width that the launch gives is 0. launch: n=0
extern "C" __global__ void no_width(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i / n] = in[i];  //! integer division by zero
}

// A function has a path without a result.
__device__ __noinline__ float sign(float x) {  //! reached without return
  if (x > 0) return 1;
  if (x < 0) return -1;
}
extern "C" __global__ void no_result(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sign(in[i] - in[i]);
}

// Threads without an element return before a barrier, which CUDA asks of all or none of a block; GPUs go on without them. launch: n=100
extern "C" __global__ void returned(float* out, const float* in, int n) {
  __shared__ float row[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i >= n) return;
  row[t] = in[i];
  __syncthreads();  //! returned without coming to this barrier
  out[i] = row[t];
}
