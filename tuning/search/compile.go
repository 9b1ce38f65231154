package search

import (
	"context"
	"runtime"
	"sync"

	"bench/cuda"
	"bench/cuda/offline"
	"bench/framework/engine"
	"bench/framework/plan"
	"bench/tuning"
)

// compilers are worker processes that compile points into the disk cache.
type compilers struct {
	count   int
	options engine.Options
	facts   *cuda.Facts

	mu       sync.Mutex
	idle     []*engine.Engine
	compiled map[string]compiled
}

// compiled is what became of a point.
type compiled struct {
	launches []offline.Launch
	err      error
}

// newCompilers of a count of 0 are one per CPU.
func newCompilers(count int, options engine.Options, facts *cuda.Facts) *compilers {
	if count == 0 {
		count = min(runtime.GOMAXPROCS(0), 16)
	}
	return &compilers{count: count, options: options, facts: facts, compiled: map[string]compiled{}}
}

func (c *compilers) close() {
	for _, e := range c.idle {
		e.Close()
	}
	c.idle = nil
}

// take gives an idle engine, or a new one.
func (c *compilers) take() *engine.Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		e := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return e
	}
	return engine.New(c.options)
}

// allFailed is why no point compiled; nil where one did, or none was tried.
func (c *compilers) allFailed() (err error) {
	for _, x := range c.compiled {
		if x.err == nil {
			return nil
		}
		err = x.err
	}
	return err
}

// compile compiles points, each once, on all processes, and waits for them.
func (c *compilers) compile(ctx context.Context, points []plan.Point) {
	if c.facts == nil {
		return
	}
	var wait sync.WaitGroup
	todo := make(chan plan.Point)
	for range min(c.count, len(points)) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			e := c.take()
			for p := range todo {
				launches, err := e.Compile(ctx, p, *c.facts)
				c.mu.Lock()
				c.compiled[p.Key()] = compiled{launches, err}
				c.mu.Unlock()
			}
			c.mu.Lock()
			c.idle = append(c.idle, e)
			c.mu.Unlock()
		}()
	}
	for _, p := range points {
		c.mu.Lock()
		_, done := c.compiled[p.Key()]
		c.mu.Unlock()
		if !done && ctx.Err() == nil {
			todo <- p
		}
	}
	close(todo)
	wait.Wait()
}

// compileAhead compiles what a search will evaluate next. A single point the
// measuring process compiles itself.
func (s *Search) compileAhead(ctx context.Context, v *Version, points []tuning.Proposal) {
	if len(points) < 2 {
		return
	}
	var list []plan.Point
	for _, t := range points {
		p := v.Tasks[t.Task].Point(t.Point)
		if _, had := s.earlier[p.Key()]; !had {
			list = append(list, p)
		}
	}
	s.compilers.compile(ctx, list)
}

// KernelFacts tells strategies what the kernels take. All points of a task are
// compiled with the first question about it.
func (s *Search) KernelFacts(ctx context.Context, v *Version) *tuning.KernelFacts {
	asked := map[int]bool{}
	compiledAt := func(number, point int) compiled {
		t := v.Tasks[number]
		if !asked[number] {
			asked[number] = true
			var all []plan.Point
			for i := range t.Space.Len() {
				all = append(all, t.Point(i))
			}
			s.compilers.compile(ctx, all)
		}
		return s.compilers.compiled[t.Point(point).Key()]
	}
	return &tuning.KernelFacts{
		Device: s.Place.Name, Limits: *s.experiment.Facts,
		Resources: func(number, point int) (registers, shared int, ok bool) {
			c := compiledAt(number, point)
			for _, x := range c.launches {
				registers, shared = max(registers, x.Registers), max(shared, x.SharedBytes)
			}
			return registers, shared, c.err == nil && len(c.launches) > 0
		},
		Threads: func(number, point int) (threads int) {
			for _, x := range compiledAt(number, point).launches {
				threads = max(threads, x.Threads)
			}
			return threads
		},
	}
}
