package kernel

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
)

// Headers in brackets, above the config, and in the folders that options name; in what they include too.
func TestFoldersOfHeaders(t *testing.T) {
	const config = `{"algorithm": {"cuda": {"source": "k/x.cu", "options": ["-I", "far", "--include-path=other", "-Iunused"],
 "arguments": [{"name": "y", "type": "i32", "size": 32, "use": "output"}],
 "kernels": [{"name": "sum", "grid": 1, "block": 32}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`
	path := files(t, map[string]string{
		"x.json": config, "x.c": "void right(int32_t *y) { for (int i = 0; i < 32; i++) y[i] = 12345; }\n",
		"k/x.cu":     "#include \"../up.h\"\n#include <far.h>\n#include <beside.h>\n#include \"other.h\"\nextern \"C\" __global__ void sum(int *y) { y[threadIdx.x] = UP + FAR + DEEP + BESIDE + OTHER; }\n",
		"up.h":       "#define UP 10000\n",
		"far/far.h":  "#include \"deep/deep.h\"\n#define FAR 2000\n",
		"k/far.h":    "#error the folder of an option comes first\n",
		"k/beside.h": "#define BESIDE 40\n", "other/other.h": "#define OTHER 5\n",
		"far/deep/deep.h": "#include \"more.h\"\n", "far/deep/more.h": "#define DEEP 300\n",
	})
	algorithmtest.Solve(t, factory(t, path), device(t), "sum", nil, nil)

	compiles(t, path, "sm_53")
}

// Headers of the C++ library and of thrust, and names that nvcc has without an include: in the simulator and under NVRTC.
const libraryKernel = `#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <algorithm>
#include <functional>
#include <array>
#include <complex>
#include <thrust/complex.h>
#include <vector>
#include <iostream>
#include <sys/time.h>
#include <omp.h>
static_assert(std::is_same<std::decay<const float &>::type, float>::value && std::is_floating_point<const double>::value && !std::is_integral<float>::value, "");
static_assert(std::is_unsigned<ulong>::value && std::is_convertible<int, float>::value && !std::is_convertible<int *, float>::value && std::is_pointer<int *const>::value, "");
static_assert(std::is_same<std::make_unsigned<long>::type, unsigned long>::value && std::is_same<std::conditional<false, int, char>::type, char>::value, "");
static_assert(std::numeric_limits<int>::max() == INT_MAX && std::numeric_limits<int>::lowest() == INT_MIN && std::numeric_limits<unsigned char>::max() == 255, "");
static_assert(std::numeric_limits<unsigned long long>::max() == ~0ull && std::numeric_limits<float>::digits == 24, "");
template <decltype(sizeof 0)... n> constexpr int total(std::index_sequence<n...>) {
    int t = 0, each[] = {0, int(n)...};
    for (int v : each) t += v;
    return t;
}
static_assert(total(std::make_index_sequence<5>{}) == 10, "");
template <class T, class F> T apply(T a, T b, F f) { return f(a, b); }
__global__ void library(double *y, const float *x) {
    uint i = threadIdx.x;
    uint8_t byte = 200;
    float v = x[i];
    std::array<float, 4> a = {1, 2, 3, v};
    std::pair<float, int> p = std::make_pair(v, int(i));
    std::swap(a[0], a[3]);
    std::complex<double> z(v, 1), w = z * z / std::complex<double>(2, -1) - 0.5;
    thrust::complex<float> t = thrust::exp(thrust::complex<float>(0.0f, v)) * thrust::conj(thrust::polar(2.0f, v));
    double sum = std::max(a[0], std::min(a[1], 0.25f)) + std::clamp(v, -0.5f, 0.5f) + a.size() + byte;
    sum += apply(v, 2.0f, std::multiplies<float>()) + apply(3, 4, std::plus<>()) + p.first * p.second;
    sum += w.real() + w.imag() + std::abs(std::sqrt(z)) + std::norm(z) + std::arg(z) + t.real() + t.imag();
    sum += std::sqrt(std::fabs(v)) + std::pow(2.0f, v) + (v < std::numeric_limits<float>::infinity()) + (UINT_MAX > INT_MAX) + M_PI + (FLT_MAX > v);
    y[i] = sum;
}
`

