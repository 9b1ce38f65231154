__device__ unsigned entry(unsigned v) {
  for (int k = 0; k < 8; k++) v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
  return v;
}
extern "C" __global__ void crc(const unsigned char *x, unsigned *y, int n) {
  __shared__ unsigned table[256];
  for (int k = threadIdx.x; k < 256; k += 128) table[k] = entry(k);
  __syncthreads();
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  const unsigned *p = (const unsigned *)(x + (size_t)i * 64);
  unsigned c = ~0u;
  for (int k = 0; k < 16; k++) {
    c ^= p[k];
    for (int b = 0; b < 4; b++) c = table[c & 255] ^ c >> 8;
  }
  y[i] = ~c;
}
extern "C" __global__ void right(const unsigned char *x, unsigned *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned c = ~0u;
    for (int k = 0; k < 64; k++) c = entry((c ^ x[(size_t)i * 64 + k]) & 255) ^ c >> 8;
    y[i] = ~c;
  }
}
