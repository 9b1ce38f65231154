package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/offline"
)

// Compilers are worker processes that compile points into the compiler's disk cache, with the CPU
// time that others leave. They start when first needed.
type Compilers struct {
	count   int
	options Options
	facts   gpu.Facts

	mu     sync.Mutex
	idle   []*Engine
	paused int
	begun  []*process
}

// MostCompilers is the most compilers that are used by default. Each has its own inputs.
const MostCompilers = 16

// NewCompilers returns count compilers for a device with these facts.
func NewCompilers(count int, options Options, facts gpu.Facts) *Compilers {
	return &Compilers{count: count, options: options, facts: facts}
}

// Count returns how many points can be compiled at a time.
func (c *Compilers) Count() int { return c.count }

// Close ends the processes.
func (c *Compilers) Close() {
	for _, e := range c.idle {
		e.Close()
	}
	c.idle = nil
}

// take returns an idle engine, or a new one.
func (c *Compilers) take() *Engine {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.idle); n > 0 {
		e := c.idle[n-1]
		c.idle = c.idle[:n-1]
		return e
	}
	e := New(c.options)
	if c.options.Local == nil {
		e.start = c.start
	}
	return e
}

func (c *Compilers) give(e *Engine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, e)
}

// start starts a process that Pause can stop.
func (c *Compilers) start() (*process, error) {
	p, err := startBehind()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun = slices.DeleteFunc(c.begun, func(p *process) bool { return p.gone() })
	c.begun = append(c.begun, p)
	if c.paused > 0 {
		p.hold(true)
	}
	// Time does not count while others leave the compiler no CPU, or while it is paused.
	p.lost = func() time.Duration {
		c.mu.Lock()
		defer c.mu.Unlock()
		return p.standing() + waited(p.group)
	}
	return p, nil
}

// Pause stops the processes wherever they are, until Resume is called as many times. Compiling in
// this process continues.
func (c *Compilers) Pause() { c.pause(1) }

// Resume undoes Pause.
func (c *Compilers) Resume() { c.pause(-1) }

// pause stops the processes at the first Pause, and continues them at the last Resume.
func (c *Compilers) pause(by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.paused
	c.paused += by
	if (before == 0) == (c.paused == 0) {
		return
	}
	for _, p := range c.begun {
		p.hold(c.paused > 0)
	}
}

// One compiles a point, as Engine.Compile does. As many callers may use it at a time as there are
// compilers.
func (c *Compilers) One(ctx context.Context, p plan.Point) ([]offline.Launch, error) {
	e := c.take()
	defer c.give(e)
	return e.Compile(ctx, p, c.facts)
}

// Compile compiles points on all processes, begun in their order, and waits for them. It calls done
// with the result of each, one at a time, as from Engine.Compile. When ctx ends, points in progress
// are interrupted and others not begun.
func (c *Compilers) Compile(ctx context.Context, points []plan.Point, done func(plan.Point, []offline.Launch, error)) {
	var wait sync.WaitGroup
	todo := make(chan plan.Point)
	for range min(c.count, len(points)) {
		wait.Go(func() {
			e := c.take()
			for p := range todo {
				launches, err := e.Compile(ctx, p, c.facts)
				c.mu.Lock()
				done(p, launches, err)
				c.mu.Unlock()
			}
			c.give(e)
		})
	}
	for _, p := range points {
		if ctx.Err() != nil {
			break
		}
		todo <- p
	}
	close(todo)
	wait.Wait()
}