const libraryRight = `#include <complex.h>
#include <math.h>
void right(double *y, const double *x) {
    for (int i = 0; i < 64; i++) {
        double v = x[i];
        double _Complex z = v + I, w = z * z / (2 - I) - 0.5;
        y[i] = fmax(v, fmin(2, 0.25)) + fmin(fmax(v, -0.5), 0.5) + 204 + 2 * v + 7 + v * i + creal(w) + cimag(w) + cabs(csqrt(z)) + v * v + 1 + carg(z) + 2;
        y[i] += sqrt(fabs(v)) + pow(2, v) + 2 + 3.14159265358979323846 + 1;
    }
}
`

func TestHeadersOfLibraries(t *testing.T) {
	path := files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu",
 "arguments": [{"name": "y", "type": "f64", "size": 64, "use": "output"}, {"name": "x", "type": "f32", "size": 64, "fill": {"random": [-1, 1]}}],
 "kernels": [{"name": "library", "grid": 1, "block": 64}], "verify": {"c": {"source": "x.c", "function": "right", "double": true}, "tolerance": 1e-6}}}}`,
		"x.cu": libraryKernel, "x.c": libraryRight,
	})
	algorithmtest.Solve(t, factory(t, path), device(t), "library", nil, nil)
	compiles(t, path, "sm_53", "sm_90")
}

// Host functions, variables and launches beside kernels are left out; lines stay where they are.
func TestHostFunctionsAreLeftOut(t *testing.T) {
	const source = `#include <cuda_runtime.h>
#include <vector>
#include "check.h"
static std::vector<float> table;
cudaStream_t stream;
namespace app {
__device__ float twice(float x) { return 2 * x; }
struct Shape { int n; int size() const { return n; } };
template <class T> __global__ void scale(T *y, int n) { // not main()
    if (n < 0) y[-1] = 0; /* <<< */
    Shape s = {n};
    if (threadIdx.x < s.size()) y[threadIdx.x] = twice(1);
}
template <class T> void run(T *y, int n) {
    scale<T><<<1, 64>>>(y, n);
    if (n) { CHECK(cudaDeviceSynchronize()); }
}
template __global__ void scale<float>(float *, int);
}
int main(int argc, char **argv) {
#ifdef LATER
    puts("later");
#endif
    float *y;
    for (int i = 0; i < 2; i++) { cudaMalloc((void **)&y, 256); }
    app::run(y, 64);
}
__device__ int last = __LINE__;
__global__ void where(float *y) { if (last != 28) y[0] = -1; }
`
	path := files(t, map[string]string{
		"x.json": `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [{"name": "y", "type": "f32", "size": 64, "use": "output"}, {"name": "n", "type": "i32", "value": 64}],
 "kernels": [{"name": "app::scale<float>", "grid": 1, "block": 64}, {"name": "where", "grid": 1, "block": 1, "arguments": ["y"]}], "verify": {"c": {"source": "x.c", "function": "right"}}}}}`,
		"x.cu": source, "check.h": "#include <stdio.h>\n#define CHECK(x) check(x)\ninline void check(cudaError_t e) { if (e) fprintf(stderr, \"%d\", e); }\n",
		"x.c": "void right(float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2; }\n",
	})
	algorithmtest.Solve(t, factory(t, path), device(t), "scale", nil, nil)
	compiles(t, path, "sm_53")
	if got := withoutHost("__host__ int twice(int a) { return 2 * a; }\n__device__ int f();\n"); got != "\n__device__ int f();\n" {
		t.Errorf("got %q", got)
	}
	const plain = "__host__ __device__ int f() { return cudaGetLast(); }\n__constant__ std::vector<int> *p;\n"
	if got := withoutHost(plain); got != plain {
		t.Errorf("got %s", got)
	}
}

// compiles has NVRTC compile the first version of a config for these architectures.
func compiles(t *testing.T, path string, architectures ...string) {
	t.Helper()
	a := built(t, path)
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, gpu.Facts{}, v.launches)
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range architectures {
		if _, err := compiler(t).Compile(s, arch); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
