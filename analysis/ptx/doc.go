// Package ptx reads PTX, the assembly that CUDA's compilers document and emit, and executes blocks of a
// kernel on the CPU, a warp at a time. That makes it possible to count, without a GPU, which lanes take
// part in its instructions and what memory they touch. It executes what NVRTC makes of CUDA C++; an
// instruction that it does not know is an error that names it ("Parallel Thread Execution ISA", NVIDIA).
package ptx

// WarpSize is the number of lanes that execute one instruction together.
const WarpSize = 32
