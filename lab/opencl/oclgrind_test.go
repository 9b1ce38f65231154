package opencl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What Oclgrind finds of a kernel is said in a line for each cause; of a good one nothing is found.
func TestOclgrind(t *testing.T) {
	folder := filepath.Join(filepath.Dir(os.Getenv("OCL_ICD_VENDORS")), "usr", "bin")
	if _, err := os.Stat(filepath.Join(folder, "oclgrind")); err != nil {
		t.Skip("no Oclgrind beside PoCL: ", err)
	}
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	const launch = `{"name": "twice", "global": "64 * ceildiv(N, 64)", "local": 64}`
	const good = "__kernel void twice(__global const float *x, __global float *y, int n)\n{\n    __local float tile[64];\n    int i = get_global_id(0);\n    if (i < n)\n        y[i] = 2 * x[i];\n}\n"
	for _, c := range []struct {
		old, instead string
		status       int
		want         []string
	}{
		{"", "", 0, []string{"oclgrind: nothing found; points: 1 ok, 0 bad", "oclgrind-init: nothing found; points: 1 ok, 0 bad"}},
		{"if (i < n)\n        y[i] = 2 * x[i];", "if (n < 0) tile[i % 64] = x[i];\n    if (i < n) y[i] = 2 * x[i] + tile[i % 64];", 1, []string{"oclgrind: nothing found", "oclgrind-init: 1 found"}},
		{"i < n", "i <= n", 1, []string{
			"kernel twice: work-group (15,0,0), work-item (40,0,0): k.cl:6: read of 4 bytes of global memory, outside of what is allocated\n",
			"work-item (40,0,0): k.cl:6: write of 4 bytes of global memory, outside of what is allocated\n"}},
		{"y[i] =", "y[i / 2] =", 1, []string{"k.cl:6: race of a write with a write at k.cl:6, in global memory"}},
		{"int n)\n{", "int n)\n{ if (get_local_id(0) < 32) barrier(CLK_LOCAL_MEM_FENCE);", 1, []string{"kernel twice: work-group (", "k.cl:2: only 32 out of 64 work-items executed barrier"}},
	} {
		dir := t.TempDir()
		describe(t, dir, strings.Replace(good, c.old, c.instead, 1), launch, patient)
		said, status := bench(t, dir, "verify", "k.json", "--sanitize")
		if status != c.status {
			t.Errorf("%s: status %d, want %d\n%s", c.instead, status, c.status, said)
		}
		for _, w := range c.want {
			if !strings.Contains(said, w) {
				t.Errorf("%s: want %q in\n%s", c.instead, w, said)
			}
		}
	}
	t.Setenv("PATH", t.TempDir())
	if said, status := bench(t, t.TempDir(), "verify", "fft", "--sanitize", "--device", "opencl:0"); status != 1 || !strings.Contains(said, "install the package oclgrind") {
		t.Errorf("without it: status %d\n%s", status, said)
	}
}
