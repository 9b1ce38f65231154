// Accesses in no order.

// A neighbour's element is read with no barrier after it was written.
extern "C" __global__ void no_barrier(float* out, const float* in, int n) {
  __shared__ float row[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  row[t] = in[i];         //! race on shared memory
  out[i] = row[63 - t];  //! race on shared memory
}

// The next tile is loaded while others still read this one.
extern "C" __global__ void next_tile(float* out, const float* in, int n) {
  __shared__ float tile[64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 2; k++) {
    tile[t] = in[k * 64 + t];  //! race on shared memory
    __syncthreads();
    sum += tile[t ^ 1];  //! race on shared memory
  }
  out[blockIdx.x * 64 + t] = sum;
}

// Lanes of one warp do not run in step.
extern "C" __global__ void in_step(float* out, const float* in, int n) {
  __shared__ float row[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  row[t] = in[i];
  __syncthreads();
  for (int by = 1; by < 32; by *= 2)
    row[t] += row[t ^ by];  //! race on shared memory
  out[i] = row[t];
}

// A histogram is counted without atomic operations.
extern "C" __global__ void histogram(float* out, const float* in, int n) {
  __shared__ int bins[8];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  bins[i % 8]++;  //! race on shared memory
  __syncthreads();
  out[i] = bins[t % 8];
}

// All threads add to one element without an atomic operation.
extern "C" __global__ void total(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) out[0] = 0;  //! race on global memory
  out[0] += in[i];         //! race on global memory
}

// The index lacks the block's part: both blocks write the same elements.
extern "C" __global__ void no_block_index(float* out, const float* in, int n) {
  out[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];  //! race on global memory
}

// The second block reads what the first writes: blocks run in any order.
extern "C" __global__ void between_blocks(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) out[t] = in[t];        //! race on global memory
  if (blockIdx.x == 1) out[64 + t] = out[t];  //! race on global memory
}

// A stencil works in place: neighbours read old and new values.
extern "C" __global__ void in_place(float* out, const float* in, int n) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  out[i] = in[i];
  __syncthreads();
  out[i] = 0.5f * (out[i] + out[i ^ 1]);  //! race on global memory
}

// The counter is set to 0 while others already count.
extern "C" __global__ void late_zero(float* out, const float* in, int n) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;     //! race on shared memory
  if (in[threadIdx.x] > 0) atomicAdd(&count, 1);  //! race on shared memory
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// One thread too many adds in each round of a tree: <= for <.
extern "C" __global__ void tree(float* out, const float* in, int n) {
  __shared__ float part[128];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  part[t + 64] = 0;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t <= half) part[t] += part[t + half];  //! race on shared memory
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// A counter that has nothing to do with them orders no accesses: both blocks write the same elements.
__device__ unsigned started;
extern "C" __global__ void unrelated_counter(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (t == 0) atomicAdd(&started, 1);
  __syncthreads();
  out[t] = in[blockIdx.x * 64 + t];  //! race on global memory
}

// The last block adds up what each wrote, and there is no fence between the write and the counter.
__device__ unsigned finished;
extern "C" __global__ void no_fence(float* out, const float* in, int n) {
  if (threadIdx.x > 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x];  //! race on global memory
  if (atomicAdd(&finished, 1) == gridDim.x - 1) out[0] = out[1] + out[2];  //! race on global memory
}
