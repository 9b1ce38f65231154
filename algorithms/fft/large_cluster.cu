// large_cluster.cu: the FFT of N = 256·COLUMNS elements by a cluster of blocks
// that hold 8192 elements each in registers. Clusters stay and take one
// transform after another.
//
// Input n1·COLUMNS + n2 and result k1 + 256·k2: block r takes the columns n2 =
// 32r … 32r+31 through steps 1 and 2, of which the results are rows k1, sends
// each to the block of its row, and takes its own rows through steps 3 and 4.
// The rotations between columns and rows are in the factors of steps 3 and 4.
//
// Two blocks a multiprocessor overlap, and each begins to fetch the next
// transform after step 1. Rows are the work of teams, each of which starts
// when its own have come; results go to one team of all blocks after the
// other, so that the teams of a block do different things at a time
// (N = 65536: 0.371 ms instead of 0.394, on an H200).
//
// Moves 16·N bytes a transform, and 8·N·(1 - 1/CLUSTER) between
// multiprocessors.

#include "stockham.cuh"
#include "turned.cuh"
#include "ahead.cuh"
#include "gates.cuh"

#define THREADS 256
#define COLUMNS (32 * CLUSTER)       // of a transform
#define ROWS (256 / CLUSTER)         // of a block
#define TEAMS (ROWS / 16)            // a team transforms 16 rows
#define TEAM (THREADS / TEAMS)       // threads of a team
#define LAST (2 * CLUSTER)           // radix of step 4; the others' is 16
#define STRIDE (COLUMNS + 2)         // of a row: 8 lanes read 16 bytes each without bank conflicts
#define N (256 * COLUMNS)

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    clustered(const Complex *__restrict__ in, Complex *__restrict__ out, const Complex *__restrict__ table, int transforms) {
  extern __shared__ __align__(128) Complex rows[];
  constexpr int LEVELS = log2of(LAST), FACTORS = 4 * (16 + ROWS) + LEVELS * (16 + ROWS);
  Complex *next = rows + ROWS * STRIDE; // of thread i, pair j: j·THREADS + i; also for exchange 1
  Complex *factors = next + 2 * HELD * THREADS;
  Complex *turns2 = factors, *turns3 = turns2 + 4 * 16, *turns4 = turns3 + 4 * ROWS, *turns5 = turns4 + LEVELS * ROWS;
  Gate *full = reinterpret_cast<Gate *>(factors + FACTORS), *ready = full + TEAMS;
  int thread = threadIdx.x;
  const int rank = clusterRank();
  const unsigned SENT = 16 * COLUMNS * sizeof(Complex); // bytes to a team

  for (int i = thread; i < FACTORS; i += THREADS) factors[i] = table[rank * FACTORS + i];
  if (thread < TEAMS) {
    closeGate(&full[thread], 1);
    closeGate(&ready[thread], CLUSTER);
    expect(&full[thread], SENT);
  }
  clusterSync();

  const auto source = [&](int t) {
    return in + (long long)t * N + thread / 16 * COLUMNS + 32 * rank + 2 * (thread % 16);
  };
  const auto fetch = [&](int t) {
    const Complex *from = source(t);
#pragma unroll
    for (int j = 0; j < HELD; j++) copyPair(next + 2 * (j * THREADS + thread), from + j * (16 * COLUMNS));
  };
  Pair late[16 - HELD];
  const auto load = [&](int t) {
    const Complex *from = source(t);
#pragma unroll
    for (int j = HELD; j < 16; j++) late[j - HELD] = *reinterpret_cast<const Pair *>(from + j * (16 * COLUMNS));
  };

  int t = blockIdx.x / CLUSTER;
  const int clusters = gridDim.x / CLUSTER;
  if (t < transforms) {
    fetch(t);
    load(t);
  }
  for (int round = 0; t < transforms; t += clusters, round++) {
    keep(thread);
    const bool more = t + clusters < transforms;
    Complex v[2][16];
    copied();
#pragma unroll
    for (int j = 0; j < 16; j++) {
      const Pair z = j < HELD ? *reinterpret_cast<const Pair *>(next + 2 * (j * THREADS + thread)) : late[j < HELD ? 0 : j - HELD];
      v[0][j] = oriented(z.a);
      v[1][j] = oriented(z.b);
    }

    // Step 1, and exchange 1 of one column of each pair at a time.
#pragma unroll
    for (int e = 0; e < 2; e++) {
      Dft<16>::run(v[e]);
      __syncthreads();
#pragma unroll
      for (int p = 0; p < 16; p++) next[p * THREADS + thread] = v[e][p];
      __syncthreads();
#pragma unroll
      for (int a = 0; a < 16; a++) v[e][a] = next[thread / 16 * THREADS + a * 16 + thread % 16];
    }
    __syncthreads();
    if (more) {
      fetch(t + clusters);
      load(t + clusters);
    }

    // Step 2. Its factors turn the results round by TEAMS·rank places, so that
    // blocks send to different blocks at a time: result k of thread p is row
    // k1 = p + 16·((k + TEAMS·rank) mod 16).
    {
      const int p = thread / 16;
      Complex w[4];
#pragma unroll
      for (int i = 0; i < 4; i++) w[i] = turns2[i * 16 + p];
      Turned<16>::run(v[0], w);
      Turned<16>::run(v[1], w);
      const int place = (p * STRIDE + 32 * rank + 2 * (thread % 16)) * int(sizeof(Complex));
#pragma unroll
      for (int h = 0; h < TEAMS; h++) {
        pass(&ready[h], round, CLUSTER);
#pragma unroll
        for (int i = 0; i < CLUSTER; i++) {
          const int to = (i + rank) % CLUSTER, k = i * TEAMS + h;
          send(remote(rows + 16 * h * STRIDE, to) + place, v[0][k], v[1][k], remote(&full[h], to));
        }
      }
    }

    // Steps 3 and 4 of 16 rows by a team, thread g of a row: columns 2g and
    // 2g+1 from LAST to LAST, then LAST in a row.
    const int team = thread / TEAM, g = thread % TEAM / 16, row = 16 * team + thread % 16;
    Complex *mine = rows + row * STRIDE;
    pass(&full[team], round + 1, SENT / sizeof(Pair));
    if (thread % TEAM == 0) expect(&full[team], SENT);
    {
      Complex w[4];
#pragma unroll
      for (int i = 0; i < 4; i++) w[i] = turns3[i * ROWS + row];
#pragma unroll
      for (int c = 0; c < 16; c++) {
        const Pair z = *reinterpret_cast<const Pair *>(mine + LAST * c + 2 * g);
        v[0][c] = z.a;
        v[1][c] = z.b;
      }
      Turned<16>::run(v[0], w);
      Turned<16>::run(v[1], w);
#pragma unroll
      for (int s = 0; s < 16; s++) *reinterpret_cast<Pair *>(mine + LAST * s + 2 * g) = Pair{v[0][s], v[1][s]};
    }
    teamSync(team, TEAM);
    Complex x[16 / CLUSTER][LAST];
#pragma unroll
    for (int u = 0; u < 16 / CLUSTER; u++) {
#pragma unroll
      for (int b = 0; b < LAST; b += 2) {
        const Pair z = *reinterpret_cast<const Pair *>(mine + LAST * (16 / CLUSTER * g + u) + b);
        x[u][b] = z.a;
        x[u][b + 1] = z.b;
      }
    }
    // The room is free for the next results once all of the team have read.
    teamSync(team, TEAM);
    if (thread % TEAM < CLUSTER) arrive(remote(&ready[team], thread % TEAM));
    Complex *to = out + (long long)t * N + 16 * TEAMS * rank + row;
#pragma unroll
    for (int u = 0; u < 16 / CLUSTER; u++) {
      const int s = 16 / CLUSTER * g + u;
      Complex w[LEVELS];
#pragma unroll
      for (int i = 0; i < LEVELS; i++) w[i] = turns4[i * ROWS + row] * turns5[i * 16 + s];
      Turned<LAST>::run(x[u], w);
#pragma unroll
      for (int k = 0; k < LAST; k++) to[256 * s + 4096 * k] = oriented(x[u][k]);
    }
  }
  clusterSync(); // no block ends while others send to it
}
