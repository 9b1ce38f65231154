package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"bench/cuda"
	"bench/cuda/driver"
	"bench/framework"
	"bench/framework/engine"
	"bench/framework/plan"
)

// countsWorkerCommand is what the profiler starts; people do not.
func (a *app) countsWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "counts-worker DIR",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.runCounted(args[0]); err != nil {
				return &statusError{exitBad, err}
			}
			return nil
		},
	}
}

// runCounted runs each point of dir's request once, between two kernels that
// mark it.
func (a *app) runCounted(dir string) error {
	runtime.LockOSThread() // a CUDA context belongs to a thread
	b, err := os.ReadFile(filepath.Join(dir, requestFile))
	if err != nil {
		return err
	}
	var r countRequest
	if err := json.Unmarshal(b, &r); err != nil {
		return fmt.Errorf("%s: %w", requestFile, err)
	}
	f, err := a.factory(r.Config)
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(dir, repliesFile))
	if err != nil {
		return err
	}
	defer out.Close()
	replies := json.NewEncoder(out)
	w, err := newCountedRuns(f, r)
	if err != nil {
		return err
	}
	defer w.device.Close()
	for _, p := range r.Points {
		reply := countReply{ID: p.ID}
		if err := w.run(p, &reply); err != nil {
			reply.Error = strings.Join(strings.Fields(err.Error()), " ")
		}
		if err := replies.Encode(reply); err != nil {
			return err
		}
	}
	w.drop()
	return nil
}

// countedRuns is the profiled process's device with the marks.
type countedRuns struct {
	factory    *framework.Factory
	env        framework.Env
	device     cuda.Device
	begin, end cuda.Kernel

	problem framework.Problem // of the point before
	key     string
}

func newCountedRuns(f *framework.Factory, r countRequest) (*countedRuns, error) {
	index, err := engine.ParseDevice(r.Device)
	if err != nil {
		return nil, err
	}
	gpu, err := driver.Open(index)
	if err != nil {
		return nil, err
	}
	if err := gpu.Bind(); err != nil {
		return nil, err
	}
	w := &countedRuns{factory: f, device: gpu, env: framework.Env{Seed: r.Seed, Workers: r.Workers, Device: gpu, Note: func(string, ...any) {}}}
	if w.env.Stream, err = gpu.NewStream(); err != nil {
		return nil, err
	}
	m, err := gpu.Compile(cuda.Source{
		Name:    "counts.cu",
		Text:    `extern "C" __global__ void ` + beginKernel + "() {}\n" + `extern "C" __global__ void ` + endKernel + "() {}\n",
		Kernels: []string{beginKernel, endKernel},
	})
	if err != nil {
		return nil, err
	}
	if w.begin, err = m.Kernel(beginKernel); err != nil {
		return nil, err
	}
	w.end, err = m.Kernel(endKernel)
	return w, err
}

func (w *countedRuns) drop() {
	if w.problem != nil {
		w.problem.Close()
		w.problem = nil
	}
}

// run takes one point through its life up to the one verified run.
func (w *countedRuns) run(p plan.Point, reply *countReply) (err error) {
	if key := p.Problem(); w.problem == nil || key != w.key {
		w.drop()
		if w.problem, err = w.factory.NewProblem(w.env, p.Params); err != nil {
			return fmt.Errorf("make the inputs: %w", err)
		}
		w.key = key
	}
	v := w.factory.VersionOn(p.Version, framework.GPU)
	if v == nil {
		return fmt.Errorf("no version %s for the GPU", p.Version)
	}
	alg, err := v.New(w.env, w.problem, p.Tunables)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, alg.PostRun()) }()
	if err := alg.PreRun(); err != nil {
		return err
	}
	if r, ok := alg.(framework.Resetter); ok {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	if err := w.mark(w.begin); err != nil {
		return err
	}
	reply.Ran = true
	ran := alg.Run()
	if err := errors.Join(ran, w.mark(w.end)); err != nil {
		return err
	}
	reply.Work = alg.Work()
	checks, err := alg.Verify()
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	for _, c := range checks {
		if !c.OK() {
			return fmt.Errorf("wrong under the profiler: %s %.3g is above %.3g", c.Metric, c.Error, c.Bound)
		}
	}
	return nil
}

// mark launches a marking kernel and waits, so that what a run starts on
// other streams lies between its marks too.
func (w *countedRuns) mark(k cuda.Kernel) error {
	if err := w.device.Synchronize(w.env.Stream); err != nil {
		return err
	}
	if err := k.Launch(w.env.Stream, cuda.Launch{Grid: cuda.Dim3{X: 1}, Block: cuda.Dim3{X: 32}}); err != nil {
		return err
	}
	return w.device.Synchronize(w.env.Stream)
}

// readReplies reads what the profiled process wrote, by point; it may have
// ended before the last.
func readReplies(path string) (map[int]countReply, error) {
	replies := map[int]countReply{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return replies, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var r countReply
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", repliesFile, err)
		}
		replies[r.ID] = r
	}
	return replies, lines.Err()
}
