package opencl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
)

func values(pairs ...any) framework.Values {
	v := framework.Values{}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		switch x := pairs[i+1].(type) {
		case int:
			v[name] = framework.IntValue(int64(x))
		case string:
			v[name] = framework.TextValue(x)
		}
	}
	return v
}

// Every version of the six algorithms that runs on OpenCL gives right answers to the forms that it takes: odd batches that fill no whole work-group,
// both precisions, both directions and modes, edges. What `bench verify --device opencl:0` checks beside takes minutes.
func TestTheSix(t *testing.T) {
	d := open(t)
	if !slices.Contains(d.Facts().OpenCL.Extensions, "cl_khr_fp64") {
		t.Fatal("PoCL has no double precision here")
	}
	solved := map[string]bool{"fft/clfft": true} // by TestVerbsOfTheSix: a library needs the driver's own device
	solve := func(algorithm string, params framework.Values, versions ...string) {
		f := algorithms.All()[slices.IndexFunc(algorithms.All(), func(f *framework.Factory) bool { return f.Name == algorithm })]
		for _, v := range versions {
			solved[algorithm+"/"+v] = true
			algorithmtest.Solve(t, f, d, v, params, nil)
		}
	}
	solve("fft", values("N", 64, "batch_elements", 3*64), "stockham")
	solve("fft", values("N", 1024, "batch_elements", 5*1024, "direction", "inverse"), "stockham")
	solve("fft", values("N", 512, "batch_elements", 3*512, "precision", "f64"), "stockham")
	solve("fft", values("N", 16384, "batch_elements", 3*16384), "stockham")
	solve("fft", values("N", 8192, "batch_elements", 8192, "precision", "f64", "direction", "inverse"), "multi")
	solve("scan", values("N", 64, "batch_elements", 37*64, "mode", "exclusive"), "lf", "ks")
	solve("scan", values("N", 4096, "batch_elements", 3*4096, "type", "f64"), "lf")
	solve("scan", values("N", 8192, "batch_elements", 3*8192, "type", "i32"), "ks")
	solve("scan", values("N", 70001, "batch_elements", 3*70001, "mode", "exclusive"), "passes")
	solve("tridiagonal", values("N", 64, "batch", 37), "cr", "wm")
	solve("tridiagonal", values("N", 1024, "batch", 3, "precision", "f64"), "pcr", "lf")
	solve("qr", values("m", 100, "n", 9, "batch", 3), "v1", "v2", "v3")
	solve("qr", values("m", 64, "n", 64, "batch", 3), "v4", "v5", "v6")
	solve("qr", values("m", 50, "n", 50, "precision", "f64"), "v3")
	solve("bicubic", values("rows", 37, "cols", 131), "v1", "v2", "v3", "v5")
	solve("bicubic", values("rows", 37, "cols", 131, "basis", "bspline", "row_factor", 3, "column_factor", 5), "v2", "v5")
	solve("pattern", values("K", 37), "v1", "v2")
	for _, f := range algorithms.All() {
		for _, v := range f.Versions {
			if v.Processor == framework.GPU && v.Takes(true) && !solved[f.Name+"/"+v.Name] {
				t.Errorf("%s/%s was not tried", f.Name, v.Name)
			}
		}
	}
}

// little is a device with less local memory.
type little struct{ gpu.Device }

func (l little) Facts() gpu.Facts {
	f := l.Device.Facts()
	f.SharedPerBlock = 16 << 10
	return f
}

// Tridiagonal systems are right with the steps of each radix, of every depth, and whether or not there is local memory for all rows at once.
func TestTridiagonalSteps(t *testing.T) {
	d := open(t)
	f := algorithms.All()[slices.IndexFunc(algorithms.All(), func(f *framework.Factory) bool { return f.Name == "tridiagonal" })]
	for _, version := range []string{"cr", "pcr", "lf", "wm"} {
		for _, x := range []struct {
			n, p, l, r int
			d          gpu.Device
		}{{16, 2, 32, 8, d}, {1024, 32, 32, 4, d}, {1024, 32, 64, 8, little{d}}} {
			set := values("S", x.p*x.l, "P", x.p, "L", x.l, "SHUFFLE", 0)
			if version == "wm" {
				set["r"] = framework.IntValue(int64(x.r))
			}
			algorithmtest.Solve(t, f, x.d, version, values("N", x.n, "batch", 5), set)
		}
	}
}

// The program measures a built-in algorithm on OpenCL, and says in a line what it does not have there.
func TestVerbsOfTheSix(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fft.json"), []byte(`{"algorithm": "fft", "versions": ["stockham"], "processor": "GPU", "static_args": {"batch_elements": 24576},
		"sweep_arg": {"N": [64, 8192]}, "sensors": [], "measure": {"ceilings": false, "timeout_s": 0.2}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		args, want string
		status     int
	}{
		{"run fft.json --device opencl:0 --out run", "device opencl:0, all ok", 0},
		{"plan fft.json --device opencl:0 --set AHEAD=1 --set FETCH=2", "AHEAD = 1 is CUDA's; want 0 on a device of OpenCL", 0},
		{"plan fft.json --device opencl:0 --set B=4", "B = 4: OpenCL has no such hint; want 1", 0},
		{"run fft.json --versions clfft --set N=64,8192 --set precision=f32,f64 --set direction=forward,inverse --verify full --device opencl:0 --out clfft", "device opencl:0, all ok", 0},
		{"why run", "missing: the run has no ceilings of its device (measure.ceilings)", 0},
		{"why fft.json --device opencl:0", "finding: unknown at 2 of 2 points", 0},
		{"list fft", "GPU, OpenCL", 0},
		{"list scan", "OpenCL", 0},
	} {
		if said, status := bench(t, dir, strings.Fields(step.args)...); status != step.status || !strings.Contains(said, step.want) {
			t.Errorf("bench %s: status %d, want %d and %q in\n%s", step.args, status, step.status, step.want, said)
		}
	}
}
