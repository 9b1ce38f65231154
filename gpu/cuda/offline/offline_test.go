package offline

import (
	"testing"

	"example.org/bench/gpu"
)

func TestLaunchesTellWhatTheyTake(t *testing.T) {
	facts := gpu.Facts{ComputeMajor: 6, ComputeMinor: 2, MaxThreadsBlock: 1024, MaxThreadsPerSM: 2048, MaxBlocksPerSM: 32,
		RegistersPerSM: 65536, RegistersBlock: 32768, SharedPerSM: 65536, SharedOptIn: 49152}
	d, err := Open(facts)
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	m, err := d.Compile(gpu.Source{Name: "k.cu", Text: `extern "C" __global__ void k(float *x) {
  __shared__ float s[256];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = s[(threadIdx.x + 1) % 256];
}`, Kernels: []string{"k"}})
	if err != nil {
		t.Fatal(err)
	}
	k, err := m.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 3, Y: 2}, Block: gpu.Dim3{X: 256}, SharedBytes: 512}); err != nil {
		t.Fatal(err)
	}
	got := d.Launches()
	if len(got) != 1 || got[0].Blocks != 6 || got[0].Threads != 256 || got[0].SharedBytes != 1536 || got[0].Registers < 1 {
		t.Errorf("%+v", got)
	}
	if n, _ := k.ActiveBlocks(256, 0); n != 8 {
		t.Errorf("%d blocks per multiprocessor, want 8 of 256 threads", n)
	}
	if n, _ := k.ActiveClusters(gpu.Launch{Block: gpu.Dim3{X: 256}, Cluster: gpu.Dim3{X: 4}}); n != 8*d.Facts().Multiprocessors/4 {
		t.Errorf("%d clusters of 4 blocks", n)
	}
	if k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 1025}}) == nil || k.Launch(0, gpu.Launch{SharedBytes: 49152}) == nil {
		t.Error("a launch that the device refuses was taken")
	}
	if len(d.Launches()) != 0 {
		t.Error("refused launches were kept")
	}
	if _, err := m.Kernel("other"); err == nil {
		t.Error("a kernel that is not there was found")
	}
	if _, err := d.Compile(gpu.Source{Name: "k.cu", Text: "nonsense"}); err == nil {
		t.Error("nonsense compiled")
	}
}
