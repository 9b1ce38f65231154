package sim_test

import (
	"fmt"
	"regexp"
	"testing"

	"example.org/bench/gpu"
)

// Arguments of #pragma unroll that NVRTC 11.8 takes, and those that it refuses.
func TestUnroll(t *testing.T) {
	t.Parallel()
	d := open(t, 1)
	for _, c := range []struct{ argument, refused string }{
		{"4", ""}, {"(4)", ""}, {"4;", ""}, {"4 // turns", ""}, {"4 /* turns */", ""}, {"4, 5", ""}, {"0", ""}, {"true", ""}, {"A", ""}, {"N / 2", ""}, {"N >> 1", ""},
		{"four", ""}, {"TURNS", ""}, {"EMPTY", ""}, {"sizeof(int)", ""}, {"", ""}, {"9999999999", ""},
		{"NAME", ".NAME. was not declared"}, {"n", ".n. is not a constant"}, {"4.0", `no matching function for call to .turns\(double\)`},
	} {
		text := fmt.Sprintf(`
#define TURNS 4
#define EMPTY
enum { A = 2 };
template <int N> __global__ void k(float *x, int n) {
  const int four = 4;
  if (n > four)
#pragma unroll %s

    // Each once.
    for (int i = 0; i < n; i++) {
      if (i == 9) break;
      x[i] += 1;
    }
  else
    x[0] = -1;
}
`, c.argument)
		m, err := d.Compile(gpu.Source{Name: "k.cu", Text: text, Kernels: []string{"k<4>"}})
		if c.refused != "" {
			if err == nil || !regexp.MustCompile(`k\.cu:8:\d+: error: `+c.refused).MatchString(err.Error()) {
				t.Errorf("%s: %v, want %s", c.argument, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.argument, err)
			continue
		}
		k, err := m.Kernel("k<4>")
		if err != nil {
			t.Fatal(err)
		}
		x := upload(t, d, make([]float32, 16))
		for _, n := range []int32{12, 3} {
			if err := k.Launch(0, gpu.Launch{}, x, n); err != nil {
				t.Fatal(err)
			}
		}
		if got := download[float32](t, d, x, 16); got[0] != -1 || got[8] != 1 || got[9] != 0 {
			t.Errorf("%s: %v", c.argument, got)
		}
	}
}

// Before what is no loop the pragma is ignored, and its argument, too.
func TestUnrollOfNoLoop(t *testing.T) {
	t.Parallel()
	text := "__global__ void k(float *x) {\n#pragma unroll NAME\n  int y = 3;\n  x[0] = y;\n}\n"
	if _, err := open(t, 1).Compile(gpu.Source{Name: "k.cu", Text: text, Kernels: []string{"k"}}); err != nil {
		t.Error(err)
	}
}
