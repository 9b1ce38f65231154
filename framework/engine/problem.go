package engine

import (
	"fmt"
	"runtime/debug"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
)

// kept is a problem that later points may share.
type kept struct {
	key       string
	problem   framework.Problem
	hostBytes int64
}

// trialShare is the share of the free memory for the problems that a search keeps.
const trialShare = 0.25

// seriesBytes is the size of a problem from which on, in a series of judgements, the memory of the problem
// before is first returned to the system.
const seriesBytes = 64 << 20

// problem returns the point's problem and makes it if it is not kept. A run keeps the last problem.
// A search, which alternates between sizes, keeps as many as fit in a quarter of the free memory.
func (w *worker) problem(p plan.Point, env framework.Env) (framework.Problem, error) {
	key := p.Problem()
	if i := slices.IndexFunc(w.problems, func(k kept) bool { return k.key == key }); i >= 0 {
		k := w.problems[i]
		w.problems = append(slices.Delete(w.problems, i, i+1), k)
		return k.problem, nil
	}
	k := kept{key: key}
	room := int64(0)
	if f := w.factory.HostBytes; f != nil && w.setup.Trial {
		k.hostBytes = f(p.Own())
		room = int64(trialShare * float64(machineMemory().free)) // 0 if unknown: none is kept
	}
	needed := k.hostBytes
	for _, had := range w.problems {
		needed += had.hostBytes
	}
	drop := 0
	for ; drop < len(w.problems) && (room == 0 || needed > room); drop++ {
		needed -= w.problems[drop].hostBytes
	}
	if drop > 0 {
		w.forget(drop)
		if f := w.factory.HostBytes; f == nil || !w.setup.Series || f(p.Own()) >= seriesBytes {
			debug.FreeOSMemory()
		}
	}
	var err error
	if k.problem, err = w.factory.NewProblem(env, p.Own()); err != nil {
		return nil, fmt.Errorf("make the inputs: %w", err)
	}
	w.problems = append(w.problems, k)
	return k.problem, nil
}

// giveBack frees what a point left, if the GPU shares the machine's memory, because the next
// point's buffers may need it.
func (w *worker) giveBack() {
	if w.device != nil && w.device.Facts().Integrated {
		debug.FreeOSMemory()
	}
}

// forget closes the least recently used problems.
func (w *worker) forget(count int) {
	for _, k := range w.problems[:count] {
		k.problem.Close()
	}
	w.problems = slices.Delete(w.problems, 0, count)
}
