// Package cupti counts what a GPU's hardware did during runs of kernels, by the range
// profiler of NVIDIA's libcupti (CUDA 12.6 on, compute capability 7.5 on), which is loaded
// at run time. A fault of that library ends the process: count in one of its own.
//
// Names, constants and structure layouts are those of the CUPTI Reference Manual
// (NVIDIA): cupti_range_profiler.h, cupti_profiler_host.h, cupti_profiler_target.h,
// cupti_target.h and cupti_result.h.
package cupti
