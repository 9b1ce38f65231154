package kernel

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/gpu/cuda/sim"
)

// ofType is a config whose kernel takes out, and one argument more.
func ofType(argument string) string {
	return fmt.Sprintf(`{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "N", "default": 64}],
 "arguments": [{"name": "out", "type": "f32", "size": "N", "use": "output"}, {"name": "x", %s}],
 "kernels": [{"name": "k", "grid": 1, "block": "N"}], "verify": {"none": "only types count"}}}}`, argument)
}

const fillOnes = `, "size": "N", "fill": {"constant": 1}`

// Types of arguments and parameters: what the source tells is refused with the config,
// what only the compiler knows when the simulator runs the kernel, and what is right by neither.
func TestTypesOfParameters(t *testing.T) {
	const validate, run, right = "validate", "run", "right"
	d := device(t)
	for _, c := range []struct{ before, parameter, argument, when, want string }{
		{"", "const float *__restrict__ x", `"type": "f32"` + fillOnes, right, ""},
		{"", "const float *x", `"type": "f64"` + fillOnes, validate, "argument x is a vector of f64, and kernel k of "},
		{"", "const float *const __restrict__ x", `"type": "f64"` + fillOnes, validate, "takes const float *const __restrict__ x; want the type f32"},
		{"", "float x[]", `"type": "i32"` + fillOnes, validate, "want the type f32"},
		{"", "unsigned *x", `"type": "i32"` + fillOnes, validate, "want the type u32"},
		{"", "const unsigned long long *x", `"type": "u64"` + fillOnes, right, ""},
		{"", "long long int *x", `"type": "i32"` + fillOnes, validate, "want the type i64"},
		{"", "const short unsigned *x", `"type": "u16"` + fillOnes, right, ""},
		{"", "double const *x", `"type": "f32"` + fillOnes, validate, "want the type f64"},
		{"", "const float4 *x", `"type": "f32"` + fillOnes, right, ""}, // loads of four
		{"", "const float4 *x", `"type": "f32x4"` + fillOnes, right, ""},
		{"", "const float2 *x", `"type": "c64"` + fillOnes, right, ""},
		{"", "const double2 *x", `"type": "c64"` + fillOnes, validate, "want the type c128"},
		{"", "const float *x", `"type": "c64"` + fillOnes, right, ""},
		{"", "const int4 *x", `"type": "f32"` + fillOnes, validate, "want the type i32x4"},
		{"", "const void *x", `"type": "f64"` + fillOnes, right, ""},
		{"", "const unsigned char *x", `"type": "f64"` + fillOnes, right, ""},
		{"", "const char *x", `"type": "u8"` + fillOnes, right, ""},
		{"", "float x", `"type": "f32"` + fillOnes, validate, "argument x is a vector of f32"},
		{"", "const float *x", `"type": "f32", "value": 1`, validate, "argument x is a f32"},
		{"", "const float *x", `"type": "pointer", "value": 0`, right, ""},
		{"", "int x", `"type": "pointer", "value": 0`, validate, "argument x is a pointer"},
		{"", "unsigned int x", `"type": "i32", "value": 1`, validate, "want the type u32"},
		{"", "size_t x", `"type": "u64", "value": 1`, right, ""},
		{"", "int x", `"type": "i64", "value": 1`, validate, "want the type i32"},
		{"", "bool x", `"type": "u8", "value": 1`, right, ""},
		{"", "char x", `"type": "i8", "value": 1`, right, ""},
		{"", "float2 x", `"type": "f32x2", "value": 1`, right, ""},
		{"", "int2 x", `"type": "f32x2", "value": 1`, validate, "want the type i32x2"},
		// Types of the source's own.
		{"struct Scale { float a; int n; };", "Scale x", `"type": "f32x2", "value": 1`, validate, "takes Scale x"},
		{"struct Scale { float a, b; };", "Scale x", `"type": "f32x2", "value": 1`, right, ""},
		{"struct Cell { float a; int n; };", "const Cell *x", `"type": "f32"` + fillOnes, validate, "takes const Cell *x"},
		{"struct Cell { float a; int n; };", "const Cell *x", `"type": "u8"` + fillOnes, right, ""}, // its bytes
		{"enum Mode { PLAIN, TWICE };", "Mode x", `"type": "i32", "value": 1`, right, ""},
		{"enum Mode { PLAIN, TWICE };", "enum Mode x", `"type": "u32", "value": 1`, right, ""},
		{"enum class Mode : unsigned char { PLAIN, TWICE };", "Mode x", `"type": "u8", "value": 1`, right, ""},
		{"enum class Mode : unsigned char { PLAIN, TWICE };", "Mode x", `"type": "i32", "value": 1`, validate, "takes Mode x"},
		{"typedef double real;", "const real *x", `"type": "f32"` + fillOnes, validate, "takes const real *x; want the type f64"},
		{"using real = float;", "real x", `"type": "f32", "value": 1`, right, ""},
		// What the source does not tell.
		{"#define REAL double", "const REAL *x", `"type": "f32"` + fillOnes, run, "argument x is a vector of f32, and kernel k takes f64 *; want the type f64"},
		{"#if 1\ntypedef double real;\n#else\ntypedef float real;\n#endif", "const real *x", `"type": "f32"` + fillOnes, run, "want the type f64"},
		{"struct Scale { float a; __device__ float half() const { return a / 2; } int n; };", "Scale x", `"type": "f32x2", "value": 1`, run, "takes f32, i32"},
		{"struct Scale { float a; __device__ float half() const { return a / 2; } float n; };", "Scale x", `"type": "f32x2", "value": 1`, right, ""},
		{"struct Scale { float a[2]; };", "Scale x", `"type": "f32x2", "value": 1`, right, "warned"},
		{"struct Base { float a; }; struct Scale : Base { int n; };", "Scale x", `"type": "f32x2", "value": 1`, right, "warned"}, // not known, of the same bytes
		{"template <class T> struct Pair { T a, b; };", "Pair<int> x", `"type": "f32x2", "value": 1`, run, "takes i32, i32"},
		{"namespace n { enum Mode { A, B }; }", "n::Mode x", `"type": "i32", "value": 1`, right, ""},
		{"#include <cuda_fp16.h>", "const __half *x", `"type": "bf16"` + fillOnes, validate, "want the type f16"},
		{"#include <cuda_fp16.h>\n#define HALF __half2", "const HALF *x", `"type": "f16x2"` + fillOnes, right, ""},
	} {
		if c.when == "" {
			continue
		}
		name := c.before + " " + c.parameter + ": " + c.argument
		text := c.before + "\nextern \"C\" __global__ void k(float *out, " + c.parameter + ") { out[threadIdx.x] = 1; }\n"
		cfg, err := config.Load(files(t, map[string]string{"x.json": ofType(c.argument), "x.cu": text}))
		if err != nil {
			t.Fatal(name, err)
		}
		f, err := New(cfg)
		when := validate
		if err == nil {
			when = run
			d.(*sim.Device).Warnings()
			if _, _, err = algorithmtest.Try(f, d, "k", nil, nil); err == nil {
				when = right
				warned := strings.Join(d.(*sim.Device).Warnings(), "; ")
				if strings.Contains(warned, "argument x is not compared") != (c.want == "warned") {
					t.Errorf("%s: warnings %q", name, warned)
				}
			}
		}
		if when != c.when || err != nil && (!strings.Contains(err.Error(), c.want) || when == validate && !strings.Contains(err.Error(), "x.json:2:")) {
			t.Errorf("%s: by %s, %v; want %s: %s", name, when, err, c.when, c.want)
		}
	}
}

