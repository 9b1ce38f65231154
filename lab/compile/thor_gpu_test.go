//go:build gpu

package compile

import (
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// thor is the GPU of a Jetson AGX Thor: "CUDA C++ Programming Guide" 13.0, compute
// capability 11.0, and the developer kit's data sheet.
var thor = gpu.Facts{
	Name: "Jetson AGX Thor", ComputeMajor: 11, ComputeMinor: 0, Multiprocessors: 20, WarpSize: 32,
	MaxThreadsPerSM: 1536, MaxBlocksPerSM: 24, MaxThreadsBlock: 1024,
	RegistersPerSM: 64 << 10, RegistersBlock: 64 << 10,
	SharedPerSM: 228 << 10, SharedPerBlock: 48 << 10, SharedOptIn: 227 << 10, SharedReserved: 1 << 10,
	L2Bytes: 32 << 20, GlobalBytes: 128e9, Integrated: true, Cooperative: true,
}

// onThor is the local memory per thread that CUDA 13's compiler gives kernels there, in
// bytes: of qr's registers, whose columns fill the registers.
var onThor = map[string]int{"registers": 32}

// TestEveryKernelOnThor needs the NVRTC of CUDA 13, not its GPU.
func TestEveryKernelOnThor(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, factory := range algorithms.All() {
		for _, point := range points(factory.Name) {
			params := complete(factory, point)
			problem := newProblem(t, factory, params)
			for _, v := range kernels(factory) {
				b := &board{facts: thor, compiler: compiler, local: onThor}
				if err := prepareDefaults(b, problem, v, params); err != nil {
					t.Errorf("%s %s %v: %v", factory.Name, v.Name, params, err)
				}
			}
			problem.Close()
		}
	}
}
