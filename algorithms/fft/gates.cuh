// gates.cuh: blocks of a cluster that tell each other what they wrote into each
// other's shared memory (PTX 8.1, so NVRTC 12.1). The simulator's threads take
// turns, so that a counter of arrivals does for an mbarrier there.

#include "cluster.cuh"

// Gate opens once a round, when all of the round have arrived at it.
typedef unsigned long long Gate;

#ifdef BENCH_SIM
__device__ __forceinline__ void closeGate(Gate *gate, unsigned) { *gate = 0; }
__device__ __forceinline__ void expect(Gate *, unsigned) {}
__device__ __forceinline__ void arrive(Remote gate) { atomicAdd(reinterpret_cast<Gate *>(gate), 1ull); }
__device__ __forceinline__ void send(Remote to, Complex a, Complex b, Remote gate) {
  bench_cluster_store(reinterpret_cast<Complex *>(to), a);
  bench_cluster_store(reinterpret_cast<Complex *>(to) + 1, b);
  arrive(gate);
}
__device__ __forceinline__ void pass(Gate *gate, int rounds, unsigned arrivals) {
  while (atomicAdd(gate, 0ull) < (Gate)rounds * arrivals) {}
}
__device__ __forceinline__ void teamSync(int, int) { __syncthreads(); }
#else
// closeGate makes a gate that so many arrivals open, in each round. A
// clusterSync must follow before others see it.
__device__ __forceinline__ void closeGate(Gate *gate, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(local(gate)), "r"(arrivals)
               : "memory");
}

// expect arrives at a gate that, in this round, also waits for so many bytes
// of send.
__device__ __forceinline__ void expect(Gate *gate, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(local(gate)), "r"(bytes) : "memory");
}

// arrive tells a block's gate that what this thread and those of its last
// barrier did is done. A weaker order (relaxed, or of the block) saves 3 % of
// the kernel, but then nothing says that reads have ended.
__device__ __forceinline__ void arrive(Remote gate) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(gate) : "memory");
}

// send writes two elements to a block, and says so at its gate.
__device__ __forceinline__ void send(Remote to, Complex a, Complex b, Remote gate) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to), "f"(a.x),
               "f"(a.y), "f"(b.x), "f"(b.y), "r"(gate)
               : "memory");
}

// pass waits until the gate has opened in so many rounds, of these arrivals
// each.
__device__ __forceinline__ void pass(Gate *gate, int rounds, unsigned) {
  unsigned open;
  do {
    asm volatile("{\n\t.reg .pred p;\n\t"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                 "selp.u32 %0, 1, 0, p;\n\t}"
                 : "=r"(open)
                 : "r"(local(gate)), "r"((rounds + 1) & 1)
                 : "memory");
  } while (!open);
}

// teamSync is __syncthreads of one team of so many threads.
__device__ __forceinline__ void teamSync(int team, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(team + 1), "r"(threads) : "memory");
}
#endif
