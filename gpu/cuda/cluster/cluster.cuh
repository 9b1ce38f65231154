// cluster.cuh: blocks of a cluster that write into each other's shared memory
// (compute capability 9.0; PTX 7.8, so NVRTC 11.8).

#ifdef BENCH_SIM
typedef char *Remote; // a place in the shared memory of a block of the cluster

__device__ __forceinline__ unsigned clusterRank() { return bench_cluster_rank(); }
__device__ __forceinline__ void clusterArrive() {}
__device__ __forceinline__ void clusterWait() { bench_cluster_sync(); }
__device__ __forceinline__ Remote remote(void *shared, unsigned rank) { return bench_cluster_map(static_cast<char *>(shared), rank); }
template <class T> __device__ __forceinline__ void put(Remote to, T value) { bench_cluster_store(reinterpret_cast<T *>(to), value); }
#else
typedef unsigned Remote;

__device__ __forceinline__ unsigned local(const void *shared) { return unsigned(__cvta_generic_to_shared(shared)); }

__device__ __forceinline__ unsigned clusterRank() {
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// What a thread wrote before clusterArrive, to whatever block, all threads of
// the cluster see after clusterWait.
__device__ __forceinline__ void clusterArrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ __forceinline__ void clusterWait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }

// remote is where `shared` of this block lies in the block of that rank.
__device__ __forceinline__ Remote remote(const void *shared, unsigned rank) {
  unsigned to;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(local(shared)), "r"(rank));
  return to;
}

// put writes a value to a block that runs: one that has arrived at the
// cluster's barrier and will once more.
__device__ __forceinline__ void put(Remote to, float value) {
  asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(to), "f"(value) : "memory");
}
__device__ __forceinline__ void put(Remote to, double value) {
  asm volatile("st.shared::cluster.f64 [%0], %1;" ::"r"(to), "d"(value) : "memory");
}
#endif

__device__ __forceinline__ void clusterSync() {
  clusterArrive();
  clusterWait();
}
