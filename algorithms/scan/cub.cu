// Calls into CUB's device-wide scans, compiled by nvcc for one KIND (0 scan, 1
// by key, 2 segmented), TYPE and mode: version "cub" and its like load it.
// Each function returns a cudaError_t; with no temp it only sets *bytes.
#include <cuda_runtime.h>
#include <cub/device/device_scan.cuh>
#if KIND
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#endif
#if KIND == 2
#include <cub/device/device_segmented_scan.cuh>
#endif

extern "C" int bench_cub_version() { return CUB_VERSION; }

extern "C" const char* bench_cub_error(int code) { return cudaGetErrorString(static_cast<cudaError_t>(code)); }

#if KIND == 0
// count scans of n elements, one call after another.
extern "C" int bench_cub_scan(void* temp, size_t* bytes, const TYPE* in, TYPE* out, long long n, long long count, cudaStream_t stream) {
  for (long long i = 0; i < count; i++, in += n, out += n) {
#if EXCLUSIVE
    cudaError_t e = cub::DeviceScan::ExclusiveSum(temp, *bytes, in, out, static_cast<int>(n), stream);
#else
    cudaError_t e = cub::DeviceScan::InclusiveSum(temp, *bytes, in, out, static_cast<int>(n), stream);
#endif
    if (e != cudaSuccess || temp == nullptr) return e;
  }
  return cudaSuccess;
}
#elif KIND == 1
struct Shift {
  int by;
  __host__ __device__ int operator()(int i) const { return i >> by; }
};

struct Same {
  __host__ __device__ bool operator()(int a, int b) const { return a == b; }
};

// count scans of n elements, a power of two: the key is the index over n.
extern "C" int bench_cub_scan(void* temp, size_t* bytes, const TYPE* in, TYPE* out, long long n, long long count, cudaStream_t stream) {
  Shift shift = {0};
  while (1ll << shift.by < n) shift.by++;
  auto keys = thrust::make_transform_iterator(thrust::make_counting_iterator(0), shift);
#if EXCLUSIVE
  return cub::DeviceScan::ExclusiveSumByKey(temp, *bytes, keys, in, out, static_cast<int>(n * count), Same(), stream);
#else
  return cub::DeviceScan::InclusiveSumByKey(temp, *bytes, keys, in, out, static_cast<int>(n * count), Same(), stream);
#endif
}
#else
struct Times {
  long long n;
  __host__ __device__ long long operator()(long long i) const { return i * n; }
};

// count scans of n elements, each a segment.
extern "C" int bench_cub_scan(void* temp, size_t* bytes, const TYPE* in, TYPE* out, long long n, long long count, cudaStream_t stream) {
  auto from = thrust::make_transform_iterator(thrust::make_counting_iterator(0ll), Times{n});
#if EXCLUSIVE
  return cub::DeviceSegmentedScan::ExclusiveSegmentedSum(temp, *bytes, in, out, from, from + 1, count, stream);
#else
  return cub::DeviceSegmentedScan::InclusiveSegmentedSum(temp, *bytes, in, out, from, from + 1, count, stream);
#endif
}
#endif
