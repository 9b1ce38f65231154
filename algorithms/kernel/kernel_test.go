package kernel

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// simulator is shared: kernels that were compiled stay loaded.
var simulator = sync.OnceValues(func() (gpu.Device, error) { return sim.Open(1) })

func device(t *testing.T) gpu.Device {
	t.Helper()
	d, err := simulator()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// files writes a folder and makes it the working one, so that kernels have the same names
// each time and are found in the cache; the config is x.json.
func files(t *testing.T, texts map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(folder)
	return "x.json"
}

// built is the algorithm of a config.
func built(t *testing.T, path string) *algorithm {
	t.Helper()
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{cfg: cfg, errs: &config.Errors{}, a: &algorithm{folder: filepath.Dir(path)}}
	a := b.build()
	if err := b.errs.Err(); err != nil {
		t.Fatal(err)
	}
	return a
}

func factory(t *testing.T, path string) *framework.Factory {
	t.Helper()
	f, err := load(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func load(path string) (*framework.Factory, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	return New(c)
}

// params are the factory's defaults with others set.
func params(f *framework.Factory, set framework.Values) framework.Values {
	p := framework.Values{}
	for _, x := range f.Params {
		p[x.Name] = x.Default
	}
	for name, v := range set {
		p[name] = v
	}
	return p
}

// axpy is a config in which a test replaces verify and adds more.
func axpy(verify, more string) string {
	if verify == "" {
		verify = `{"c": {"source": "x.c", "function": "right", "double": true}}`
	}
	return `{"algorithm": {"cuda": {
 "source": "x.cu",
 "params": [{"name": "N", "default": 100, "min": 1, "max": 100000}],
 "arguments": [
  {"name": "a", "type": "f32", "value": "N > 50 ? 2.5 : 1"},
  {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "N", "use": "in_place", "fill": {"random": [-1, 1]}},
  {"name": "n", "type": "i32", "value": "N"}],
 "kernels": [{"name": "axpy", "grid": "ceildiv(N, BLOCK)", "block": "BLOCK"}],
 "tunables": [{"name": "BLOCK", "values": [32, 64], "default": "N > 50 ? 64 : 32"}],
 "verify": ` + verify + more + `}}}`
}

const (
	axpyKernel = `extern "C" __global__ void axpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
extern "C" __global__ void again(float a, const float *x, float *y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = fmaf(a, x[i], y[i]);
}
`
	axpyRight = "void right(double a, const double *x, double *y, int n) {\n for (int i = 0; i < n; i++) y[i] += a * x[i];\n}\n" +
		"void same(float a, const float *x, float *y, int n) {\n for (int i = 0; i < n; i++) y[i] += a * x[i];\n}\n"
)

// script makes the right answer with the C compiler's help: a program of the
// problem's folder.
const script = `#!/bin/sh
set -e
cat > "$1/p.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **word) {
    char path[999]; static float x[100000], y[100000]; char head[128]; int n = atoi(word[2]);
    sprintf(path, "%s/x.npy", word[1]); FILE *f = fopen(path, "rb"); fread(head, 1, 128, f); fread(x, 4, n, f);
    sprintf(path, "%s/y.npy", word[1]); f = fopen(path, "rb"); fread(head, 1, 128, f); fread(y, 4, n, f);
    for (int i = 0; i < n; i++) y[i] += 2.5f * x[i];
    sprintf(path, "%s/y.right.npy", word[1]); f = fopen(path, "wb"); fwrite(y, 4, n, f); fclose(f);
    return 0;
}
END
cc -w -o "$1/p" "$1/p.c"
grep -q '"N": 100' "$1/problem.json"
"$1/p" "$1" 100
`

// Kernels and functions of a config are held to the contract of every version.
func TestContract(t *testing.T) {
	text := axpy(`{"c": {"source": "x.c", "function": "right", "double": true}, "at": [{"N": 1}, {"N": 100}, {"N": 3001}]}`,
		`, "versions": [{"name": "axpy"}, {"name": "host", "c": {"source": "x.c", "function": "same"}}]`)
	algorithmtest.Run(t, factory(t, files(t, map[string]string{"x.json": text, "x.cu": axpyKernel, "x.c": axpyRight})))
}

// Every source of the right answer accepts the right kernel, and finds a wrong one.
func TestReferences(t *testing.T) {
	d := device(t)
	for name, verify := range map[string]string{
		"c, double": "", "c": `{"c": {"source": "x.c", "function": "same"}, "tolerance": 1e-6}`,
		"kernels":         `{"kernels": [{"name": "again", "grid": 1, "block": 32}], "tolerance": {"y": 1e-6}}`,
		"kernels of file": `{"kernels": [{"name": "again", "grid": 1, "block": [32]}], "source": "sub/right.cu"}`,
		"program":         `{"program": ["./right.sh"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			texts := map[string]string{"x.json": axpy(verify, ""), "x.cu": axpyKernel, "x.c": axpyRight, "sub/right.cu": axpyKernel, "right.sh": script}
			f := factory(t, files(t, texts))
			checks, _, err := algorithmtest.Try(f, d, "axpy", nil, nil)
			if err != nil || len(checks) != 1 || !algorithmtest.Good(checks) || checks[0].Error == 0 && strings.Contains(name, "double") {
				t.Errorf("the right kernel: %v, %v", checks, err)
			}
			for _, wrong := range []string{"y[i] = a * x[i] - y[i]", "y[i] = a * x[i] + y[i] + (i == 99 ? 0.001f : 0)", "if (i) y[i] = a * x[i] + y[i]", "y[0] = 0"} {
				texts["x.cu"] = strings.Replace(axpyKernel, "y[i] = a * x[i] + y[i]", wrong, 1)
				f := factory(t, files(t, texts))
				if checks, _, err := algorithmtest.Try(f, d, "axpy", nil, nil); err != nil || algorithmtest.Good(checks) {
					t.Errorf("the kernel with %s: %v, %v", wrong, checks, err)
				}
			}
		})
	}
}

// An answer stored in a file; a vector filled from one; whole numbers of all
// sizes.
func TestFilesAndWholeNumbers(t *testing.T) {
	d := device(t)
	words := map[string]string{"f32": "float", "f64": "double", "i8": "signed char", "i16": "short", "i32": "int", "i64": "long long",
		"u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned", "u64": "unsigned long long"}
	for _, e := range elements[:len(words)] {
		n := int64(50)
		x, right := newVector(e, n), newVector(e, n)
		x.random(0, 100, 1, 0)
		k := int64(0)
		values := x.numbers()
		right.typed().set(0, n, func() float64 { k++; return values[k-1] + 3 }, func() int64 { k++; return int64(values[k-1]) + 3 })
		path := files(t, map[string]string{
			"x.cu": "typedef " + words[e.name] + " T;\nextern \"C\" __global__ void add(const T *x, T *y) { y[threadIdx.x] = x[threadIdx.x] + 3; }\n",
			"x.json": `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [
 {"name": "x", "type": "` + e.name + `", "size": 50, "fill": {"file": "x.npy"}}, {"name": "y", "type": "` + e.name + `", "size": 50, "use": "output"}],
 "kernels": [{"name": "add", "grid": 1, "block": 50}], "verify": {"files": {"y": "y.bin"}}}}}`,
			"y.bin": string(right.data), "x.npy": "",
		})
		if err := writeArray(filepath.Join(filepath.Dir(path), "x.npy"), x); err != nil {
			t.Fatal(err)
		}
		f := factory(t, path)
		checks, work, err := algorithmtest.Try(f, d, "add", nil, nil)
		if err != nil || len(checks) != 1 || !algorithmtest.Good(checks) {
			t.Errorf("%s: %v, %v", e.name, checks, err)
		}
		if want := 2 * 50 * e.bytes; work.NominalBytes != want {
			t.Errorf("%s: nominal bytes %d; want %d", e.name, work.NominalBytes, want)
		}
		right.data[49*e.bytes] ^= 1 << 7
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "y.bin"), right.data, 0o644); err != nil {
			t.Fatal(err)
		}
		if checks, _, err := algorithmtest.Try(f, d, "add", nil, nil); err != nil || algorithmtest.Good(checks) && e.name != "f32" && e.name != "f64" {
			t.Errorf("%s with a wrong last element: %v, %v", e.name, checks, err)
		}
	}
}

// Several kernels in sequence, scratch whose size depends on a tunable, shared
// memory, headers, macros, a type that is a parameter, versions with their
// own kernels and counts, and one in C.
const everything = `{"algorithm": {"cuda": {
 "name": "total", "source": "src/x.cu",
 "params": [{"name": "N", "default": 1000}, {"name": "type", "kind": "text", "choices": ["f32", "f64"], "default": "f32", "define": true},
            {"name": "scale", "kind": "float", "default": 0.5, "min": 0}],
 "requires": ["N % 10 == 0"],
 "arguments": [
  {"name": "x", "type": "type", "size": "N", "fill": {"random": [0, 1]}},
  {"name": "part", "type": "type", "size": "ceildiv(N, CHUNK)", "use": "scratch"},
  {"name": "y", "type": "type", "size": 1, "use": "output"},
  {"name": "scale", "type": "f64", "value": "scale"},
  {"name": "n", "type": "i64", "value": "N"}],
 "defines": {"BIAS": 3},
 "tunables": [{"name": "CHUNK", "values": [16, 64, 128]}, {"name": "LEAD", "values": [0, 1], "define": false}],
 "constraints": ["CHUNK <= N", "LEAD == 0 or CHUNK < device.max_threads_per_block"],
 "kernels": [
  {"name": "parts", "grid": ["ceildiv(N, CHUNK)", 1], "block": ["CHUNK", 1, 1], "shared_bytes": "CHUNK*(type == 'f64' ? 8 : 4)", "arguments": ["x", "part", "n"]},
  {"name": "sum", "grid": 1, "block": 1, "arguments": ["part", "y", "scale", "n"]}],
 "nominal_flops": "N", "flops": "N + CHUNK*LEAD", "load_bytes": "4*N", "items": {"name": "numbers", "count": "N"},
 "verify": {"c": {"source": "x.c", "function": "total", "double": true}, "tolerance": 1e-6, "at": [{"N": 10}, {"N": 500, "type": "f64"}]},
 "versions": [{"name": "chunks"}, {"name": "one", "kernels": [{"name": "all", "grid": 1, "block": 1, "arguments": ["x", "y", "scale", "n"]}], "tunables": [], "constraints": [], "flops": "N"},
              {"name": "host", "c": {"source": "x.c", "function": "host", "options": ["-DBIAS=3"]}}]
}}}`

const everythingKernels = `#include "type.cuh"
extern "C" __global__ void parts(const T *x, T *part, long long n) {
    extern __shared__ T shared[];
    long long i = (long long)blockIdx.x * CHUNK + threadIdx.x;
    shared[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = 0; threadIdx.x == 0 && k < CHUNK; k++) part[blockIdx.x] = (k ? part[blockIdx.x] : 0) + shared[k];
}
extern "C" __global__ void sum(const T *part, T *y, double scale, long long n) {
    T s = 0;
    for (long long i = 0; i < (n + CHUNK - 1) / CHUNK; i++) s += part[i];
    *y = s * scale + BIAS;
}
#ifndef CHUNK
extern "C" __global__ void all(const T *x, T *y, double scale, long long n) {
    T s = 0;
    for (long long i = 0; i < n; i++) s += x[i];
    *y = s * scale + BIAS;
}
#endif
`

func TestEverything(t *testing.T) {
	d := device(t)
	path := files(t, map[string]string{
		"x.json": everything, "src/x.cu": strings.Replace(everythingKernels, "#ifndef CHUNK", "#if 1", 1),
		"src/type.cuh": "#include \"inner/f64.cuh\"\n#define f32 1\n#if type == 1\ntypedef float T;\n#endif\n#ifndef CHUNK\n#define CHUNK 1\n#endif\n",
		// The macro type is f32 or f64.
		"src/inner/f64.cuh": "#define f64 2\n#if type == 2\ntypedef double T;\n#endif\n",
		"x.c": `void total(const double *x, double *y, double scale, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; *y = s * scale + 3; }
#ifdef BIAS
void host(const float *x, float *y, double scale, long n) { double s = 0; for (long i = 0; i < n; i++) s += x[i]; *y = s * scale + BIAS; }
#endif
`})
	f := factory(t, path)
	if f.Name != "total" || f.Items != "numbers" || len(f.Versions) != 3 || f.Versions[2].Processor != framework.CPU {
		t.Fatalf("%+v", f)
	}
	for _, version := range []string{"chunks", "one"} {
		for _, p := range append(f.Verification("sim"), framework.Values{}) {
			if version == "chunks" && p.Int("N") == 10 {
				continue
			}
			checks, work, err := algorithmtest.Try(f, d, version, p, nil)
			if err != nil || len(checks) != 1 || !algorithmtest.Good(checks) {
				t.Errorf("%s %v: %v, %v", version, p, checks, err)
			}
			n := params(f, p).Int("N")
			if work.NominalFLOPs != n || work.Items != n || work.LoadBytes != 4*n || work.FLOPs != n || work.StoreBytes != 0 {
				t.Errorf("%s %v: %+v", version, p, work)
			}
		}
	}
	if checks, _, err := algorithmtest.Try(f, nil, "host", nil, nil); err != nil || !algorithmtest.Good(checks) {
		t.Errorf("host: %v, %v", checks, err)
	}
	one, chunk := framework.IntValue(1), framework.IntValue(128)
	if _, work, err := algorithmtest.Try(f, d, "chunks", nil, framework.Values{"LEAD": one, "CHUNK": chunk}); err != nil || work.FLOPs != 1128 {
		t.Errorf("counts of tunables: %+v, %v", work, err)
	}
	v := f.Version("chunks")
	p := params(f, framework.Values{"N": framework.IntValue(20)})
	if err := v.Valid(p, framework.Values{"LEAD": one, "CHUNK": chunk}, d.Facts()); err == nil || err.Error() != "CHUNK <= N does not hold for CHUNK = 128, N = 20" {
		t.Errorf("constraint: %v", err)
	}
	if err := v.Valid(params(f, nil), framework.Values{"LEAD": one, "CHUNK": framework.IntValue(900)}, gpu.Facts{MaxThreadsBlock: 512}); err == nil {
		t.Error("CHUNK = 900 is valid on a device of 512 threads per block")
	}
	if err := f.Check(params(f, framework.Values{"N": framework.IntValue(15)})); err == nil || !strings.Contains(err.Error(), "N % 10 == 0 does not hold for N = 15") {
		t.Errorf("requires: %v", err)
	}
	if got := f.HostBytes(params(f, nil)); got != 4*1000+3*4 {
		t.Errorf("host bytes: %d", got)
	}
	if got := v.DeviceBytes(params(f, nil), framework.Values{"CHUNK": chunk}); got != 2*4*1000+4*8+4 {
		t.Errorf("device bytes: %d", got)
	}
}
