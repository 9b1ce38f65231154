package engine

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// copyingVersion has an answer that is its input.
func copyingVersion() framework.Version {
	return framework.Version{Name: "gpu-copies", Processor: framework.GPU, New: func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
		return &copiesOnGPU{GPURun: framework.GPURun{Env: env}}, nil
	}}
}

type copiesOnGPU struct {
	framework.GPURun
	from, to gpu.Pointer
}

var copied = bytes.Repeat([]byte("input"), 100)

func (c *copiesOnGPU) PreRun() (err error) {
	if c.from, err = framework.AllocInput(&c.GPURun, copied); err == nil {
		c.to, err = c.AllocFilled(0, int64(len(copied)))
		c.Output(c.to, int64(len(copied)))
	}
	return err
}

func (c *copiesOnGPU) Run() error {
	return c.Device.CopyAsync(c.to, c.from, int64(len(copied)), c.Env.Stream)
}

func (c *copiesOnGPU) Verify() ([]framework.Check, error) {
	got := make([]byte, len(copied))
	err := gpu.Download(c.Device, got, c.to)
	return []framework.Check{{Metric: "differs", Error: map[bool]float64{false: 1}[bytes.Equal(got, copied)]}}, err
}

func (c *copiesOnGPU) Work() framework.Work { return framework.Work{NominalBytes: 1000} }

// TestInputToAnswer is timed by the host, back to back and at a rate, of each kind of
// memory; what is copied is counted.
func TestInputToAnswer(t *testing.T) {
	stub := drivertest.Build(t)
	t.Setenv("LD_LIBRARY_PATH", filepath.Dir(stub.Path)) // the workers' alone
	e := processEngine()
	defer e.Close()
	e.opt.VerifyOnly = false
	m := &e.opt.Config.Measure
	m.MinSamples, m.MinTime, m.Timeout, m.Releases, m.Ceilings = 3, 0.001, 0.5, 20, false
	var points []plan.Point
	for _, set := range []string{"timed=answer", "timed=answer host=pinned", "timed=answer memory=mapped", "timed=answer memory=managed", "timed=answer host=pinned rate_hz=200 wait=spin", "timed=answer rate_hz=200"} {
		p := plan.Point{ID: len(points), Algorithm: "processes", Version: "gpu-copies", Processor: framework.GPU, Device: "cuda:0", Params: framework.Values{}}
		for _, word := range strings.Fields(set) {
			name, value, _ := strings.Cut(word, "=")
			p.Params[name] = framework.TextValue(value)
			if name == "rate_hz" {
				p.Params[name] = framework.FloatValue(200)
			}
			p.Usage, p.ParamOrder = append(p.Usage, name), append(p.ParamOrder, name)
		}
		points = append(points, p)
	}
	seen := 0
	err := e.Run(t.Context(), points, nil, nil, watcher{&log{}}, Keep(func(r record.Result) error {
		seen++
		key := r.Point.Key()
		if r.Status != record.OK || r.Verification != framework.FullVerification {
			t.Errorf("%s: %s %s", key, r.Status, r.Reason)
			return nil
		}
		want := int64(len(copied))
		if r.Point.Params["memory"].IsSet() {
			want = 0
		}
		if r.Work != (framework.Work{NominalBytes: 1000, CopiedIn: want, CopiedOut: want}) {
			t.Errorf("%s: %+v", key, r.Work)
		}
		paced := r.Point.Params["rate_hz"].IsSet()
		if r.Cold != nil || (r.Hot != nil) == paced || (r.Rate != nil) != paced {
			t.Errorf("%s: cold %v, hot %v, rate %v", key, r.Cold, r.Hot, r.Rate)
		}
		if paced && r.Rate.Releases < 20 || !paced && len(r.Hot.Samples) < 3 {
			t.Errorf("%s: %+v %+v", key, r.Hot, r.Rate)
		}
		return nil
	}))
	if err != nil || seen != len(points) {
		t.Errorf("%d points, %v", seen, err)
	}
}
