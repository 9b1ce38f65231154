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
