package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
)

// Kernels that a profiled worker launches around each run, so that the runs'
// kernels can be told apart.
const (
	BeginKernel = "bench_counts_begin"
	EndKernel   = "bench_counts_end"
)

// Files through which a profiled worker is asked and answers, since a profiler need not hand on the
// pipes of other workers.
const (
	requestsFile = "requests.jsonl"
	repliesFile  = "replies.jsonl"
)

// Profiled is a point that ran once between the two kernels.
type Profiled struct {
	Result record.Result
	// Ran is set if the run began and the profiler saw it.
	Ran bool
}

// Profile has a profiler run a worker that takes each point up to its one verified run. under
// starts the profiler with the worker's command and waits for its end. The worker may end before
// the last point: the result then has the points that it reached, beside the error.
func (e *Engine) Profile(ctx context.Context, points []plan.Point, under func(ctx context.Context, worker []string) error) ([]Profiled, error) {
	self, err := unchanged()
	if err != nil {
		return nil, err
	}
	dir, err := safefile.TempFolder("bench-profile")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	requests, err := os.Create(filepath.Join(dir, requestsFile))
	if err != nil {
		return nil, err
	}
	lines := json.NewEncoder(requests)
	for i := range points {
		r := request{Op: "profile", Point: &points[i]}
		if i == 0 {
			r.Setup = e.setup()
		}
		err = errors.Join(err, lines.Encode(r))
	}
	if err := errors.Join(err, requests.Close()); err != nil {
		return nil, err
	}
	ended := under(ctx, []string{self, "worker", dir})
	if ctx.Err() != nil {
		return nil, ErrInterrupted
	}
	list, err := readProfiled(filepath.Join(dir, repliesFile), len(points))
	return list, errors.Join(ended, err)
}

// readProfiled reads a profiled worker's answers for up to points points.
func readProfiled(path string, points int) ([]Profiled, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // it did not start
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var list []Profiled
	for replies := bounded.NewLines(file, path, bounded.MostAnswer); ; {
		line, err := replies.Read()
		if errors.Is(err, bounded.ErrBeyond) {
			return nil, err
		}
		var r reply
		if err != nil || bounded.Unmarshal(line, &r) != nil {
			return list, nil // the end, or cut off where the worker was ended
		}
		switch {
		case !r.final():
		case r.Result == nil:
			return list, fmt.Errorf("the profiled worker gave no result: %s", brief(r.Error))
		case len(list) == points:
			return list, fmt.Errorf("the profiled worker gave more than the %d results that were asked for", points)
		default:
			list = append(list, Profiled{*r.Result, r.Ran})
		}
	}
}

// ServeFiles is a profiled worker. It answers the requests in a folder.
func ServeFiles(dir string, plugins Plugins) error {
	in, err := os.Open(filepath.Join(dir, requestsFile))
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(filepath.Join(dir, repliesFile))
	if err != nil {
		return err
	}
	return errors.Join(Serve(in, out, plugins, func() {}), out.Close())
}

// marks are the kernels around a profiled run.
type marks struct {
	begin, end gpu.Kernel
	began      bool
}

func (w *worker) profile(req request, rep *reply) error {
	w.marks = &marks{}
	err := w.point(req, rep)
	rep.Ran = w.marks.began
	return err
}

// run calls the version's Run, between marks if a profiler watches.
func (w *worker) run(alg framework.BaseAlgorithm) error {
	if w.marks == nil || w.device == nil {
		return alg.Run()
	}
	if err := w.marks.compile(w.device); err != nil {
		return err
	}
	if err := w.mark(w.marks.begin); err != nil {
		return err
	}
	w.marks.began = true
	return errors.Join(alg.Run(), w.mark(w.marks.end))
}

func (m *marks) compile(d gpu.Device) error {
	module, err := d.Compile(gpu.Source{
		Name:    "marks.cu",
		Text:    `extern "C" __global__ void ` + BeginKernel + "() {}\n" + `extern "C" __global__ void ` + EndKernel + "() {}\n",
		Kernels: []string{BeginKernel, EndKernel},
	})
	if err != nil {
		return err
	}
	if m.begin, err = module.Kernel(BeginKernel); err != nil {
		return err
	}
	m.end, err = module.Kernel(EndKernel)
	return err
}

// mark launches a kernel and waits, so that what a run starts on other streams lies between its
// marks too.
func (w *worker) mark(k gpu.Kernel) error {
	if err := w.device.Synchronize(w.stream); err != nil {
		return err
	}
	if err := k.Launch(w.stream, gpu.Launch{Grid: gpu.Dim3{X: 1}, Block: gpu.Dim3{X: 32}}); err != nil {
		return err
	}
	return w.device.Synchronize(w.stream)
}
