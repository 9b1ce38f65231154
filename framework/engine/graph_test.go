package engine

import (
	"path/filepath"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// chainVersion is two kernels, one after the other.
func chainVersion() framework.Version {
	return framework.Version{Name: "gpu-chain", Processor: framework.GPU, New: func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
		return &chainOnGPU{GPURun: framework.GPURun{Env: env}}, nil
	}}
}

type chainOnGPU struct {
	framework.GPURun
	kernel gpu.Kernel
}

func (c *chainOnGPU) PreRun() (err error) {
	c.kernel, err = c.Kernel(gpu.Source{Name: "k.cu", Text: "extern \"C\" __global__ void work(unsigned long long) {}", Kernels: []string{"work"}})
	return err
}

func (c *chainOnGPU) Run() error {
	for range 2 {
		if err := c.kernel.Launch(c.Env.Stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 1}}, uint64(2000)); err != nil {
			return err
		}
	}
	return nil
}

func (c *chainOnGPU) Verify() ([]framework.Check, error) {
	return []framework.Check{{Metric: "none"}}, nil
}

func (c *chainOnGPU) Work() framework.Work { return framework.Work{} }

// TestPointAsAGraph: a point is launched as it asks, and says of how many kernels.
func TestPointAsAGraph(t *testing.T) {
	stub := drivertest.Build(t, "ACROSS_PROCESSES")
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)) // the workers' alone
	e := processEngine()
	defer e.Close()
	e.opt.VerifyOnly = false
	m := &e.opt.Config.Measure
	m.MinSamples, m.MinTime, m.Timeout, m.Ceilings = 3, 0.001, 0.5, false
	var points []plan.Point
	for i, launch := range []string{framework.StreamLaunch, framework.GraphLaunch} {
		points = append(points, plan.Point{ID: i, Algorithm: "processes", Version: "gpu-chain", Processor: framework.GPU, Device: "cuda:0",
			Params: framework.Values{"launch": framework.TextValue(launch)}, Usage: []string{"launch"}, ParamOrder: []string{"launch"}})
	}
	seen := 0
	err := e.Run(t.Context(), points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error {
		seen++
		noted := slices.Contains(r.Notes, "a run is a graph of 2 nodes")
		if r.Status != record.OK || r.Cold == nil || r.Hot == nil || noted != (r.Point.Params.Text("launch") == framework.GraphLaunch) {
			t.Errorf("%s: %s %s, %q", r.Point.Key(), r.Status, r.Reason, r.Notes)
		}
		return nil
	}))
	if err != nil || seen != len(points) {
		t.Errorf("%d points, %v", seen, err)
	}
}
