package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/gpu/cuda/offline"
)

// aheadVersions compile a kernel of their own for each value of A. What their names
// say they do in a compiler alone.
func aheadVersions() (list []framework.Version) {
	for name, ahead := range map[string]func(){"gpu-compiles": func() {}, "gpu-exits-ahead": func() { os.Exit(3) }, "gpu-hangs-ahead": func() { select {} }} {
		list = append(list, framework.Version{Name: name, Processor: framework.GPU,
			New: func(env framework.Env, _ framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
				return compilesOnGPU{doesOnGPU{does{func() error { return nil }}, env.Stream}, env.Device, tunables.Int("A"), ahead, aheadText}, nil
			}})
	}
	for name, text := range map[string]string{"gpu-refused": "#error no"} {
		list = append(list, framework.Version{Name: name, Processor: framework.GPU,
			New: func(env framework.Env, _ framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
				return compilesOnGPU{doesOnGPU{does{func() error { return nil }}, env.Stream}, env.Device, tunables.Int("A"), func() {}, text}, nil
			}})
	}
	list = append(list, framework.Version{Name: "gpu-too-many-threads", Processor: framework.GPU,
		New: func(env framework.Env, _ framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
			run := func() error {
				m, err := env.Device.Compile(gpu.Source{Name: "k.cu", Text: aheadText, Defines: gpu.Defines("A", 1)})
				if err != nil {
					return err
				}
				k, err := m.Kernel("k")
				if err != nil {
					return err
				}
				return k.Launch(env.Stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1 << 20}}, gpu.Pointer(0))
			}
			return compilesOnGPU{doesOnGPU{does{run}, env.Stream}, env.Device, 1, func() {}, aheadText}, nil
		}})
	return list
}

const aheadText = `extern "C" __global__ void k(int *x) { *x = A; }`

type compilesOnGPU struct {
	doesOnGPU
	device gpu.Device
	a      int64
	ahead  func()
	text   string
}

func (c compilesOnGPU) PreRun() error {
	if _, here := c.device.(*offline.Device); here {
		c.ahead()
	}
	m, err := c.device.Compile(gpu.Source{Name: "k.cu", Text: c.text, Defines: gpu.Defines("A", c.a)})
	if err != nil {
		return err
	}
	return m.Unload()
}

// compiling is an engine on the stand-in for the driver, an empty compile cache, and
// compilers for that device.
func compiling(t *testing.T, count int) (e *Engine, c *Compilers, cache string) {
	t.Helper()
	stub := drivertest.Build(t)
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)+":"+os.Getenv("LD_LIBRARY_PATH"))
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	e = processEngine()
	t.Cleanup(e.Close)
	facts, err := e.Device(t.Context(), "cuda:0")
	if err != nil {
		t.Fatal(err)
	}
	c = NewCompilers(count, e.opt, *facts)
	t.Cleanup(c.Close)
	return e, c, filepath.Join(home, "bench", "kernels")
}

func compiledPoint(version string, a int64) plan.Point {
	return plan.Point{Algorithm: "processes", Version: version, Processor: framework.GPU, Device: "cuda:0",
		Tunables: framework.IntValues("A", int(a)), TunableOrder: []string{"A"}}
}

// entries of the compile cache, with when each was written.
func entries(t *testing.T, cache string) map[string]time.Time {
	t.Helper()
	list, err := os.ReadDir(cache)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]time.Time{}
	for _, e := range list {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if e.Name() != "trimmed" {
			all[e.Name()] = info.ModTime()
		}
	}
	return all
}

