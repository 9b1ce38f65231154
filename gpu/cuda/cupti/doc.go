// Package cupti counts hardware events of a GPU during runs of kernels, with the range profiler of
// NVIDIA's libcupti (CUDA 12.6 on, compute capability 7.5 on), which it loads at run time. A fault in
// that library ends the process, so counting belongs in a separate process.
//
// Names, constants and structure layouts are those of the CUPTI Reference Manual (NVIDIA):
// cupti_range_profiler.h, cupti_profiler_host.h, cupti_profiler_target.h, cupti_target.h and
// cupti_result.h.
package cupti
