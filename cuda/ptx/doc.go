// Package ptx reads PTX, the assembly that CUDA's compilers document and emit, and
// executes blocks of a kernel on the CPU, a warp at a time, so that what its
// instructions do can be counted without a GPU: which lanes take part, and what
// memory they touch. It executes what NVRTC makes of CUDA C++, and refuses by name an
// instruction that it does not know ("Parallel Thread Execution ISA", NVIDIA).
package ptx

// WarpSize is the number of lanes that execute one instruction together.
const WarpSize = 32
