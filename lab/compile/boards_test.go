package compile

import "example.org/bench/gpu"

// boards are the GPUs that every kernel must compile for and fit on. Limits
// are those of the table "Technical Specifications per Compute Capability" in
// NVIDIA's "CUDA C++ Programming Guide" 12.4 (5.3 and 6.2: version 10.2); the
// 32,768 registers per block of 5.3 are also what deviceQuery prints on a Jetson
// Nano. Counts of multiprocessors are from the modules' data sheets. L2 sizes
// and clocks steer at most a version's defaults: the former are approximate,
// the latter left out.
var boards = []gpu.Facts{
	{
		Name: "Jetson TX1", ComputeMajor: 5, ComputeMinor: 3, Multiprocessors: 2, WarpSize: 32,
		MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32, MaxThreadsBlock: 1024,
		RegistersPerSM: 64 << 10, RegistersBlock: 32 << 10,
		SharedPerSM: 64 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 48 << 10,
		L2Bytes: 256 << 10, GlobalBytes: 4 << 30, Integrated: true,
	},
	{
		Name: "Jetson TX2", ComputeMajor: 6, ComputeMinor: 2, Multiprocessors: 2, WarpSize: 32,
		MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32, MaxThreadsBlock: 1024,
		RegistersPerSM: 64 << 10, RegistersBlock: 32 << 10,
		SharedPerSM: 64 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 48 << 10,
		L2Bytes: 512 << 10, GlobalBytes: 8 << 30, Integrated: true, Cooperative: true,
	},
	{
		Name: "Jetson AGX Xavier", ComputeMajor: 7, ComputeMinor: 2, Multiprocessors: 8, WarpSize: 32,
		MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32, MaxThreadsBlock: 1024,
		RegistersPerSM: 64 << 10, RegistersBlock: 64 << 10,
		SharedPerSM: 96 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 96 << 10,
		L2Bytes: 512 << 10, GlobalBytes: 32 << 30, Integrated: true, Cooperative: true,
	},
	{
		Name: "Jetson AGX Orin", ComputeMajor: 8, ComputeMinor: 7, Multiprocessors: 16, WarpSize: 32,
		MaxThreadsPerSM: 1536, MaxBlocksPerSM: 16, MaxThreadsBlock: 1024,
		RegistersPerSM: 64 << 10, RegistersBlock: 64 << 10,
		SharedPerSM: 164 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 163 << 10, SharedReserved: 1 << 10,
		L2Bytes: 4 << 20, GlobalBytes: 64 << 30, Integrated: true, Cooperative: true,
	},
	{
		Name: "NVIDIA H200", ComputeMajor: 9, ComputeMinor: 0, Multiprocessors: 132, WarpSize: 32,
		MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32, MaxThreadsBlock: 1024,
		RegistersPerSM: 64 << 10, RegistersBlock: 64 << 10,
		SharedPerSM: 228 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 227 << 10, SharedReserved: 1 << 10,
		L2Bytes: 60 << 20, GlobalBytes: 141e9, Cooperative: true,
	},
}
