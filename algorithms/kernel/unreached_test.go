package kernel

import (
	"strings"
	"testing"
)

// What no kernel can reach is left out, with what only it names, across texts; lines stay.
func TestUnreached(t *testing.T) {
	texts := []string{`#include "timer.h"
// a remark

#define CHECK(x) cudaCheck(x)
using namespace tools;
Timer *timer = NULL;
float onDevice(float x) { return twice(x) + Pair(1).a; }
__global__ void k(float *y) { y[0] = onDevice(1) + "unnamed"[0]; }
void run(int n);
template <class T> void launch(T n) { run(n); k<<<1, 1>>>(0); }
template void launch<int>(int n);
void run(int n) { Timer t; t.start(); unnamed(); }
void unnamed() {}
DECLARE(made) { y[0] = 0; }
KERNEL other(float *y) { y[0] = 1; }
`, `#define DECLARE(name) __global__ void name(float *y)
#define MARK static __global__
#define KERNEL MARK void
struct Timer {
    struct timeval begin;
    void start();
};
inline void Timer::start() { begin = {}; }
inline float twice(float x) { return 2 * x; }
struct Pair { int a; Pair(int b) : a(b) {} int sum(); };
int Pair::sum() { return a; }
`}
	unreached(texts, "")
	for i := range texts {
		texts[i] = withoutHost(texts[i])
	}
	want := []string{`#include "timer.h"
// a remark

#define CHECK(x) cudaCheck(x)
using namespace tools;

float onDevice(float x) { return twice(x) + Pair(1).a; }
__global__ void k(float *y) { y[0] = onDevice(1) + "unnamed"[0]; }





DECLARE(made) { y[0] = 0; }
KERNEL other(float *y) { y[0] = 1; }
`, `#define DECLARE(name) __global__ void name(float *y)
#define MARK static __global__
#define KERNEL MARK void





inline float twice(float x) { return 2 * x; }
struct Pair { int a; Pair(int b) : a(b) {} int sum(); };
int Pair::sum() { return a; }
`}
	for i := range texts {
		if texts[i] != want[i] {
			t.Errorf("got\n%s\nwant\n%s", texts[i], want[i])
		}
	}
	if got := withoutHost("template <class T> void go(T n) { k<<<1, 1>>>(n); }\ntemplate void go<int>(int);\ntemplate void go<long>(long);\n"); strings.TrimSpace(got) != "" {
		t.Errorf("instances of what is left out: %q", got)
	}
}

// Declarations and instances of a host's function go with it, though something that stays has its name.
func TestUnreachedInstances(t *testing.T) {
	texts := []string{`template <class T> void sum(T n);
template <class T> void sum(T n) { k<T><<<1, 1>>>(n); }
template void sum<int>(int n);
template <class T> __global__ void k(T n) { other::sum(n); }
`}
	unreached(texts, "")
	if want := "\n\n\ntemplate <class T> __global__ void k(T n) { other::sum(n); }\n"; texts[0] != want {
		t.Errorf("got\n%s\nwant\n%s", texts[0], want)
	}
}

// Types, aliases and variables that no kernel can reach go too; what a config calls by name, and a device's, stays.
func TestUnreachedDeclarations(t *testing.T) {
	texts := []string{`typedef struct { pthread_t id; } worker, *workers;
typedef void (*Callback)(cudaStream_t);
typedef float real;
using handle = CUmodule;
struct Sum { int a; };
struct Named { int a; };
namespace own {
static pid_t pids[4], *first = NULL;
static const int width = 8, unused = width;
EGLStreamKHR streams[] = {EGL_NO_STREAM_KHR, 0};
}
#undef launched
#if launched(1)
#endif
void launched(int n) { k<<<1, n>>>(0); }
void local(float *y) { launched(3); }
__global__ void k(real *y) { int local = own::width; y[0] = local; }
`}
	unreached(texts, `{"name": "k<Named>"}`)
	want := `



struct Named { int a; };
namespace own {

static const int width = 8, unused = width;

}
#undef launched
#if launched(1)
#endif


__global__ void k(real *y) { int local = own::width; y[0] = local; }
`
	want = strings.Replace(want, "\n\n\n\n", "\n\ntypedef float real;\n\n\n", 1)
	if texts[0] != want {
		t.Errorf("got\n%s\nwant\n%s", texts[0], want)
	}
}

// A member of the host stays declared: other members call it.
func TestHostMembers(t *testing.T) {
	const text = `struct List {
	int *at, length;
	List(int n) : at(nullptr), length(n) { cudaMalloc(&at, n); }
	void load(std::string from) { at = 0; }
	__device__ int get(int i) { return at[i]; }
};
struct Two : public List { Two(int n) : List(n) {} };
`
	const want = `struct List {
	int *at, length;
	List(int n) ;

	__device__ int get(int i) { return at[i]; }
};
struct Two : public List { Two(int n) : List(n) {} };
`
	if got := withoutHost(text); got != want {
		t.Errorf("got\n%s", got)
	}
}
