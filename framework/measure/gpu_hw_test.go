//go:build gpu

package measure

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

const hardwareKernels = `
extern "C" __global__ void nothing() {}
extern "C" __global__ void chain(float *out, int n) {
    float x = threadIdx.x;
    for (int i = 0; i < n; i++) x = x * 0.999f + 0.5f;
    if (x == -1) *out = x;
}
extern "C" __global__ void keep(float *from, int kept) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
#if __CUDA_ARCH__ >= 800
    if (kept) {
        unsigned long long policy;
        asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
        asm volatile("ld.global.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(x) : "l"(from + i), "l"(policy));
    } else
#endif
        x = from[i];
    if (x == -1) *from = x;
}`

// kernelRuns launches one kernel several times a run.
type kernelRuns struct {
	framework.BaseAlgorithm
	s        gpu.Stream
	module   gpu.Module
	k        gpu.Kernel
	shape    gpu.Launch
	args     []any
	launches int
	wait     func() error
}

func (k *kernelRuns) Stream() gpu.Stream { return k.s }
func (k *kernelRuns) Run() error {
	for range max(k.launches, 1) {
		if err := k.k.Launch(k.s, k.shape, k.args...); err != nil {
			return err
		}
	}
	if k.wait != nil {
		return k.wait()
	}
	return nil
}

type resetRuns struct {
	*kernelRuns
	resets int
}

func (r *resetRuns) Reset() error { r.resets++; return nil }

func hardware(t *testing.T) (*driver.GPU, *GPUTimer, func(launches, iterations int) *kernelRuns) {
	t.Helper()
	runtime.LockOSThread()
	g, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := g.Compile(gpu.Source{Name: "hardware.cu", Text: hardwareKernels})
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewStream()
	if err != nil {
		t.Fatal(err)
	}
	timer, err := NewGPUTimer(g, config.Measure{
		MinSamples: 10, MinTime: 0.3, Noise: 0.005, Timeout: 5, ClockFraction: 0.75,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(timer.Close(), m.Unload(), g.DestroyStream(s), g.Close()); err != nil {
			t.Error(err)
		}
		runtime.UnlockOSThread()
	})
	return g, timer, func(launches, iterations int) *kernelRuns {
		name, args, shape := "nothing", []any(nil), gpu.Launch{}
		if iterations > 0 {
			name, args = "chain", []any{gpu.Pointer(0), int32(iterations)}
			shape = gpu.Launch{Grid: gpu.Dim3{X: g.Facts().Multiprocessors}, Block: gpu.Dim3{X: 128}}
		}
		k, err := m.Kernel(name)
		if err != nil {
			t.Fatal(err)
		}
		return &kernelRuns{s: s, module: m, k: k, shape: shape, args: args, launches: launches}
	}
}

func TestHardwareSeries(t *testing.T) {
	g, timer, runs := hardware(t)
	t.Logf("event pair %.2f us, flush %d bytes", timer.Overhead*1e6, timer.flush.bytes)
	for _, c := range []struct {
		name                 string
		launches, iterations int
	}{
		{"empty", 1, 0}, {"5us", 1, 2475}, {"50us", 1, 24750}, {"5ms", 1, 2475000}, {"empty x 20", 20, 0}, {"empty x 3000", 3000, 0},
	} {
		alg := runs(c.launches, c.iterations)
		for mode, f := range map[string]func(framework.GPUAlgorithm) (*Series, error){"cold": timer.Cold, "hot": timer.Hot} {
			begin := time.Now()
			s, err := f(alg)
			if err != nil {
				t.Fatal(err)
			}
			sum := stats.Summarize(s.Samples)
			t.Logf("%-13s %-5s median %10.3f us  q1 %.3f q3 %.3f min %.3f max %.3f  n %d batch %d dropped %d clock %.0f MHz  wall %.2f s  %s %q",
				c.name, mode, sum.Median*1e6, sum.Q1*1e6, sum.Q3*1e6, sum.Min*1e6, sum.Max*1e6, len(s.Samples), s.Batch, s.Dropped,
				s.ClockHz/1e6, time.Since(begin).Seconds(), s.Stop, timer.Notes())
			if len(s.Samples) < 10 || s.ClockHz <= 0 || s.ClockHz > 1.02*float64(g.Facts().ClockHz) {
				t.Errorf("%s %s: %d samples at %.0f Hz", c.name, mode, len(s.Samples), s.ClockHz)
			}
		}
	}
}

