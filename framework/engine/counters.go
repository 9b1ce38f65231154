package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/cupti"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/internal/terminal"
)

// devices is the folder that contains /dev and /proc as the driver sees them.
var devices = "/"

// Counters counts what the config asks for in one run of a point that was measured. An engine that
// counts must not time points, because its process has a profiler loaded. Refused reports that no
// other point can be counted either. The error is ErrInterrupted or nil; other failures are stated
// as the reason why counters are absent.
func (e *Engine) Counters(ctx context.Context, p plan.Point) (c record.Counters, refused bool, err error) {
	limit := e.opt.Config.Measure.PointTimeout
	began, last := now(), ""
	rep, err := e.ask(ctx, request{Op: "counters", Point: &p}, time.Duration(limit*float64(time.Second)), func(r *reply) { last = r.Phase })
	switch {
	case errors.Is(err, ErrInterrupted):
		return c, false, err
	case errors.Is(err, errTimeout):
		c.Absent = fmt.Sprintf("not counted after %g s (measure.point_timeout_s), in %s", limit, last)
	case err != nil:
		c.Absent = fmt.Sprintf("the process that counted, and none that times, ended in %s: %s", last, brief(err.Error()))
		if missing := cupti.Optional(devices); p.Processor == framework.GPU && len(missing) > 0 {
			c.Absent += fmt.Sprintf(" (missing here, and needed by some versions of libcupti: %s; nvidia-modprobe -u -m makes them)", strings.Join(missing, ", "))
		}
	case rep.Counters == nil:
		e.drop()
		c.Absent = "the worker counted nothing: " + brief(rep.Error)
	default:
		c, refused = *rep.Counters, rep.CannotRun
		c.Absent, c.Note = brief(c.Absent), brief(c.Note)
	}
	c.Seconds = since(began)
	return c, refused, nil
}

// counting is what a worker needs to count on a GPU.
type counting struct {
	profiler *cupti.Profiler
	once     *measure.Once
}

func (c *counting) close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.once.Close(), c.profiler.Close())
}

// refusal is an error that holds for all points.
type refusal struct{ error }

// counters counts one run of a point.
func (w *worker) counters(req request, rep *reply) error {
	c := &record.Counters{}
	err := w.counted(*req.Point, c)
	if err != nil {
		c.Absent, c.Values, c.Launches = oneLine(err), nil, nil
	}
	var all refusal
	rep.Counters, rep.CannotRun = c, errors.As(err, &all) || cupti.Refused(err)
	return nil
}

func (w *worker) counted(p plan.Point, c *record.Counters) (err error) {
	defer caught(&err)
	w.phase(PhasePrepare)
	alg, err := w.algorithm(p, &record.Result{})
	if err != nil {
		return err
	}
	if err := alg.PreRun(); err != nil {
		return errors.Join(err, alg.PostRun())
	}
	defer func() {
		if e := alg.PostRun(); err == nil && e != nil {
			err = fmt.Errorf("clean up: %w", e)
		}
	}()
	if a, ok := alg.(framework.CPUAlgorithm); ok && p.Processor == framework.CPU {
		return w.countCPU(a, c)
	}
	if OpenCL(w.devID) {
		return refusal{errors.New("counters: CUPTI counts CUDA's kernels, and OpenCL has no counters")}
	}
	gpu, ok := w.device.(*driver.GPU)
	a, isGPU := alg.(framework.GPUAlgorithm)
	if !ok || !isGPU {
		return refusal{errors.New("counters: an external program runs in a process of its own, which is not counted")}
	}
	if w.counting == nil {
		if w.counting, err = w.startCounting(gpu); err != nil {
			return refusal{err}
		}
	}
	return w.countGPU(gpu, a, c)
}

// startCounting loads the profiler for the counters that the config asks for on a GPU.
func (w *worker) startCounting(gpu *driver.GPU) (*counting, error) {
	f := gpu.Facts()
	if err := cupti.Nodes(devices, f.PCIBusID, f.Integrated); err != nil {
		return nil, err
	}
	w.phase("loading libcupti")
	lib, err := cupti.Load()
	if err != nil {
		return nil, err
	}
	lib.Calling = w.phase
	metrics := w.setup.Config.CountersOf(framework.GPU)
	profiler, err := lib.Open(gpu.Context(), gpu.Index(), metrics)
	var unknown *cupti.UnknownMetrics
	switch {
	case errors.As(err, &unknown):
		return nil, unknownMetrics(unknown)
	case err != nil:
		return nil, err
	}
	once, err := measure.NewOnce(gpu, w.setup.Config.Measure)
	if err != nil {
		return nil, errors.Join(err, profiler.Close())
	}
	return &counting{profiler, once}, nil
}

// unknownMetrics names each metric that a chip lacks, with the nearest one that it has.
func unknownMetrics(e *cupti.UnknownMetrics) error {
	var texts []string
	for _, name := range e.Names {
		text := name
		if near := config.Nearest(name, e.Known); near != "" {
			text += " (did you mean " + near + "?)"
		} else if base, _, _ := strings.Cut(name, "."); config.Nearest(base, e.Known) != "" {
			text += " (did you mean " + config.Nearest(base, e.Known) + "?)"
		}
		texts = append(texts, text)
	}
	return fmt.Errorf("counters: chip %s has no metric %s; ncu --query-metrics lists all", e.Chip, strings.Join(texts, ", "))
}

// mostLaunches is how many launches of a run are counted one by one.
const mostLaunches = 256

// countGPU runs a version once without counting, to learn its launches, and then counts.
func (w *worker) countGPU(gpu *driver.GPU, alg framework.GPUAlgorithm, c *record.Counters) error {
	profiler := w.counting.profiler
	prepare := func() error { return w.counting.once.Prepare(alg) }
	run := func() error {
		w.phase("a run of its kernels")
		return errors.Join(alg.Run(), w.synchronize(alg))
	}
	if err := prepare(); err != nil {
		return err
	}
	var kernels []string
	gpu.Watch(func(kernel string) { kernels = append(kernels, kernel) })
	err := run()
	gpu.Watch(nil)
	if err != nil {
		return err
	}
	c.Source = fmt.Sprintf("%s (%s)", profiler.Library(), profiler.Chip())
	c.Passes, c.Kernels = profiler.Passes(), len(kernels)
	values, err := profiler.Count("run", prepare, run)
	if err != nil {
		return err
	}
	c.Values = record.Named(profiler.Metrics(), values)
	most := len(kernels)
	switch {
	case most == 0:
		most = mostLaunches // a library's launches are unknown
	case most == 1:
		return nil
	case most > mostLaunches:
		c.Note = fmt.Sprintf("a run of %s: each is not counted, as at most %d are", terminal.Count(most, "launch"), mostLaunches)
		return nil
	}
	each, err := profiler.CountLaunches(most, prepare, run)
	switch {
	case err != nil:
		c.Note = "launches were not counted one by one: " + oneLine(err)
	default:
		c.Kernels = len(each)
		if len(each) == 1 {
			return nil
		}
		for i, values := range each {
			l := record.LaunchCounters{Values: record.Named(profiler.Metrics(), values)}
			if len(kernels) == len(each) {
				l.Kernel = kernels[i]
			}
			c.Launches = append(c.Launches, l)
		}
	}
	return nil
}