// Of PTX the bytes are known, and whether a number has a fraction.
func TestTypesOfCompiledCode(t *testing.T) {
	for _, c := range []struct{ parameter, argument, want string }{
		{".param .u64 .ptr .global .align 4 k_param_1", `"type": "f64"` + fillOnes, ""},
		{".param .u32 k_param_1", `"type": "f64"` + fillOnes, "argument x is a vector of f64, and kernel k of "},
		{".param .f32 k_param_1", `"type": "i32", "value": 1`, "takes .param .f32 k_param_1; want the type f32"},
		{".param .u32 k_param_1", `"type": "i32", "value": 1`, ""},
		{".param .u32 k_param_1", `"type": "i64", "value": 1`, "want the type i32"},
		{".param .align 4 .b8 k_param_1[8]", `"type": "f32x2", "value": 1`, ""},
		{".param .align 4 .b8 k_param_1[12]", `"type": "f32x2", "value": 1`, "want the type f32x3"},
	} {
		text := ".version 7.0\n.target sm_50\n.visible .entry k(\n\t.param .u64 k_param_0,\n\t" + c.parameter + "\n)\n{ ret; }\n"
		cfg, err := config.Load(files(t, map[string]string{"x.json": strings.Replace(ofType(c.argument), "x.cu", "x.ptx", 1), "x.ptx": text}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = New(cfg); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v; want %q", c.parameter, c.argument, err, c.want)
		}
	}
}

// A C function is held against what it will be called with.
func TestCallOfTheFunction(t *testing.T) {
	const called = "right is called with (a, x, y, n), as listed in arguments, without scratch, and "
	for declared, want := range map[string]string{
		"double a, const double *x, double *y, int n":                  "",
		"double a, const double x[], double y[n], long n":              "", // C converts numbers
		"REAL a, const REAL *x, REAL *y, int n":                        "",
		"double a, const double *x, double *y":                         called + "takes 3: (double a, const double *x, double *y)",
		"void":                                                         called + "takes 0: (void)",
		"double a, const double *x, const double *z, double *y, int n": called + "takes 5",
		"double a, const float *x, double *y, int n":                   called + "argument x is double * here: the function takes const float *x",
		"double a, double x, double *y, int n":                         called + "argument x is double * here: the function takes double x",
		"double *a, const double *x, double *y, int n":                 called + "argument a is double here: the function takes double *a",
	} {
		text := strings.Replace(axpyRight, "double a, const double *x, double *y, int n", declared, 1)
		cfg, err := config.Load(files(t, map[string]string{"x.json": axpy("", ""), "x.cu": axpyKernel, "x.c": text}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = New(cfg); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", declared, err, want)
		}
	}
}

// What a launch does wrong with an argument has the argument's name.
func TestFaultsNameArguments(t *testing.T) {
	text := "extern \"C\" __global__ void k(float *out, const float *x) { out[threadIdx.x] = x[threadIdx.x + 1]; }\n"
	f := factory(t, files(t, map[string]string{"x.json": ofType(`"type": "f32"` + fillOnes), "x.cu": text}))
	if _, _, err := algorithmtest.Try(f, device(t), "k", nil, nil); err == nil || !strings.Contains(err.Error(), "x.cu:1: access at 0 bytes past the end of argument 2, x, an allocation of 256 bytes") {
		t.Error(err)
	}
}

// TestTypesOfOthers have names here, or none.
func TestTypesOfOthers(t *testing.T) {
	for name, want := range map[string]string{
		"float": "f32", "double": "f64", "int": "i32", "unsigned": "u32", "unsigned int": "u32", "half": "f16", "__half": "f16", "__nv_bfloat16": "bf16",
		"char": "i8", "unsigned char": "u8", "bool": "u8", "long long": "i64", "size_t": "u64", "int32_t": "i32", "float4": "f32x4", "uchar2": "u8x2", "half2": "f16x2",
		"cuComplex": "c64", "cuDoubleComplex": "c128", "float *": "f32", "const float*": "f32",
		"void": "", "void *": "", "texture": "", "f32": "", "float1": "f32", "": "",
	} {
		if got := nameHere(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
