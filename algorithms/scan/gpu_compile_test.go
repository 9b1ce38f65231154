package scan

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// What lab/compile, which takes the defaults, does not compile: copies ahead,
// and lengths that leave single elements as vectors.
func TestStagesCompileWithoutSpills(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for i, arch := range everyboard.Of([]string{"sm_80", "sm_87", "sm_90"}) {
		for j, kind := range []string{"f32", "f64", "i32"} {
			for _, n := range []int64{1 << 16, 40001}[(i+j)%2:][:1] {
				s := shapeOf(setting(n, 3, kind, "exclusive"))
				p := 16 * 4 / int(s.Bytes)
				source := lookbackPlan(s, lookbackSettings(p, 256, 2, 5, 4, 2, 1), gpu.Facts{}).source
				image, err := compiler.Compile(source, arch)
				if err != nil {
					t.Fatalf("%s %s N %d: %v", arch, kind, n, err)
				}
				kernels, err := cubin.Kernels(image.Code)
				if err != nil {
					t.Fatal(err)
				}
				k, ok := kernels["scan"]
				if !ok || k.LocalBytes > 0 || k.Registers == 0 {
					t.Errorf("%s %s N %d: kernel %v, %d bytes of local memory per thread, %d registers", arch, kind, n, ok, k.LocalBytes, k.Registers)
				}
			}
		}
	}
}