func TestHardwareTimeIsProportional(t *testing.T) {
	_, timer, runs := hardware(t)
	one, err := timer.Hot(runs(1, 250000))
	if err != nil {
		t.Fatal(err)
	}
	ten, err := timer.Hot(runs(1, 2500000))
	if err != nil {
		t.Fatal(err)
	}
	if r := stats.Summarize(ten.Samples).Median / stats.Summarize(one.Samples).Median; r < 9.9 || r > 10.1 {
		t.Errorf("ten times the iterations took %.3f times as long", r)
	}
}

func TestHardwareRunThatWaits(t *testing.T) {
	g, timer, runs := hardware(t)
	alg := runs(1, 24750)
	alg.wait = func() error { return g.Synchronize(alg.s) }
	timer.m.MinTime, timer.m.Timeout = 0.1, 1
	for _, f := range []func(framework.GPUAlgorithm) (*Series, error){timer.Cold, timer.Hot} {
		s, err := f(alg)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(timer.Notes(), "; ")
		t.Logf("median %.3f us, %d samples, batch %d, %s, %s", stats.Summarize(s.Samples).Median*1e6, len(s.Samples), s.Batch, s.Stop, notes)
		if !strings.Contains(notes, "launch latency") {
			t.Errorf("notes %q do not tell", notes)
		}
	}
}

func TestHardwareReset(t *testing.T) {
	_, timer, runs := hardware(t)
	alg := &resetRuns{kernelRuns: runs(1, 24750)}
	s, err := timer.Cold(alg)
	if err != nil {
		t.Fatal(err)
	}
	if alg.resets < len(s.Samples) {
		t.Errorf("%d resets for %d samples", alg.resets, len(s.Samples))
	}
	if _, err := timer.Hot(alg); !errors.Is(err, ErrNoHot) {
		t.Errorf("hot: %v", err)
	}
}

// TestHardwareFlushReachesKeptLines: loads that ask the L2 cache to keep their lines are as slow after a flush as others.
func TestHardwareFlushReachesKeptLines(t *testing.T) {
	g, timer, runs := hardware(t)
	const floats = 65536
	from, err := g.Alloc(4 * floats)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Free(from); err != nil {
			t.Error(err)
		}
	})
	if err := g.SetAsync(from, 0, 4*floats, 0); err != nil {
		t.Fatal(err)
	}
	var both [2]framework.GPUAlgorithm
	for kept := range both {
		k := runs(1, 0)
		k.k, err = k.module.Kernel("keep")
		if err != nil {
			t.Fatal(err)
		}
		k.shape = gpu.Launch{Grid: gpu.Dim3{X: floats / 256}, Block: gpu.Dim3{X: 256}}
		k.args = []any{from, int32(kept)}
		both[kept] = k
	}
	x, err := timer.Alternate(both[0], both[1])
	if err != nil {
		t.Fatal(err)
	}
	a, b := stats.Median(x.A), stats.Median(x.B)
	t.Logf("%.3f and %.3f us, %d quads", a*1e6, b*1e6, len(x.A)/2)
	if b < 0.985*a {
		t.Errorf("kept: %.3f us, others %.3f us", b*1e6, a*1e6)
	}
}

func TestHardwareSustain(t *testing.T) {
	_, timer, runs := hardware(t)
	for _, iterations := range []int{0, 24750, 2475000} {
		n, seconds, err := timer.Sustain(runs(1, iterations), func(e float64, _ int64) bool { return e > 1 })
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d iterations: %d runs in %.3f s: %.3f us per run", iterations, n, seconds, seconds/float64(n)*1e6)
		if seconds < 1 || seconds > 1.2 {
			t.Errorf("window of %v s", seconds)
		}
	}
}