// What was compiled ahead the worker finds: it compiles nothing but the point whose
// compiler crashed, which costs nothing else.
func TestWorkerFindsWhatWasCompiledAhead(t *testing.T) {
	e, c, cache := compiling(t, 2)
	points := []plan.Point{compiledPoint("gpu-compiles", 1), compiledPoint("gpu-exits-ahead", 2), compiledPoint("gpu-compiles", 3), compiledPoint("gpu-compiles", 4)}
	failed := map[string]string{}
	c.Compile(t.Context(), points, func(p plan.Point, _ []offline.Launch, err error) {
		if err != nil {
			failed[p.Key()] = err.Error()
		}
	})
	if why := failed[points[1].Key()]; len(failed) != 1 || !strings.Contains(why, "the worker process ended with status 3") {
		t.Errorf("failed: %q", failed)
	}
	ahead := entries(t, cache)
	if len(ahead) != 3 {
		t.Fatalf("%d kernels compiled ahead, want 3", len(ahead))
	}
	for name := range ahead { // so that one compiled again is seen
		old := time.Now().Add(-time.Hour).Truncate(time.Second)
		ahead[name] = old
		if err := os.Chtimes(filepath.Join(cache, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	var ok int
	if err := e.Run(t.Context(), points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error {
		if r.Status == record.OK {
			ok++
		} else {
			t.Errorf("%s: %s", r.Point.Key(), r.Reason)
		}
		return nil
	})); err != nil || ok != len(points) {
		t.Errorf("%d points ok, %v", ok, err)
	}
	after := entries(t, cache)
	for name, when := range ahead {
		if !after[name].Equal(when) {
			t.Error("a kernel was compiled again")
		}
	}
	if len(after) != 4 {
		t.Errorf("%d kernels, want 4", len(after))
	}
}

// Points are begun in their order, and told of one at a time.
func TestCompilersKeepTheOrder(t *testing.T) {
	_, c, _ := compiling(t, 1)
	var points []plan.Point
	for a := range int64(4) {
		points = append(points, compiledPoint("gpu-compiles", 4-a))
	}
	var order []string
	c.Compile(t.Context(), points, func(p plan.Point, _ []offline.Launch, err error) {
		order = append(order, fmt.Sprint(p.TunablesText(), err))
	})
	if want := []string{"A=4<nil>", "A=3<nil>", "A=2<nil>", "A=1<nil>"}; !slices.Equal(order, want) {
		t.Errorf("%q, want %q", order, want)
	}
}

// Compilers end with their context, whatever they do, and leave no process and no
// file.
func TestCompilersEndWithTheirContext(t *testing.T) {
	e, c, _ := compiling(t, 2)
	e.Close()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	left := func() int {
		list, err := os.ReadDir(dir) // a folder for each process
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil && left() < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	told := 0
	within(t, "the end", func() {
		c.Compile(ctx, []plan.Point{compiledPoint("gpu-hangs-ahead", 1), compiledPoint("gpu-hangs-ahead", 2), compiledPoint("gpu-compiles", 3), compiledPoint("gpu-compiles", 4)},
			func(_ plan.Point, _ []offline.Launch, err error) {
				if told++; !errors.Is(err, ErrInterrupted) {
					t.Error(err)
				}
			})
		c.Close()
	})
	if told < 2 || told > 3 { // one may have been handed over
		t.Errorf("told of %d points", told)
	}
	if n := left(); n > 0 {
		t.Errorf("%d processes left", n)
	}
}

// Compilers run where nothing else wants to, every thread of them.
func TestCompilersGiveWay(t *testing.T) {
	p, err := startBehind()
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.group))
	if err != nil || len(threads) == 0 {
		t.Fatalf("%v, %v", threads, err)
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it ended
		}
		fields := strings.Fields(string(text[strings.LastIndex(string(text), ")")+1:])) // from the third on, proc_pid_stat(5)
		if nice := fields[19-3]; nice != strconv.Itoa(behind) {
			t.Errorf("a thread is at %s", nice)
		}
	}
}

// A source that no compiler takes, and a launch beyond the device, say that the point
// cannot run; a compiler that crashes does not.
func TestOneCannotRun(t *testing.T) {
	_, c, _ := compiling(t, 2)
	for version, cannot := range map[string]bool{"gpu-compiles": false, "gpu-exits-ahead": false, "gpu-refused": true, "gpu-too-many-threads": true} {
		_, err := c.One(t.Context(), compiledPoint(version, 1))
		var why CannotRun
		if errors.As(err, &why) != cannot || (err == nil) != (version == "gpu-compiles") {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// Paused compilers stand still, those that start meanwhile too, until they are resumed as
// often.
func TestPausedCompilers(t *testing.T) {
	_, c, _ := compiling(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	begin := func(a int64) { wait.Go(func() { c.One(ctx, compiledPoint("gpu-hangs-ahead", a)) }) }
	all := func(want int, stopped bool) func() bool {
		return func() bool {
			c.mu.Lock()
			defer c.mu.Unlock()
			for _, p := range c.begun {
				text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.group))
				if err != nil || strings.HasPrefix(string(text[strings.LastIndex(string(text), ")")+1:]), " T") != stopped {
					return false
				}
			}
			return len(c.begun) == want
		}
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		within(t, what, func() {
			for !holds() {
				time.Sleep(time.Millisecond)
			}
		})
	}
	begin(1)
	until("one at work", all(1, false))
	c.Pause()
	until("one paused", all(1, true))
	begin(2)
	until("two paused", all(2, true))
	c.Pause()
	c.Resume()
	until("two paused still", all(2, true))
	c.Resume()
	until("two at work", all(2, false))
}
