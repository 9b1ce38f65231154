package sim_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

// Options of NVRTC that change what a text means hold in the simulator.
func TestOptions(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	const text = `#if SCALE != 3 || !FLAG || defined(GONE)
#error options
#endif
template <class T> concept Float = sizeof(T) == 4;
template <Float T> __device__ T twice(T x) { return 2 * x; }
extern "C" __global__ void k(float* out) { out[0] = twice(1.0f); }`
	src := gpu.Source{Name: "k.cu", Text: text, Kernels: []string{"k"}, Defines: map[string]string{"GONE": "1"}}
	for _, options := range [][]string{
		{"--std=c++20", "-DSCALE=3", "-D", "FLAG", "-UGONE", "--use_fast_math"},
		{"-std=c++20", "--define-macro=SCALE=3", "--define-macro", "FLAG=1", "--undefine-macro=GONE"},
	} {
		src.Options = options
		m, err := d.Compile(src)
		if err != nil {
			t.Errorf("%q: %v", options, err)
			continue
		}
		if err := m.Unload(); err != nil {
			t.Error(err)
		}
	}
	src.Options = src.Options[1:]
	var failed *gpu.CompileError
	if _, err := d.Compile(src); !errors.As(err, &failed) || !strings.Contains(failed.Log, "concept") {
		t.Errorf("without the option for C++20: %v", err)
	}
}

// Headers above the source's folder, and of names that the simulator's own have.
func TestHeadersBesideTheSource(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	k := compile(t, d, "k", `#include "../../far.h"
#include "sub/near.h"
#include "vector.h"
#include <atomic.h>
extern "C" __global__ void k(int* out) { out[0] = FAR + NEAR + VECTOR + ATOMIC; }`,
		"../../far.h", "#define FAR 1000", "sub/near.h", "#include \"../beside.h\"", "../beside.h", "#define NEAR 200", "vector.h", "#define VECTOR 30", "atomic.h", "#define ATOMIC 4")
	out := upload(t, d, make([]int32, 1))
	launch(t, k, gpu.Launch{}, out)
	if got := download[int32](t, d, out, 1)[0]; got != 1234 {
		t.Errorf("got %d, want 1234", got)
	}
}
