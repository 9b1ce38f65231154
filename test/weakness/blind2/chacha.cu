// Key streams of ChaCha20: thread i makes blocks i, i + n, ..., BLOCKS in all. Word w of a block lies n words behind the one before.
#define BLOCKS 48
#define ROTATED(v, k) ((v) << (k) | (v) >> (32 - (k)))
#define QUARTER(a, b, c, d)                    \
  s[a] += s[b], s[d] = ROTATED(s[d] ^ s[a], 16); \
  s[c] += s[d], s[b] = ROTATED(s[b] ^ s[c], 12); \
  s[a] += s[b], s[d] = ROTATED(s[d] ^ s[a], 8);  \
  s[c] += s[d], s[b] = ROTATED(s[b] ^ s[c], 7);
#define TWO_ROUNDS                                                                           \
  QUARTER(0, 4, 8, 12) QUARTER(1, 5, 9, 13) QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15)      \
  QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12) QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
#define BEGUN                                                                                                                                \
  const unsigned begun[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7], \
                              (unsigned)(b * n + i), key[8], key[9], key[10]};                                                               \
  unsigned s[16];                                                                                                                            \
  for (int w = 0; w < 16; w++) s[w] = begun[w];
#define DONE for (int w = 0; w < 16; w++) y[(size_t)(16 * b + w) * n + i] = s[w] + begun[w];
extern "C" __global__ void before(const unsigned *__restrict__ key, unsigned *__restrict__ y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
#pragma unroll 16
  for (int b = 0; b < BLOCKS; b++) {
    BEGUN
#pragma unroll
    for (int round = 0; round < 10; round++) { TWO_ROUNDS }
    DONE
  }
}
extern "C" __global__ void after(const unsigned *__restrict__ key, unsigned *__restrict__ y, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
#pragma unroll 1
  for (int b = 0; b < BLOCKS; b++) {
    BEGUN
#pragma unroll 1
    for (int round = 0; round < 10; round++) { TWO_ROUNDS }
    DONE
  }
}
__device__ void quarter(unsigned *s, int a, int b, int c, int d) {
  const int by[4] = {16, 12, 8, 7};
  for (int k = 0; k < 4; k++) {
    unsigned &u = s[k % 2 ? c : a], &v = s[k % 2 ? d : b], &t = s[k % 2 ? b : d];
    u += v;
    t = (t ^ u) << by[k] | (t ^ u) >> (32 - by[k]);
  }
}
extern "C" __global__ void right(const unsigned *key, unsigned *y, int n) {
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n * BLOCKS; p += gridDim.x * blockDim.x) {
    const int b = p / n, i = p % n;
    BEGUN
    for (int round = 0; round < 20; round++)
      for (int k = 0; k < 4; k++) quarter(s, k, 4 + (k + round % 2) % 4, 8 + (k + round % 2 * 2) % 4, 12 + (k + round % 2 * 3) % 4);
    DONE
  }
}
