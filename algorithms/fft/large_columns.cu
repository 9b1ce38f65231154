// large_columns.cu: one pass of the FFT of N = STRIDE·SIZE elements, SIZE =
// 256·LAST, by clusters of blocks that hold 8192 elements each in registers and
// take 16 neighbouring columns together: whole lines of 128 bytes, where one
// block has room for 32 or 64. Clusters stay and take one tile after another.
//
// Element j of a column is row m·LAST + s, m < 256. Block r takes the rows of
// s = 2r and 2r+1 through steps 1 and 2, of which the results are k < 256,
// sends each to the block of its k, and takes the DFT over s for its own k:
// results k + 256·q, which lie together after the first pass. With SECOND,
// element j of column i is multiplied by exp(-2πi·ij/N) first: powers of one
// factor a column, which the steps have in their own.
//
// Two blocks a multiprocessor overlap, and each begins to fetch the next tile
// after step 1; see large_cluster.cu for the teams.
//
// Moves 16·N bytes a transform, and 8·N·(1 - 1/CLUSTER) between
// multiprocessors.

#include "stockham.cuh"
#include "turned.cuh"
#include "ahead.cuh"
#include "gates.cuh"

#define THREADS 256
#define COLUMNS 16
#define PAIRS (COLUMNS / 2)
#define LAST (2 * CLUSTER)     // radix of step 3; the others' is 16
#define SIZE (256 * LAST)
#define OWN (256 / CLUSTER)    // k of a block in step 3
#define TEAMS 2
#define TEAM (THREADS / TEAMS) // threads of a team
#define EACH (8 / CLUSTER)     // a team's k in 16; a thread's butterflies of pairs in step 3
#define TILES (STRIDE / COLUMNS)
#define N ((long long)STRIDE * SIZE)

