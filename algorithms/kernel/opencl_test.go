package kernel

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

const tileCL = `__kernel void tile(__global const float *x, __global float *y, __constant float *table, int n, __local float *part) { }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void other(global float4 *restrict y, global float3 *z) {}
`

// tileConfig is a config of tileCL's first kernel.
const tileConfig = `{"algorithm": {"opencl": {"source": "x.cl",
 "params": [{"name": "N", "default": 100, "min": 1, "max": 100000}],
 "arguments": [
  {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "N", "use": "output"},
  {"name": "table", "type": "f32", "space": "constant", "size": 16, "fill": {"random": [-1, 1]}},
  {"name": "n", "type": "i32", "value": "N"},
  {"name": "part", "type": "f32", "space": "local", "size": "2*BLOCK"}],
 "kernels": [{"name": "tile", "global": ["BLOCK*ceildiv(N, BLOCK)", 2], "local": ["BLOCK", 2]}],
 "tunables": [{"name": "BLOCK", "values": [32, 64], "default": 64}],
 "verify": {"none": "because"}}}}`

func TestLaunchesOfOpenCL(t *testing.T) {
	path := files(t, map[string]string{"x.json": tileConfig, "x.cl": tileCL})
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	v := f.Versions[0]
	if v.Name != "tile" || !v.OpenCL || v.Processor != framework.GPU || f.Name != "x" {
		t.Errorf("version %s, OpenCL %v, on %s, of %s", v.Name, v.OpenCL, v.Processor, f.Name)
	}
	// Local memory is no memory of the device.
	if got := v.DeviceBytes(params(f, nil), framework.IntValues("BLOCK", 64)); got < 4*(2*100+2*16) || got > 4*(4*100+4*16) {
		t.Errorf("%d bytes on the device", got)
	}
	facts := gpu.Facts{MaxThreadsBlock: 256, SharedPerBlock: 1 << 15, SharedOptIn: 1 << 15, OpenCL: &gpu.OpenCL{}}
	if err := v.Valid(params(f, nil), framework.IntValues("BLOCK", 64), facts); err != nil {
		t.Error(err)
	}
	facts.SharedPerBlock = 511
	if err := v.Valid(params(f, nil), framework.IntValues("BLOCK", 64), facts); err == nil || !strings.Contains(err.Error(), "argument part: 512 bytes of local memory; the device allows 511") {
		t.Errorf("too much local memory: %v", err)
	}
	if _, err := plan.Make(t.Context(), cfg, f, plan.Machine{Device: "cuda:0", GPU: plan.AnyGPU()}); err == nil || !strings.Contains(err.Error(), "kernels in OpenCL C run on a device of OpenCL (--device opencl:first), not on cuda:0") {
		t.Errorf("on CUDA: %v", err)
	}
	if p, err := plan.Make(t.Context(), cfg, f, plan.Machine{Device: "opencl:0", GPU: plan.AnyGPU()}); err != nil || len(p.Points) != 1 {
		t.Errorf("on OpenCL: %v", err)
	}
}

