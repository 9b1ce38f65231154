package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"bench/cuda"
	"bench/cuda/offline"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/measure"
	"bench/framework/plan"
	"bench/framework/record"
	"bench/framework/stats"
	"bench/tuning"
)

// point is a task's at some tunables.
func (t *task) point(i int) plan.Point {
	p := t.base
	p.Tunables = t.space.Tunables(i)
	return p
}

// evaluate measures one point, or takes it from the journal that is resumed.
func (l *live) evaluate(ctx context.Context, s *search, number, point int) (tuning.Trial, error) {
	t := s.tasks[number]
	p := t.point(point)
	p.ID = len(l.results)
	trial := tuning.Trial{Task: number, Point: point}
	r, had := l.earlier[p.Key()]
	if !had {
		err := l.engine.Run(ctx, []plan.Point{p}, l.facts, nil, l.show, func(got record.Result) error {
			r = got
			return l.journal.Append(got)
		})
		if err != nil {
			return trial, err
		}
	}
	if r.Status == record.OK {
		c, err := costOf(r, l.objective)
		if err != nil {
			return trial, err
		}
		trial.Cost, trial.OK = c, true
	}
	l.results = append(l.results, trialResult{search: s, task: t, point: point, result: r, trial: trial})
	return trial, nil
}

// costOf is what is minimised, in base units.
func costOf(r record.Result, objective string) (float64, error) {
	if objective == "time" {
		series := seriesOf(r)
		if series == nil || len(series.Samples) == 0 {
			return 0, errors.New("a trial without a time")
		}
		return stats.Summarize(series.Samples).Median, nil
	}
	row := record.NewRun(record.Info{}, "", nil, []record.Result{r}).Rows[0]
	number := row.Energy.Total
	if objective == "edp" {
		number = row.Energy.EDP
	}
	if !number.IsSet() {
		why := row.Power.Absent
		if why == "" {
			why = "the sensors gave no reading"
		}
		return 0, fmt.Errorf("no energy to minimise: %s", why)
	}
	return number.Float(), nil
}

// seriesOf is what time_s is made of.
func seriesOf(r record.Result) *measure.Series {
	if r.Cold != nil {
		return r.Cold
	}
	return r.Hot
}

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

func newCompilers(count int, options engine.Options, facts *cuda.Facts) *compilers {
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
func (l *live) compileAhead(ctx context.Context, s *search, points []tuning.Proposal) {
	if len(points) < 2 {
		return
	}
	var list []plan.Point
	for _, t := range points {
		p := s.tasks[t.Task].point(t.Point)
		if _, had := l.earlier[p.Key()]; !had {
			list = append(list, p)
		}
	}
	l.compilers.compile(ctx, list)
}

// kernelFacts tells strategies what the kernels take. All points of a task are
// compiled with the first question about it.
func (l *live) kernelFacts(ctx context.Context, s *search) *tuning.KernelFacts {
	asked := map[int]bool{}
	of := func(number, point int) compiled {
		t := s.tasks[number]
		if !asked[number] {
			asked[number] = true
			var all []plan.Point
			for i := range t.space.Len() {
				all = append(all, t.point(i))
			}
			l.compilers.compile(ctx, all)
		}
		return l.compilers.compiled[t.point(point).Key()]
	}
	return &tuning.KernelFacts{
		Device: l.place.Name, Limits: *l.facts,
		Resources: func(number, point int) (registers, shared int, ok bool) {
			c := of(number, point)
			for _, x := range c.launches {
				registers, shared = max(registers, x.Registers), max(shared, x.SharedBytes)
			}
			return registers, shared, c.err == nil && len(c.launches) > 0
		},
		Threads: func(number, point int) (threads int) {
			for _, x := range of(number, point).launches {
				threads = max(threads, x.Threads)
			}
			return threads
		},
	}
}

// final is what measuring again at length says of a task.
type final struct {
	Point int `json:"-"` // the best
	// Best and Default are medians with their 95 % intervals, of the samples taken in
	// turns where both run.
	Best    estimate  `json:"best"`
	Default *estimate `json:"default,omitempty"`
	// Reason says why there is no Default.
	Reason string `json:"reason,omitempty"`
}

// estimate is a cost in base units.
type estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
}

func estimateOf(samples []float64) estimate {
	s := stats.Summarize(samples)
	e := estimate{Value: s.Median}
	if !math.IsNaN(s.Low) && !math.IsNaN(s.High) {
		e.Low, e.High = s.Low, s.High
	}
	return e
}

// finals measures the best trials of each task again, and the best of them
// against the defaults.
func (l *live) finals(ctx context.Context, searches []*search) error {
	c := l.finalConfig()
	e := engine.New(engine.Options{Config: c, Factory: l.factory, Seed: l.flags.seed, Workers: l.workers(), Trial: true, Root: "/"})
	defer e.Close()
	for _, s := range searches {
		for number, t := range s.tasks {
			best := l.bestTrials(t, l.confirm)
			if len(best) == 0 {
				continue
			}
			f, err := l.confirmed(ctx, e, t, best)
			if err != nil {
				return err
			}
			t.final = f
			if f != nil {
				s.report.Best[number].Point = f.Point
			}
			l.show.final(s, t)
		}
	}
	return nil
}

func (l *live) finalConfig() *config.Config {
	c := *l.config
	c.Tunables, c.Measure = nil, thorough(c.Measure)
	if l.objective == "time" {
		c.Sensors = []string{}
	}
	return &c
}

// bestTrials are the points of a task's best trials, best first.
func (l *live) bestTrials(t *task, n int) []int {
	var list []trialResult
	for _, r := range l.results {
		if r.task == t && r.trial.OK {
			list = append(list, r)
		}
	}
	sortByCost(list)
	var points []int
	for _, r := range list[:min(n, len(list))] {
		points = append(points, r.point)
	}
	return points
}

// confirmed measures the points and takes the best; nil where none runs any
// more.
func (l *live) confirmed(ctx context.Context, e *engine.Engine, t *task, points []int) (*final, error) {
	var f *final
	measured := func(p plan.Point) (*estimate, string, error) {
		var got record.Result
		if err := e.Run(ctx, []plan.Point{p}, l.facts, nil, l.show, func(r record.Result) error { got = r; return nil }); err != nil {
			return nil, "", err
		}
		if got.Status != record.OK {
			return nil, string(got.Status) + ": " + got.Reason, nil
		}
		c, err := costOf(got, l.objective)
		if err != nil {
			return nil, "", err
		}
		x := estimate{Value: c}
		if l.objective == "time" {
			x = estimateOf(seriesOf(got).Samples)
		}
		return &x, "", nil
	}
	for _, i := range points {
		x, _, err := measured(t.point(i))
		if err != nil {
			return f, err
		}
		if x != nil && (f == nil || x.Value < f.Best.Value) {
			f = &final{Point: i, Best: *x}
		}
	}
	switch {
	case f == nil:
		return nil, nil
	case f.Point == t.defaults:
		f.Default = &f.Best
		return f, nil
	case l.objective != "time":
		var err error
		f.Default, f.Reason, err = measured(t.base)
		return f, err
	}
	turns, err := e.Turns(ctx, engine.Pair{A: t.base, B: t.point(f.Point)})
	switch {
	case err != nil:
		return f, err
	case turns.Status != record.OK || turns.Trial == nil:
		f.Reason = fmt.Sprintf("%s: %s", turns.Status, turns.Reason)
	default:
		d := estimateOf(turns.Trial.A)
		f.Default, f.Best = &d, estimateOf(turns.Trial.B)
	}
	return f, nil
}
