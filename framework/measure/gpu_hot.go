package measure

import (
	"errors"
	"fmt"
	"math"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// A batch lasts at least batchSeconds, so that the launch of its graph weighs little, with at most
// graphNodes nodes. Without graphs it has at most queuedRuns runs, fewer than any launch queue
// holds.
const (
	batchSeconds = 2e-3
	shortSeconds = batchSeconds / 4 // GPUTimer.Series
	graphNodes   = 1000
	queuedRuns   = 256
)

// batch is a number of runs that are enqueued together.
type batch struct {
	runs   int
	graph  *driver.Graph // nil: launched run by run
	stream gpu.Stream
	run    func() error
}

func (b *batch) enqueue() error {
	if b.graph != nil {
		return b.graph.Launch(b.stream)
	}
	for range b.runs {
		if err := b.run(); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) close() error { return b.graph.Close() }

// GraphLauncher is a version whose run launches a graph, which no graph can record.
type GraphLauncher interface{ LaunchesGraph() }

// newBatch captures as many runs in a graph as last batchSeconds. If that cannot be done, it falls
// back to a plain loop, with a note.
func (t *GPUTimer) newBatch(alg framework.GPUAlgorithm) (*batch, error) {
	b := &batch{runs: 1, stream: alg.Stream(), run: alg.Run}
	x, err := t.time(b.stream, nil, b.enqueue)
	if err != nil {
		return nil, err
	}
	if t.opencl != nil {
		return b, t.opencl.fill(t, b, x.seconds)
	}
	least := batchSeconds
	if t.Series {
		least = shortSeconds
	}
	n := runsFor(least, x.seconds, 1, graphNodes)
	if _, is := alg.(GraphLauncher); is {
		b.runs = min(n, queuedRuns)
		return b, t.shrink(b)
	}
	for {
		if b.graph, err = t.capture(b.stream, alg.Run, n); err != nil {
			t.note("no CUDA graph (%v): runs are queued one by one", err)
			b.runs = min(n, queuedRuns)
			return b, t.shrink(b)
		}
		b.runs = n
		limit := max(1, graphNodes*n/b.graph.Nodes()) // how many runs graphNodes nodes hold
		if n <= limit {
			if x, err = t.time(b.stream, nil, b.enqueue); err != nil {
				return nil, errors.Join(err, b.close())
			}
			if x.seconds >= least || n == limit {
				return b, nil
			}
			n = max(n+1, runsFor(1.1*least, x.seconds, n, limit))
		} else {
			n = limit
		}
		if err := b.close(); err != nil {
			return nil, err
		}
	}
}

// capture records n runs.
func (t *GPUTimer) capture(s gpu.Stream, run func() error, n int) (*driver.Graph, error) {
	if t.gpu == nil {
		return nil, errors.New("OpenCL has no graphs")
	}
	g, err := t.gpu.Capture(s, func() error {
		for range n {
			if err := run(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if g.Nodes() == 0 {
		return nil, errors.Join(errors.New("a run puts nothing on its stream"), g.Close())
	}
	return g, nil
}

// runsFor returns how many runs last seconds, at most limit, if n runs last measured.
func runsFor(seconds, measured float64, n, limit int) int {
	if measured <= 0 {
		return limit
	}
	return int(min(max(math.Ceil(seconds/measured*float64(n)), 1), float64(limit)))
}

// shrink halves a batch without a graph until it can be queued as a whole. A device of OpenCL is kept busy for longer
// after each time that was too short.
func (t *GPUTimer) shrink(b *batch) error {
	tries := 1
	if t.opencl != nil {
		tries = 4
	}
	for b.runs > 1 {
		for range tries {
			x, err := t.time(b.stream, nil, b.enqueue)
			if err != nil {
				return err
			}
			if !x.early {
				return nil
			}
		}
		b.runs /= 2
	}
	return nil
}

// Hot times runs back to back, with the caches as they are. A sample is the time of one batch
// divided by its runs. The batch is a CUDA graph behind the held-back stream. A version with Reset
// gives ErrNoHot.
func (t *GPUTimer) Hot(alg framework.GPUAlgorithm) (*Series, error) {
	if _, resets := alg.(framework.Resetter); resets {
		return nil, ErrNoHot
	}
	s := alg.Stream()
	if err := t.warmUp(s, alg.Run); err != nil {
		return nil, err
	}
	b, err := t.newBatch(alg)
	if err != nil {
		return nil, fmt.Errorf("back-to-back runs: %w", err)
	}
	proof := t.proofs[alg]
	series, err := t.hot(b, proof)
	if err == nil && proof != nil {
		err = t.proveHot(alg, proof, b, series)
	}
	return series, errors.Join(err, b.close())
}

func (t *GPUTimer) hot(b *batch, proof *Proof) (*Series, error) {
	proof.begin()
	if err := t.warmUp(b.stream, b.enqueue); err != nil {
		return nil, err
	}
	rule := NewRule(t.m)
	rule.Clock(b.runs, 0)
	c := t.newCollector(rule, b.runs)
	for {
		x, err := t.time(b.stream, nil, b.enqueue)
		if err != nil {
			return nil, err
		}
		x.seconds = t.perRun(x.seconds, b.runs)
		stop, rest := c.add(x)
		if _, err := proof.ended(stop); err != nil {
			return nil, err
		}
		if rest {
			if err := t.warmUp(b.stream, b.enqueue); err != nil {
				return nil, err
			}
		}
		if stop {
			break
		}
	}
	t.noteEarly(c)
	return c.end(), nil
}
