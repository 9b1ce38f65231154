package standard_test

import (
	"testing"

	"example.org/bench/gpu/cuda/standard"
)

func TestAccept(t *testing.T) {
	for text, want := range map[string]string{
		"auto f = [=] __device__ (int i) { return i; };":                               "auto f = [=] (int i) { return i; };",
		"g([&]\n  __host__ __device__\n  { h(); });":                                   "g([&]\n  \n{ h(); });",
		"extern __shared__ float s[0];\n__shared__ extern int t[ 0 ];":                 "extern __shared__ float s[];\n__shared__ extern int t[];",
		"extern __shared__ alignas(16) char raw[];":                                    "extern __shared__ __align__(16) char raw[];",
		"#define MIN(x, y) ({ __typeof__(x) a = (x), b = (y); \\\n  a < b ? a : b; })": "#define MIN(x, y) ([&] { auto a = (x), b = (y); \\\n  return a < b ? a : b; }())",
		"x = ({ int a = 1; if (a) a = 2; }); f({1, 2});":                               "x = ({ int a = 1; if (a) a = 2; }); f({1, 2});",
		"__shared__ float s[1]; a[0] = s[0];\n__device__ int x[2](3);\n":               "__shared__ float s[1]; a[0] = s[0];\n__device__ int x[2](3);\n",
	} {
		if got := standard.Accept(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDialect(t *testing.T) {
	for text, want := range map[string]string{
		"template <class T> concept Small = sizeof(T) == 4;": "--std=c++20", "void f(auto x) requires (sizeof(x) == 4);": "--std=c++20", "auto o = a <=> b;": "--std=c++20",
		"// requires (an even n)\n/* the concept x = y */ int concept_of;": "",
	} {
		if got := standard.Dialect([]string{"int n;", text}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
