package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
	"example.org/bench/internal/dynlib"
)

// onGPU are versions for the stand-in driver. CUDA's error 700, an illegal
// address, is returned by every later call in the same context.
var onGPU = map[string]func() error{
	"gpu-fine":  func() error { return nil },
	"gpu-fails": func() error { return errors.New("no such size") },
	"gpu-sticky": func() error {
		lib, err := dynlib.Open("libcuda.so.1")
		if err != nil {
			return err
		}
		var fail func(call string, code int64)
		if err := lib.Func(&fail, "stub_fail"); err != nil {
			return err
		}
		fail("cuStreamSynchronize", 700)
		return errors.New("illegal address")
	},
}

type doesOnGPU struct {
	does
	stream gpu.Stream
}

func (d doesOnGPU) Stream() gpu.Stream { return d.stream }

func gpuVersions() (list []framework.Version) {
	for name, run := range onGPU {
		list = append(list, framework.Version{Name: name, Processor: framework.GPU,
			New: func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
				return doesOnGPU{does{run}, env.Stream}, nil
			}})
	}
	return append(list, framework.Version{Name: "gpu-launches", Processor: framework.GPU,
		New: func(env framework.Env, _ framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
			return &launchesOnGPU{doesOnGPU: doesOnGPU{stream: env.Stream}, device: env.Device, count: int(tunables.Int("COUNT"))}, nil
		}})
}

// A worker whose CUDA context is lost is replaced, whatever lost it; one whose
// kernel failed otherwise is kept.
func TestLostContextEndsItsWorker(t *testing.T) {
	stub := drivertest.Build(t)
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)+":"+os.Getenv("LD_LIBRARY_PATH"))
	e := processEngine()
	defer e.Close()
	point := func(version string) plan.Point {
		return plan.Point{Algorithm: "processes", Version: version, Processor: framework.GPU, Device: "cuda:0"}
	}
	run := func(version string) *process {
		t.Helper()
		r, err := e.Measure(t.Context(), point(version), nil, watcher{&log{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"gpu-fine": "", "gpu-fails": "no such size", "gpu-sticky": "illegal address"}[version]
		if r.Reason != want || (r.Status == record.OK) != (want == "") {
			t.Errorf("%s: %s %q, want %q", version, r.Status, r.Reason, want)
		}
		return e.worker
	}
	first := run("gpu-fine")
	if again := run("gpu-fails"); again != first || first == nil {
		t.Error("a failure that leaves the context as it was ended the worker")
	}
	if left := run("gpu-sticky"); left != nil {
		t.Error("a worker without a context is kept after a point")
	}
	run("gpu-fine")
	turns, err := e.Turns(t.Context(), Pair{A: point("gpu-sticky"), B: point("gpu-fine")})
	if err != nil || turns.Status != record.Failed || !strings.Contains(turns.Reason, "illegal address") || e.worker != nil {
		t.Errorf("after turns: %+v, %v, worker kept: %v", turns, err, e.worker != nil)
	}
	run("gpu-fine")
}
