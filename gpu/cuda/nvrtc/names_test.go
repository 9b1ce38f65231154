package nvrtc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/gpu/cuda/standard"
)

// Names of C++ are found in the code: functions without extern "C", instances of
// templates with macros of the options and of the source, namespaces, variables.
func TestLoweredNames(t *testing.T) {
	c := open(t)
	src := gpu.Source{
		Name: "names.cu",
		Text: `#define LANES 2
__constant__ float filter[12];
namespace deep { __device__ int counter; template <class T, int N> __global__ void sum(T *x) { x[N] = N; } }
template <typename T> __global__ void scale(T *x) { *x *= 2; }
__global__ void plain(float *x) { *x = filter[1]; }
extern "C" __global__ void named(float *x) { *x = 1; }
`,
		Defines: map[string]string{"BLOCK": "64"},
		Kernels: []string{"plain", "named", "deep::sum<float, BLOCK>", "deep::sum<double, LANES * 3>", "scale<unsigned>"},
		Globals: []string{"filter", "deep::counter"},
	}
	for range 2 { // then from the cache
		image := compile(t, c, src, "sm_53")
		kernels, err := cubin.Kernels(image.Code)
		if err != nil {
			t.Fatal(err)
		}
		for name, part := range map[string]string{"plain": "_Z5plainPf", "deep::sum<float, BLOCK>": "IfLi64EE", "deep::sum<double, LANES * 3>": "IdLi6EE", "scale<unsigned>": "scaleIjE"} {
			lowered := image.Lowered[name]
			if _, ok := kernels[lowered]; !ok || !strings.Contains(lowered, part) {
				t.Errorf("%s is %q; the code has %v", name, lowered, kernels)
			}
		}
		if _, ok := kernels["named"]; !ok || image.Lowered["named"] != "" {
			t.Errorf("named is %q; the code has %v", image.Lowered["named"], kernels)
		}
		sizes, err := cubin.Variables(image.Code)
		if err != nil {
			t.Fatal(err)
		}
		if counter := image.Lowered["deep::counter"]; sizes["filter"] != 48 || sizes[counter] != 4 {
			t.Errorf("variables %v; the counter is %q", sizes, counter)
		}
	}
	src.Kernels = []string{"absent<int>"}
	if _, err := c.Compile(src, "sm_53"); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a name that is not there: %v", err)
	}
}

// A toolkit's headers are found where the user says, and in CUDA 13's folder.
func TestToolkitHeaders(t *testing.T) {
	c := open(t)
	home := t.TempDir()
	t.Setenv("CUDA_HOME", home)
	for name, text := range map[string]string{"include/own.h": "#include <cub/part.h>\n", "include/cccl/cub/part.h": "#define ANSWER 42\n"} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src := gpu.Source{Name: "h.cu", Text: "#include <own.h>\n#include <cub/part.h>\nextern \"C\" __global__ void k(int *x) { *x = ANSWER; }\n", Kernels: []string{"k"}}
	compile(t, c, src, "sm_53")
	src.Text = strings.Replace(src.Text, "#include <cub/part.h>\n", "", 1) // own.h takes it
	compile(t, c, src, "sm_53")
	src.Text = strings.Replace(src.Text, "own.h", "absent.h", 1)
	if _, err := c.Compile(src, "sm_53"); err == nil || !strings.Contains(err.Error(), "absent.h") {
		t.Errorf("a header that is not there: %v", err)
	}
}

// libcu++'s <cuda/std/cstdint>, which cooperative_groups.h of CUDA 13 includes, declares these types for NVRTC in the same namespace.
func TestWholeNumbersBesideLibcuxx(t *testing.T) {
	c := open(t)
	t.Setenv("CUDA_HOME", t.TempDir())
	const libcuxx = "using int64_t = signed long long;\nusing uint64_t = unsigned long long;\nusing intptr_t = int64_t;\nusing uintptr_t = uint64_t;\n"
	const kernel = "extern \"C\" __global__ void k(int64_t *x) { *x = sizeof(uintptr_t); }\n"
	for _, text := range []string{libcuxx + "#include <stdint.h>\n" + kernel, "#include <cstdint>\n" + libcuxx + kernel} {
		headers := map[string]string{}
		standard.Add(headers, standard.Find, text)
		compile(t, c, gpu.Source{Name: "k.cu", Text: text, Headers: headers, Kernels: []string{"k"}}, "sm_53")
	}
}
