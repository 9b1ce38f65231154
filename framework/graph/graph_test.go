package graph

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// chain is a version of so many kernels.
type chain struct {
	framework.GPURun
	kernels int
	waits   bool // for the device, within a run
	kernel  gpu.Kernel
}

func (c *chain) PreRun() (err error) {
	c.kernel, err = c.Kernel(gpu.Source{Name: "k.cu", Text: "work", Kernels: []string{"work"}})
	return err
}

func (c *chain) Run() error {
	for range c.kernels {
		if err := c.kernel.Launch(c.Env.Stream, gpu.Launch{}, uint64(2000)); err != nil {
			return err
		}
	}
	if c.waits {
		return c.Device.Synchronize(c.Env.Stream)
	}
	return nil
}

func (c *chain) Verify() ([]framework.Check, error) { return []framework.Check{{Metric: "none"}}, nil }

func (c *chain) Work() framework.Work { return framework.Work{NominalFLOPs: 3} }

// rich is a chain with all that a version may have.
type rich struct {
	chain
	reset int
}

func (r *rich) Reset() error { r.reset++; return nil }

func (r *rich) VerifyFast() ([]framework.Check, error) {
	return []framework.Check{{Metric: "fast"}}, nil
}

func (r *rich) Recheck() ([]framework.Check, error) {
	return []framework.Check{{Metric: "again"}}, nil
}

func (r *rich) Answers() ([]framework.Answer, error) { return []framework.Answer{{Name: "x"}}, nil }

func (r *rich) Transfers() framework.Transfers { return framework.Transfers{Within: true} }

func open(t *testing.T, macros ...string) (*drivertest.Stub, *driver.GPU, framework.Env) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s := drivertest.Build(t, macros...)
	g := s.Open(t)
	t.Cleanup(func() { g.Close() })
	return s, g, framework.Env{Device: g, Stream: 7}
}

// TestRunIsOneLaunch: a run is the kernels of the version, in one call, and nothing is left.
func TestRunIsOneLaunch(t *testing.T) {
	s, g, env := open(t)
	notes := ""
	version := &chain{GPURun: framework.GPURun{Env: env}, kernels: 3}
	a, err := New(version, g, func(format string, args ...any) { notes += fmt.Sprintf(format, args...) })
	if err != nil {
		t.Fatal(err)
	}
	calls := s.Trace(func() { err = a.PreRun() })
	if err != nil {
		t.Fatal(err)
	}
	if done := slices.Index(calls, "cuStreamSynchronize"); done < 0 || done > slices.IndexFunc(calls, func(call string) bool { return strings.HasPrefix(call, "cuStreamBeginCapture") }) {
		t.Errorf("the first run is not over when the next is recorded: %q", calls)
	}
	if got := s.Get("launches"); got != 3 || notes != "a run is a graph of 3 nodes" {
		t.Errorf("%d launches before the first run, want one run's; %q", got, notes)
	}
	for run := range int64(2) {
		calls := s.Trace(func() { err = a.Run() })
		if err != nil || !slices.Equal(calls, []string{"cuGraphLaunch"}) || s.Get("launches") != 6+3*run {
			t.Errorf("%v, %q, %d launches", err, calls, s.Get("launches"))
		}
	}
	if _, resets := a.(framework.Resetter); resets {
		t.Error("inputs are restored that the version does not change")
	}
	if _, err := a.(framework.FastVerifier).VerifyFast(); !errors.Is(err, framework.ErrNoFastCheck) {
		t.Errorf("%v", err)
	}
	if a.Work().NominalFLOPs != 3 {
		t.Errorf("%+v", a.Work())
	}
	ended := s.Trace(func() { err = a.PostRun() })
	if err != nil || !slices.Contains(ended, "cuGraphExecDestroy") {
		t.Errorf("%v, %q", err, ended)
	}
	if err := a.PostRun(); err != nil {
		t.Errorf("a second time: %v", err)
	}
}

// TestVersionsKeepWhatTheyHave beside BaseAlgorithm.
func TestVersionsKeepWhatTheyHave(t *testing.T) {
	_, g, env := open(t)
	version := &rich{chain: chain{GPURun: framework.GPURun{Env: env}, kernels: 1}}
	a, err := New(version, g, func(string, ...any) {})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PreRun(); err != nil || version.reset != 1 {
		t.Errorf("%v, %d times restored before the first run, want 1", err, version.reset)
	}
	if err := a.(framework.Resetter).Reset(); err != nil || version.reset != 2 {
		t.Errorf("%v, %d times restored", err, version.reset)
	}
	fast, err1 := a.(framework.FastVerifier).VerifyFast()
	again, err2 := a.(framework.Rechecker).Recheck()
	shown, err3 := a.(framework.Answerer).Answers()
	if err := errors.Join(err1, err2, err3); err != nil || fast[0].Metric != "fast" || again[0].Metric != "again" || shown[0].Name != "x" || !a.(framework.Transferrer).Transfers().Within {
		t.Errorf("%v, %v, %v, %v", err, fast, again, shown)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
}

// TestWhatCannotBeRecorded is refused before anything is timed, and leaves nothing.
func TestWhatCannotBeRecorded(t *testing.T) {
	for want, c := range map[string]struct {
		macros []string
		make   func(framework.Env) *chain
	}{
		"CUDA 10.0 or newer has graphs": {[]string{"NO_GRAPHS"}, func(env framework.Env) *chain { return &chain{GPURun: framework.GPURun{Env: env}, kernels: 1} }},
		"STREAM_CAPTURE_UNSUPPORTED": {nil, func(env framework.Env) *chain {
			return &chain{GPURun: framework.GPURun{Env: env}, kernels: 1, waits: true}
		}},
		"puts nothing on its stream": {nil, func(env framework.Env) *chain { return &chain{GPURun: framework.GPURun{Env: env}} }},
	} {
		s, g, env := open(t, c.macros...)
		used := s.Get("used_bytes")
		a, err := New(c.make(env), g, func(string, ...any) {})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.PreRun(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if err := a.PostRun(); err != nil || s.Get("used_bytes") != used {
			t.Errorf("%v, %d bytes left", err, s.Get("used_bytes")-used)
		}
	}
}

func TestOnlyADriverHasGraphs(t *testing.T) {
	_, g, _ := open(t)
	if Device(g) != g || Device(g.Placed(gpu.MappedMemory)) != g || Device(simtest.Open(t)) != nil {
		t.Error("another device than the driver's GPU")
	}
}
