package driver

import (
	"errors"
	"fmt"

	"example.org/bench/gpu"
)

// Graph is recorded work that is enqueued in one call.
type Graph struct {
	gpu   *GPU
	exec  graphExec
	nodes int
}

// Capture records the work that enqueue puts on s, which must not be the default stream, instead of running
// it. The error wraps ErrUnsupported if the driver has no graphs (before CUDA 10.0). An enqueue that
// synchronizes or uses another stream cannot be captured; s stays usable.
func (g *GPU) Capture(s gpu.Stream, enqueue func() error) (*Graph, error) {
	a := g.api
	if !a.graphs() {
		return nil, fmt.Errorf("capture a graph: %w; CUDA 10.0 or newer has graphs", ErrUnsupported)
	}
	if s == 0 {
		return nil, errors.New("capture a graph: the default stream cannot be captured")
	}
	// In relaxed mode, calls that might synchronize (a library that loads a kernel late) are allowed as
	// long as they do not touch s.
	const relaxed = 2
	var err error
	if a.streamBeginCapture != nil {
		err = a.check("cuStreamBeginCapture", a.streamBeginCapture(uintptr(s), relaxed))
	} else {
		err = a.check("cuStreamBeginCapture", a.streamBeginCaptureOld(uintptr(s)))
	}
	if err != nil {
		return nil, err
	}
	failed := enqueue()
	var recorded graph
	err = a.check("cuStreamEndCapture", a.streamEndCapture(uintptr(s), &recorded))
	if recorded != 0 {
		defer a.graphDestroy(recorded)
	}
	if failed != nil {
		return nil, fmt.Errorf("capture a graph: %w", failed)
	}
	if err != nil {
		return nil, err
	}
	var n uintptr
	if err := a.check("cuGraphGetNodes", a.graphGetNodes(recorded, nil, &n)); err != nil {
		return nil, err
	}
	x := &Graph{gpu: g, nodes: int(n)}
	if a.graphInstantiateFlags != nil {
		err = a.check("cuGraphInstantiateWithFlags", a.graphInstantiateFlags(&x.exec, recorded, 0))
	} else {
		var node uintptr
		log := make([]byte, 1024)
		err = a.check("cuGraphInstantiate", a.graphInstantiateLogged(&x.exec, recorded, &node, &log[0], uintptr(len(log))))
		if text := untilZero(log); err != nil && text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
	}
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Nodes returns the number of kernels, copies and sets in the graph.
func (x *Graph) Nodes() int { return x.nodes }

// Launch enqueues the whole graph on s.
func (x *Graph) Launch(s gpu.Stream) error {
	r := x.gpu.call(x.gpu.api.graphLaunch, uintptr(x.exec), uintptr(s))
	return x.gpu.api.check("cuGraphLaunch", r)
}

// Close frees the graph; the stream must have finished it.
func (x *Graph) Close() error {
	if x == nil || x.exec == 0 {
		return nil
	}
	h := x.exec
	x.exec = 0
	return x.gpu.api.check("cuGraphExecDestroy", x.gpu.api.graphExecDestroy(h))
}
