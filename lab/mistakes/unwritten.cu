// Reads of what was never written.

// The sum of a block begins with whatever was there.
extern "C" __global__ void sum_of_block(float* out, const float* in, int n) {
  __shared__ float sum;
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);  //! never written, at byte 0 of __shared__ sum
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Nobody loads the cells at the edge of the tile.
extern "C" __global__ void edges(float* out, const float* in, int n) {
  __shared__ float tile[66];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  tile[t + 1] = in[i];
  __syncthreads();
  out[i] = tile[t] + tile[t + 2];  //! never written, at byte
}

// The result is added to, and nobody set it to 0.
extern "C" __global__ void result_added_to(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] += in[i];  //! of argument 1
}

// The last block is not full, and adds up all its places. launch: n=100
extern "C" __global__ void last_block(float* out, const float* in, int n) {
  __shared__ float part[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i < n) part[t] = in[i];
  __syncthreads();
  float sum = 0;
  if (t == 0)
    for (int k = 0; k < 64; k++) sum += part[k];  //! of __shared__ part
  if (t == 0) out[blockIdx.x] = sum;
}

// Two warps leave their sums, and 32 are added up.
extern "C" __global__ void sums_of_warps(float* out, const float* in, int n) {
  __shared__ float sums[32];
  int t = threadIdx.x;
  float v = in[blockIdx.x * 64 + t];
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(0xffffffff, v, by);
  if (t % 32 == 0) sums[t / 32] = v;
  __syncthreads();
  if (t >= 32) return;
  v = sums[t];  //! of __shared__ sums
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(0xffffffff, v, by);
  if (t == 0) out[blockIdx.x] = v;
}

// A local sum has no first value: what is wrong is the answer.
extern "C" __global__ void local_sum(float* out, const float* in, int n) {
  float sum;
  for (int k = 0; k < 4; k++) sum += in[(threadIdx.x + k) % n];  //! 'sum' may be used uninitialized
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