// Each change of a good config is refused at its place.
func TestErrorsOfOpenCL(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"x.cl"`, `^"x.cu"`, "x.cu is no OpenCL C; want a .cl file"},
		{`"tile", "global"`, `^"tiles", "global"`, `x.cl has no kernel tiles; did you mean "tile"?`},
		{`"tile", "global"`, `^"tile<float>", "global"`, "a kernel of OpenCL C has a plain name"},
		{`"kernels": [{"name"`, `"kernels": [^{"grid": 1, "name"`, "want grid and block, or global and local"},
		{`, "local": ["BLOCK", 2]`, `, "local": ["BLOCK", ^"M"]`, `"M" is not a name here`},
		{`{"name": "tile", "global": ["BLOCK*ceildiv(N, BLOCK)", 2], "local": ["BLOCK", 2]}`, `^{"name": "tile", "global": 64}`, "want both global, the work-items in all, and local"},
		{`{"name": "tile", "global": ["BLOCK*ceildiv(N, BLOCK)", 2], "local": ["BLOCK", 2]}`, `^{"name": "tile", "grid": 64}`, "want grid and block, or global and local"},
		{`{"name": "tile", "global": ["BLOCK*ceildiv(N, BLOCK)", 2], "local": ["BLOCK", 2]}`, `{"name": "tile", "grid": 1, "block": 1, "shared_bytes": ^64}`, `local memory is an argument with "space": "local"`},
		{`{"name": "tile", "global": ["BLOCK*ceildiv(N, BLOCK)", 2], "local": ["BLOCK", 2]}`, `{"name": "tile", "grid": 1, "block": 1, "cooperative": ^true}`, "OpenCL has no cooperative launches"},
		{`"size": "2*BLOCK"`, `"size": "2*BLOCK", "use": "scratch"`, "local memory has a type and a size alone"},
		{`, "size": "2*BLOCK"`, ``, "how much local memory? want size"},
		{`"space": "local", `, ``, "what does part hold before a run?"},
		{`"space": "local", "size": "2*BLOCK"`, `"use": "scratch", "size": "2*BLOCK"`, "argument part is in the space global, and kernel tile of x.cl takes __local float *part"},
		{`"value": "N"}`, `"space": ^"constant", "value": "N"}`, "the space constant is of a vector"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "type": ^"pointer", "value": 0}`, "OpenCL gives kernels no addresses"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "from": ^"x"}`, "OpenCL gives kernels no addresses: an argument cannot point into others"},
		{`"type": "i32", "value": "N"`, `"type": ^"f64", "value": "N"`, "argument n is a f64, and kernel tile of x.cl takes int n"},
		{`"verify"`, `"constants": ^[{"name": "t", "type": "f32", "value": 1}], "verify"`, `want an argument with "space": "constant"`},
		{`"verify"`, `"benign": ^[{"line": "x.cl:1", "reason": "none"}], "verify"`, "the simulator, which finds races, runs CUDA C++ alone"},
		{`"opencl": {`, `"cuda": {`, "address spaces are OpenCL's"},
		{`"opencl": {`, `"cuda": {`, "global and local are OpenCL's; want grid and block"},
	} {
		refused(t, tileConfig, c.old, c.replacement, c.want, map[string]string{"x.cl": tileCL, "x.cu": tileCL})
	}
}

func TestParametersOfOpenCL(t *testing.T) {
	files(t, map[string]string{"x.cl": tileCL})
	u, err := readUnit(".", sources{"x.cl"}, nil, sourceFiles{&config.Config{}}, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"tile":  "global [f32] true, global [f32] true, constant [f32] true,  [i32] false, local [f32] true",
		"other": "global [f32 f32 f32 f32] true, global [] true",
	} {
		var got []string
		for _, p := range u.parameters(name) {
			text, _ := json.Marshal(p.pointer)
			got = append(got, p.space+" ["+strings.Join(p.parts, " ")+"] "+string(text))
		}
		if said := strings.Join(got, ", "); said != want {
			t.Errorf("%s takes %s, want %s", name, said, want)
		}
	}
}

// pairConfig is a config of one kernel in both languages.
const pairConfig = `{"algorithm": {"cuda": {"source": "p.cu", "opencl_source": "p.cl", "options": ["--use_fast_math"],
 "params": [{"name": "N", "default": 100, "min": 1, "max": 100000}],
 "arguments": [
  {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "N", "use": "output"},
  {"name": "n", "type": "i32", "value": "N"}],
 "kernels": [{"name": "twice", "grid": "ceildiv(N, BLOCK)", "block": "BLOCK"}],
 "tunables": [{"name": "BLOCK", "values": [32, 64], "default": 64}],
 "verify": {"none": "because"}}}}`

var pairFiles = map[string]string{
	"p.cu": `extern "C" __global__ void twice(const float *x, float *y, int n) {}`,
	"p.cl": "kernel void twice(global const float *x, global float *y, int n) {}",
}

// A version in both languages runs on devices of both: with its own text on each, and with the options of CUDA's compiler on CUDA alone.
func TestOneVersionInBothLanguages(t *testing.T) {
	texts := maps.Clone(pairFiles)
	texts["x.json"] = pairConfig
	path := files(t, texts)
	f := factory(t, path)
	if v := f.Versions[0]; !v.Portable || v.OpenCL || !v.Takes(true) || !v.Takes(false) {
		t.Errorf("version %s: portable %v, OpenCL %v", v.Name, v.Portable, v.OpenCL)
	}
	a := built(t, path)
	for _, on := range []struct {
		facts   gpu.Facts
		source  string
		options int
	}{{gpu.Facts{}, "p.cu", 1}, {gpu.Facts{OpenCL: &gpu.OpenCL{}}, "p.cl", 0}} {
		v := a.versions[0].on(on.facts)
		s, err := v.unit.source(a, v, params(f, nil), framework.IntValues("BLOCK", 64), on.facts, v.launches)
		if err != nil || s.Name != on.source || len(s.Options) != on.options || s.Defines["BLOCK"] != "64" {
			t.Errorf("%s: options %v, macros %v, %v; want %s with %d options", s.Name, s.Options, s.Defines, err, on.source, on.options)
		}
	}
}

// What both languages do not share is refused at its place.
func TestErrorsOfBothLanguages(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"p.cl"`, `^"p.cu"`, "p.cu is no OpenCL C; want a .cl file"},
		{`"p.cl"`, `^"absent.cl"`, "absent.cl: no such file"},
		{`"cuda": {"source": "p.cu", "opencl_source": "p.cl", "options": ["--use_fast_math"]`, `"opencl": {"source": "p.cl", "opencl_source": ^"p.cl"`, "source is OpenCL C already"},
		{`"name": "twice"`, `"name": ^"thrice"`, "p.cl has no kernel thrice"},
		{`"block": "BLOCK"`, `"block": "BLOCK", "shared_bytes": ^64`, "OpenCL has no such size"},
		{`"block": "BLOCK"`, `"block": "BLOCK", "cooperative": ^true`, "OpenCL has no cooperative launches"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "from": ^"x"}`, "an argument cannot point into others"},
		{`"verify"`, `"constants": ^[{"name": "t", "type": "f32", "value": 1}], "verify"`, "OpenCL's host does not reach variables of a program"},
		{`{"none": "because"}`, `{"kernels": ^[{"name": "twice", "grid": 1, "block": 1}]}`, "the kernels that verify are CUDA C++"},
		{`"verify"`, `"versions": [{"name": "c", "opencl_source": "p.cl", "c": ^{"source": "p.c", "function": "f"}}], "verify"`, "a version of a C function has no source"},
	} {
		texts := maps.Clone(pairFiles)
		texts["p.c"] = "void f(const float *x, float *y, int n) {}"
		refused(t, pairConfig, c.old, c.replacement, c.want, texts)
	}
}
