package search

import (
	"context"
	"errors"
	"time"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/offline"
	"example.org/bench/tuning"
)

// codeOf returns a point with only what its kernels depend on: they are the same in all power modes.
func codeOf(p plan.Point) plan.Point {
	p.PowerMode = ""
	return p
}

// compiled is the result of compiling a point, and the time that it took. The time belongs to the first trial
// of the code: in other power modes the code is compiled already.
type compiled struct {
	launches []offline.Launch
	err      error
	seconds  float64
}

// noneCompiled returns why no point compiled; nil if one did, or none was tried.
func (s *Search) noneCompiled() (err error) {
	for _, x := range s.compiled {
		if x.err == nil {
			return nil
		}
		err = x.err
	}
	return err
}

// compile compiles points, each once, and waits for them.
func (s *Search) compile(ctx context.Context, points []plan.Point) {
	if s.compilers == nil {
		return
	}
	s.mutex.Lock()
	asked := map[string]bool{}
	var todo []plan.Point
	for _, p := range points {
		p = codeOf(p)
		if _, done := s.compiled[p.Key()]; !done && !asked[p.Key()] {
			asked[p.Key()] = true
			todo = append(todo, p)
		}
	}
	s.mutex.Unlock()
	s.compilers.Compile(ctx, todo, func(p plan.Point, launches []offline.Launch, err error) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.compiled[p.Key()] = compiled{launches: launches, err: err}
	})
}

// compileFirst compiles a point that a GPU will measure, and reports whether a GPU has to: a point in the
// journal, or one that cannot run, needs none. If the compiler itself fails, the measuring process compiles.
func (s *Search) compileFirst(ctx context.Context, p plan.Point) (needsGPU bool) {
	code := codeOf(p)
	key := code.Key()
	s.mutex.Lock()
	c, done := s.compiled[key]
	had := len(s.earlier[p.Key()]) > 0
	s.mutex.Unlock()
	if had {
		return false
	}
	if !done {
		defer s.turns.compile()()
		began := time.Now()
		c.launches, c.err = s.compilers.One(ctx, code)
		c.seconds = time.Since(began).Seconds()
		s.mutex.Lock()
		defer s.mutex.Unlock()
		if _, cannot := cannotRun(c.err); c.err != nil && !cannot && ctx.Err() != nil {
			s.cut[p.Key()] = true
			return false
		}
		delete(s.cut, p.Key())
		s.compiled[key] = c
	}
	_, cannot := cannotRun(c.err)
	return !cannot
}

func cannotRun(err error) (why engine.CannotRun, cannot bool) {
	return why, errors.As(err, &why)
}

// refused keeps the result of a point that no GPU has to measure.
func (s *Search) refused(p plan.Point, why engine.CannotRun) (Trial, error) {
	return s.unmeasured(record.Result{Point: p, Status: record.Failed, Reason: string(why), Started: record.Now()})
}

// unmeasured keeps a result without a measurement.
func (s *Search) unmeasured(r record.Result) (Trial, error) {
	var t Trial
	k := keeper{s, &t}
	refusal, err := k.Start(r.Point)
	if refusal != "" {
		r.Reason = refusal
	}
	if err == nil {
		err = k.Append(r)
	}
	return t, err
}

// cutShort is the reason in the journal for a proposal that was taken back, so that a resumed search takes it
// back at the same moment.
const cutShort = "compiling was cut short: nothing was expected of the point any more"

// wasCut reports whether a result of a search's journal is of a proposal that was taken back.
func wasCut(r record.Result) bool { return r.Status == record.Skipped && r.Reason == cutShort }

// takenBack records that a point's compiling was cut short.
func (s *Search) takenBack(p plan.Point) (Trial, error) {
	return s.unmeasured(record.Result{Point: p, Status: record.Skipped, Reason: cutShort, Started: record.Now()})
}

// alone makes the compilers pause, if they would disturb measurements, until end is called.
func (s *Search) alone() (end func()) {
	if s.compilers == nil || !s.experiment.Disturbed() {
		return func() {}
	}
	s.compilers.Pause()
	return s.compilers.Resume
}

// KernelFacts returns what strategies may know of the kernels. The first question about a task compiles all
// its points.
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
			s.compile(ctx, all)
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		return s.compiled[codeOf(t.Point(point)).Key()]
	}
	return &tuning.KernelFacts{
		Limits: *s.experiment.Facts,
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
