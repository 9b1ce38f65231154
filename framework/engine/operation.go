package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/internal/bounded"
)

// Operation is what a program has workers do with a point beside what the engine itself asks
// them for (Plugins.Operations).
type Operation struct {
	Name string
	// New returns what answers the requests of one engine. It may keep what it opens from one
	// point to the next.
	New func() Operate
}

// Operate does an operation with one point. The result becomes JSON.
type Operate func(*Asked) (any, error)

// Asked is a point in a worker, of which an operation is asked.
type Asked struct {
	Point  plan.Point
	Config *config.Config
	worker *worker
	in     json.RawMessage
}

// Input decodes what the asker gave.
func (a *Asked) Input(in any) error { return bounded.UnmarshalKept(a.in, in) }

// Free returns how many bytes of the machine's memory are free; if unknown, all are taken to be.
func (a *Asked) Free() int64 { return freeBytes(machineMemory()) }

func freeBytes(m memory) int64 {
	if m.total == 0 {
		return math.MaxInt64
	}
	return int64(m.free)
}

// RunOn takes the point up to its first Run on a device of the operation. It calls prepared
// between PreRun and Run.
func (a *Asked) RunOn(d gpu.Device, prepared func()) error {
	w := a.worker
	w.forget(len(w.problems)) // a problem keeps its device
	defer func() { w.forget(len(w.problems)) }()
	return w.runOn(d, a.Point, func() {}, prepared)
}

// runOn takes a point up to its first Run on a device. It calls made once there is a version,
// and prepared between PreRun and Run.
func (w *worker) runOn(d gpu.Device, p plan.Point, made, prepared func()) (err error) {
	defer caught(&err)
	if err := w.plugin(); err != nil {
		return err
	}
	env := w.env(&record.Result{})
	env.Device = d
	alg, err := w.version(p, env)
	if err != nil {
		return err
	}
	made()
	if err = alg.PreRun(); err == nil {
		prepared()
		err = alg.Run()
	}
	return errors.Join(err, alg.PostRun())
}

// Asker has workers do operations. It is an Engine, or Compilers.
type Asker interface {
	// Ask has a worker do an operation with a point. in and out are of the operation.
	Ask(ctx context.Context, operation string, p plan.Point, limit time.Duration, in, out any) error
}

// Ask implements Asker.
func (e *Engine) Ask(ctx context.Context, operation string, p plan.Point, limit time.Duration, in, out any) error {
	text, err := json.Marshal(in)
	if err != nil {
		return fmt.Errorf("ask a worker for %s: %w", operation, err)
	}
	rep, err := e.ask(ctx, request{Op: operation, Point: &p, In: text}, limit, func(*reply) {})
	switch {
	case err != nil:
		return err
	case rep.Error != "":
		return errors.New(rep.Error)
	}
	return bounded.Unmarshal(rep.Out, out)
}

// Ask implements Asker. What the operation compiles stays in the compiler's cache.
func (c *Compilers) Ask(ctx context.Context, operation string, p plan.Point, limit time.Duration, in, out any) error {
	e := c.take()
	defer c.give(e)
	return e.Ask(ctx, operation, p, limit, in, out)
}

// operate answers a request for one of the program's operations.
func (w *worker) operate(req request, rep *reply) error {
	at := slices.IndexFunc(w.plugins.Operations, func(o Operation) bool { return o.Name == req.Op })
	if at < 0 || req.Point == nil {
		return fmt.Errorf("unknown request %q", req.Op)
	}
	do := w.operations[req.Op]
	if do == nil {
		do = w.plugins.Operations[at].New()
		if w.operations == nil {
			w.operations = map[string]Operate{}
		}
		w.operations[req.Op] = do
	}
	out, err := do(&Asked{Point: *req.Point, Config: w.setup.Config, worker: w, in: req.In})
	if err == nil {
		rep.Out, err = json.Marshal(out)
	}
	return onOneLine(err)
}
