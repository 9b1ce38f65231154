package bicubic

import (
	"fmt"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// What lab/compile, which takes the default factors, does not compile: columns
// that are not enlarged, the most rows, weights that differ from thread to thread.
func TestFusedCompilesWithoutSpills(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for i, arch := range everyboard.Of([]string{"sm_53", "sm_72", "sm_90"}) {
		for j, c := range []struct{ r, c, vector int }{{8, 1, 4}, {64, 3, 4}, {1, 32, 2}} {
			params := setting(64, 64, c.r, c.c, []string{"hermite", "bspline"}[(i+j+1)%2])
			q := testProblem(t, params)
			a, err := newFused(framework.Env{}, q, framework.IntValues("BX", 256, "BY", 1, "VECTOR", c.vector, "RUN", 8, "BLOCKS", 1, "STORE", 1))
			if err != nil {
				t.Fatal(err)
			}
			at := fmt.Sprint(arch, c)
			image, err := compiler.Compile(a.source, arch)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			kernels, err := cubin.Kernels(image.Code)
			if err != nil {
				t.Fatal(err)
			}
			k, ok := kernels["fused"]
			if !ok || k.LocalBytes > 0 || k.Registers == 0 {
				t.Errorf("%s: kernel %v, %d bytes of local memory per thread, %d registers", at, ok, k.LocalBytes, k.Registers)
			}
			t.Logf("%s: %d registers", at, k.Registers)
		}
	}
}