extern "C" __global__ void __launch_bounds__(THREADS, 2)
    columns(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ table,
            const Complex *__restrict__ turning, int tiles) {
  extern __shared__ __align__(128) Pair rows[]; // of s and k: (s·OWN + k)·PAIRS, turned by k
  constexpr int LEVELS = log2of(LAST), FACTORS = 4 * 16 + LEVELS * OWN;
  constexpr int KEPT = SECOND ? FACTORS : 4 * 16; // in shared memory; without the rest there is room for more of the next tile
  constexpr int TURNS = SECOND ? (LEVELS + 8) * PAIRS : 0; // pairs: powers 1, 2, 4, … of the columns' factors
  Pair *next = rows + LAST * OWN * PAIRS; // of thread i, pair j: j·THREADS + i
  Complex *exchange = reinterpret_cast<Complex *>(next);
  Pair *turns = next + HELD * THREADS; // of this tile and of the next
  Complex *turns2 = reinterpret_cast<Complex *>(turns + 2 * TURNS);
  const Complex *turns3 = SECOND ? turns2 + 4 * 16 : table + clusterRank() * FACTORS + 4 * 16;
  Gate *full = reinterpret_cast<Gate *>(turns2 + KEPT), *ready = full + TEAMS;
  int thread = threadIdx.x;
  const int rank = clusterRank();
  const unsigned SENT = LAST * OWN / TEAMS * COLUMNS * sizeof(Complex); // bytes to a team

  for (int i = thread; i < KEPT; i += THREADS) turns2[i] = table[rank * FACTORS + i];
  if (thread < TEAMS) {
    closeGate(&full[thread], 1);
    closeGate(&ready[thread], CLUSTER);
    expect(&full[thread], SENT);
  }
  clusterSync();

  // A thread's pair of columns, s and m mod 16 in step 1, k mod 16 in step 2.
  const auto source = [&](int t) {
    const int row = thread / 16 * LAST + 2 * rank + thread / PAIRS % 2;
    return in + t / TILES * N + t % TILES * COLUMNS + (long long)row * STRIDE + 2 * (thread % PAIRS);
  };
  const auto fetch = [&](int t, int round) {
    const Complex *from = source(t);
#pragma unroll
    for (int j = 0; j < HELD; j++)
      copyPair(reinterpret_cast<Complex *>(next + j * THREADS + thread), from + j * (16ll * LAST * STRIDE));
    if (thread < TURNS)
      copyPair(reinterpret_cast<Complex *>(turns + (round & 1) * TURNS + thread), turning + 2 * (t % TILES * TURNS + thread));
  };
  Pair late[16 - HELD];
  const auto load = [&](int t) {
    const Complex *from = source(t);
#pragma unroll
    for (int j = HELD; j < 16; j++) late[j - HELD] = *reinterpret_cast<const Pair *>(from + j * (16ll * LAST * STRIDE));
  };

  int t = blockIdx.x / CLUSTER;
  const int clusters = gridDim.x / CLUSTER;
  if (t < tiles) {
    fetch(t, 0);
    load(t);
  }
  for (int round = 0; t < tiles; t += clusters, round++) {
    keep(thread);
    const bool more = t + clusters < tiles;
    // factor is power 2^b of that of a column of the tile.
    const auto factor = [&](int b, int column) {
      return reinterpret_cast<const Complex *>(turns + (round & 1) * TURNS)[b * COLUMNS + column];
    };
    const int column = 2 * (thread % PAIRS);
    Complex v[2][16];
    copied();
#pragma unroll
    for (int j = 0; j < 16; j++) {
      const Pair z = j < HELD ? next[j * THREADS + thread] : late[j < HELD ? 0 : j - HELD];
      v[0][j] = oriented(z.a);
      v[1][j] = oriented(z.b);
    }
    __syncthreads(); // all have read, and see the factors that others have copied

    // Step 1, and exchange 1 of one column of each pair at a time.
#pragma unroll
    for (int e = 0; e < 2; e++) {
      if (SECOND) {
        Complex w[4];
#pragma unroll
        for (int b = 0; b < 4; b++) w[b] = factor(LEVELS + 4 + b, column + e);
        Turned<16>::run(v[e], w);
      } else {
        Dft<16>::run(v[e]);
      }
      if (e > 0) __syncthreads();
#pragma unroll
      for (int p = 0; p < 16; p++) exchange[p * THREADS + thread] = v[e][p];
      __syncthreads();
#pragma unroll
      for (int a = 0; a < 16; a++) v[e][a] = exchange[thread / 16 * THREADS + a * 16 + thread % 16];
    }
    __syncthreads();
    if (more) {
      fetch(t + clusters, round + 1);
      load(t + clusters);
    }

    // Step 2. Its factors turn the results round by 2·EACH·rank places, so that
    // blocks send to different blocks at a time: result i of thread p is k = p +
    // 16·((i + 2·EACH·rank) mod 16).
    {
      const int p = thread / 16;
#pragma unroll
      for (int e = 0; e < 2; e++) {
        Complex w[4];
#pragma unroll
        for (int b = 0; b < 4; b++) {
          w[b] = turns2[b * 16 + p];
          if (SECOND) w[b] = w[b] * factor(LEVELS + b, column + e);
        }
        Turned<16>::run(v[e], w);
      }
      const int s = 2 * rank + thread / PAIRS % 2;
      const int place = ((s * OWN + p) * PAIRS + (thread % PAIRS ^ p % PAIRS)) * int(sizeof(Pair));
#pragma unroll
      for (int h = 0; h < TEAMS; h++) {
        pass(&ready[h], round, CLUSTER);
#pragma unroll
        for (int i = 0; i < CLUSTER; i++) {
          const int to = (i + rank) % CLUSTER;
#pragma unroll
          for (int a = 0; a < EACH; a++) {
            const int k = (i * TEAMS + h) * EACH + a;
            send(remote(rows + 16 * (h * EACH + a) * PAIRS, to) + place, v[0][k], v[1][k], remote(&full[h], to));
          }
        }
      }
    }

    // Step 3 of a team's k. Neighbouring threads have those results that are
    // neighbours in memory: k after the first pass, columns after the second.
    const int team = thread / TEAM, lane = thread % TEAM;
    Complex x[2 * EACH][LAST], *to = out + t / TILES * N + t % TILES * (long long)(SECOND ? COLUMNS : COLUMNS * SIZE);
    const int own = team * (16 * EACH) + (SECOND ? lane / COLUMNS : lane % (16 * EACH));
    const int first = SECOND ? lane % COLUMNS : lane / (16 * EACH) * 2;
    Complex w[LEVELS]; // of the k, or of the column
#pragma unroll
    for (int b = 0; b < LEVELS; b++) w[b] = SECOND ? factor(b, first) : turns3[b * OWN + own];
    pass(&full[team], round + 1, SENT / sizeof(Pair));
    if (lane == 0) expect(&full[team], SENT);
    const Pair *mine = rows + own * PAIRS;
    if (SECOND) {
#pragma unroll
      for (int u = 0; u < 2 * EACH; u++) {
#pragma unroll
        for (int s = 0; s < LAST; s++)
          x[u][s] = reinterpret_cast<const Complex *>(mine + (s * OWN + 8 * u) * PAIRS + (first / 2 ^ own % PAIRS))[first % 2];
      }
    } else {
#pragma unroll
      for (int u = 0; u < EACH; u++) {
#pragma unroll
        for (int s = 0; s < LAST; s++) {
          const Pair z = mine[s * OWN * PAIRS + (first / 2 + PAIRS / EACH * u ^ own % PAIRS)];
          x[2 * u][s] = z.a;
          x[2 * u + 1][s] = z.b;
        }
      }
    }
    // The room is free for the next results once all of the team have read.
    teamSync(team, TEAM);
    if (lane < CLUSTER) arrive(remote(&ready[team], lane));
    to += (OWN * rank + own) * (SECOND ? (long long)STRIDE : 1);
#pragma unroll
    for (int u = 0; u < 2 * EACH; u++) {
      if (SECOND) {
        Complex z[LEVELS];
#pragma unroll
        for (int b = 0; b < LEVELS; b++) z[b] = turns3[b * OWN + own + 8 * u] * w[b];
        Turned<LAST>::run(x[u], z);
#pragma unroll
        for (int q = 0; q < LAST; q++) to[first + (long long)(8 * u + 256 * q) * STRIDE] = oriented(x[u][q]);
      } else {
        Turned<LAST>::run(x[u], w);
        const int column = first + u / 2 * (2 * PAIRS / EACH) + u % 2;
#pragma unroll
        for (int q = 0; q < LAST; q++) to[(long long)column * SIZE + 256 * q] = oriented(x[u][q]);
      }
    }
  }
  clusterSync(); // no block ends while others send to it
}
