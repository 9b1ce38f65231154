package kernel

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/everyboard"
)

// The architectures of the Jetson TX1, TX2, Xavier and Orin, and of an H100.
var architectures = []string{"sm_53", "sm_62", "sm_72", "sm_87", "sm_90"}

func compiler(t *testing.T) *nvrtc.Compiler {
	t.Helper()
	c, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	return c
}

// PolyBench's kernels compile without spilling: for the newest board, or, where every one is
// wanted, each for every second.
func TestPolyBenchCompiles(t *testing.T) {
	c := compiler(t)
	for n, path := range polybench(t) {
		a := built(t, path)
		v := a.versions[0]
		p := framework.Values{}
		for i, arch := range everyboard.Of(architectures) {
			if everyboard.Wanted() && (i+n)%2 != 0 {
				continue
			}
			s, err := v.unit.source(a, v, p, v.defaults(p, gpu.Facts{}), gpu.Facts{}, v.launches)
			if err != nil {
				t.Fatal(err)
			}
			image, err := c.Compile(s, arch)
			if err != nil {
				t.Errorf("%s for %s: %v", path, arch, err)
				continue
			}
			kernels, err := cubin.Kernels(image.Code)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range s.Kernels {
				if k, ok := kernels[cmp.Or(image.Lowered[name], name)]; !ok || k.LocalBytes > 0 || k.Registers > 64 { // 1024 threads of 64 fill an SM
					t.Errorf("%s for %s: kernel %s: %v, %d registers, %d bytes of local memory", path, arch, name, ok, k.Registers, k.LocalBytes)
				}
			}
		}
	}
}

// What bench new writes compiles for every board.
func TestExamplesCompile(t *testing.T) {
	c := compiler(t)
	for _, kind := range []string{"kernel", "go"} {
		text, err := os.ReadFile("../../command/scaffold/example/" + kind + "/NAME.cu")
		if err != nil {
			t.Fatal(err)
		}
		for _, arch := range everyboard.Of(architectures) {
			s := gpu.Source{Name: "NAME.cu", Text: string(text), Defines: map[string]string{"BLOCK": "256", "ITEMS": "4"}, Kernels: []string{"saxpy"}}
			if _, err := c.Compile(s, arch); err != nil {
				t.Errorf("%s for %s: %v", kind, arch, err)
			}
		}
	}
}

// NVRTC's message names the file and its line.
func TestMessageOfNVRTC(t *testing.T) {
	c := compiler(t)
	path := files(t, map[string]string{"x.cu": strings.Replace(axpyKernel, "a * x[i]", "b * x[i]", 1)})
	u, err := readUnit(filepath.Dir(path), sources{"x.cu"}, nil, sourceFiles{&config.Config{}}, false)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Compile(gpu.Source{Name: u.path, Text: u.text, Defines: map[string]string{"BLOCK": "32"}, Kernels: []string{"axpy"}}, "sm_53")
	if err == nil || !strings.Contains(err.Error(), "x.cu(3): error") {
		t.Errorf("got %v; want a message at x.cu(3)", err)
	}
}
