package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// besides serves a load for a while, and returns what it was.
func besides(t *testing.T, load string) (r reached, said string) {
	t.Helper()
	in, tell := io.Pipe()
	words, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- ServeBeside(in, out, load) }()
	lines := bufio.NewReader(words)
	if line, err := lines.ReadString('\n'); err != nil || line != besideRuns+"\n" {
		tell.Close()
		return r, line
	}
	time.Sleep(300 * time.Millisecond)
	tell.Close()
	said, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	json.Unmarshal([]byte(said), &r) //nolint:errcheck // the text says what is wrong
	return r, said
}

// TestBesideReadsAsAsked: the load says when it runs and ends when its input does; a
// bandwidth is never above what was asked, but for its last piece.
func TestBesideReadsAsAsked(t *testing.T) {
	const asked = 20e6 // bytes per second, what any loaded machine reaches
	if got, said := besides(t, "bandwidth_Bps:20e6"); got.Bandwidth <= 0 || got.Bandwidth > 1.2*asked || got.GPU != 0 {
		t.Errorf("%s; asked for %g", said, asked)
	}
}

// TestBesideEndsItsThreads: a load that has ended takes no processor any more.
func TestBesideEndsItsThreads(t *testing.T) {
	computing := func() int {
		stacks := make([]byte, 1<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "engine.ServeBeside.func")
	}
	besides(t, "cpu:2")
	for deadline := time.Now().Add(time.Minute); computing() > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d threads compute after the end", computing())
		}
	}
}

// TestBesideLoadsTheGPU for a share of the time, or with copies at a rate, never more than
// was asked but for the last piece; what it holds is given back, and what cannot be says why.
func TestBesideLoadsTheGPU(t *testing.T) {
	stub := drivertest.Build(t)
	before := besideGPU
	besideGPU = func() (*driver.GPU, error) { return stub.Open(t), nil }
	t.Cleanup(func() { besideGPU = before })
	calls := stub.Trace(func() {
		if got, said := besides(t, "gpu:0.5"); got.GPU <= 0 || got.GPU > 0.6 {
			t.Errorf("%s; asked for half of the time", said)
		}
	})
	launched, waited := count(calls, "cuLaunchKernel"), count(calls, "cuEventSynchronize")
	if launched == 0 || waited != launched || stub.Get("used_bytes") != 0 || calls[len(calls)-1] != "cuDevicePrimaryCtxRelease" {
		t.Errorf("%d launches, %d waits, %d bytes left, last call %s", launched, waited, stub.Get("used_bytes"), calls[len(calls)-1])
	}
	const asked = 400e6
	calls = stub.Trace(func() {
		if got, said := besides(t, "cpu:1+gpu_bandwidth_Bps:4e8"); got.GPU <= 0 || got.GPU > 1.2*asked || got.Bandwidth != 0 {
			t.Errorf("%s; asked for %g", said, asked)
		}
	})
	if count(calls, "cuMemcpyDtoDAsync") == 0 || count(calls, "cuLaunchKernel") != 0 || stub.Get("used_bytes") != 0 {
		t.Errorf("%d copies, %d launches, %d bytes left", count(calls, "cuMemcpyDtoDAsync"), count(calls, "cuLaunchKernel"), stub.Get("used_bytes"))
	}
	stub.Fail("cuMemAlloc", 2)
	if _, said := besides(t, "gpu:1"); !strings.Contains(said, "allocate 4 bytes on cuda:0") || strings.Count(said, "\n") != 1 {
		t.Errorf("%q", said)
	}
	stub.Fail("", 0)
	stub.Fail("cuLaunchKernel", 700)
	if _, said := besides(t, "gpu:1"); !strings.Contains(said, "cuLaunchKernel") || strings.Count(said, "\n") != 1 {
		t.Errorf("%q", said)
	}
	besideGPU = func() (*driver.GPU, error) { return nil, errors.New("there is no GPU") }
	if _, said := besides(t, "gpu:1"); said != "there is no GPU\n" {
		t.Errorf("%q", said)
	}
}

func count(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
}

func TestParseBeside(t *testing.T) {
	for text, want := range map[string]framework.Beside{
		"none": {}, "": {}, "cpu:2": {CPU: 2}, "bandwidth_Bps:2e9": {Bandwidth: 2e9},
		"cpu:2+bandwidth_Bps:2e+9+gpu:0.5": {CPU: 2, Bandwidth: 2e9, GPU: 0.5}, "gpu_bandwidth_Bps:1e10+cpu:1": {CPU: 1, GPUBandwidth: 1e10},
	} {
		if got, err := framework.ParseBeside(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"cpu", "cpu:0", "cpu:1.5", "gpu:1.5", "gpu", "cpu:1+cpu:2", "cpu:1+", "cpu:1 gpu:1", "+cpu:1", "bandwidth_Bps:-1", "cpu:2000", "bandwidth_Bps:x"} {
		if _, err := framework.ParseBeside(text); err == nil || !strings.Contains(err.Error(), "want none, or one or several of cpu:THREADS") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := framework.ParseBeside("gpu:1+gpu_bandwidth_Bps:1e9"); err == nil || !strings.Contains(err.Error(), "exclude each other") {
		t.Errorf("%v", err)
	}
	if got := framework.BesideText([]string{"cpu", "bandwidth_Bps"}, []string{"2", "2e+09"}); got != "cpu:2+bandwidth_Bps:2e9" {
		t.Error(got)
	}
}
