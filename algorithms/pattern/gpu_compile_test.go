package pattern

import (
	"fmt"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// What lab/compile, which takes the defaults, does not compile: the tunables
// that algorithms/pattern/README.md compares, and accesses of fewer than four elements.
func TestTunablesCompileWithoutSpills(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	full := shape{3000, 32, 101, 50}
	for _, c := range []struct {
		shape
		lanes, r, rolled, threads, blocks, ahead int
	}{
		{full, 4, 26, 0, 128, 4, 0}, {full, 8, 13, 0, 128, 4, 1}, {full, 16, 7, 1, 128, 4, 0},
		{shape{3000, 7, 20, 9}, 8, 13, 1, 128, 4, 0},
	} {
		for _, arch := range everyboard.Of([]string{"sm_53", "sm_90"}) {
			v := framework.IntValues("LANES", c.lanes, "R", c.r, "ROLLED", c.rolled, "THREADS", c.threads, "BLOCKS", c.blocks, "AHEAD", c.ahead)
			image, err := compiler.Compile(fusedPlan(c.shape, v, gpu.Facts{}).source, arch)
			at := fmt.Sprint(arch, c)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			kernels, err := cubin.Kernels(image.Code)
			if err != nil {
				t.Fatal(err)
			}
			k, ok := kernels["match"]
			if !ok || k.LocalBytes > 0 || k.Registers == 0 {
				t.Errorf("%s: kernel %v, %d bytes of local memory per thread, %d registers", at, ok, k.LocalBytes, k.Registers)
			}
			t.Logf("%s: %d registers", at, k.Registers)
		}
	}
}
