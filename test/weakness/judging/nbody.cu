__device__ float3 pull(float4 p, float4 q, float3 f) {
  const float x = q.x - p.x, y = q.y - p.y, z = q.z - p.z, r = rsqrtf(x * x + y * y + z * z + 0.01f), s = q.w * r * r * r;
  return make_float3(f.x + s * x, f.y + s * y, f.z + s * z);
}
extern "C" __global__ void nbody(const float4 *x, float4 *y, int n) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float4 p = x[i];
  float3 f = make_float3(0, 0, 0);
  for (int t = 0; t < n; t += 128) {
    tile[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; k++) f = pull(p, tile[k], f);
    __syncthreads();
  }
  y[i] = make_float4(f.x, f.y, f.z, 0);
}
extern "C" __global__ void right(const float4 *x, float4 *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 f = make_float3(0, 0, 0);
  for (int k = 0; k < n; k++) f = pull(x[i], x[k], f);
  y[i] = make_float4(f.x, f.y, f.z, 0);
}
