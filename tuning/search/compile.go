package search

import (
	"context"
	"runtime"
	"slices"

	"bench/cuda"
	"bench/cuda/offline"
	"bench/framework/engine"
	"bench/framework/plan"
	"bench/tuning"
)

// compiled is what became of a point.
type compiled struct {
	launches []offline.Launch
	err      error
}

// newCompilers of a count of 0 are one per CPU.
func newCompilers(count int, options engine.Options, facts cuda.Facts) *engine.Compilers {
	if count == 0 {
		count = min(runtime.GOMAXPROCS(0), engine.MostCompilers)
	}
	return engine.NewCompilers(count, options, facts)
}

// noneCompiled is why no point compiled; nil where one did, or none was tried.
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
	points = slices.DeleteFunc(slices.Clone(points), func(p plan.Point) bool {
		_, done := s.compiled[p.Key()]
		return done
	})
	s.compilers.Compile(ctx, points, func(p plan.Point, launches []offline.Launch, err error) {
		s.compiled[p.Key()] = compiled{launches, err}
	})
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
		s.mutex.Lock()
		if len(s.earlier[p.Key()]) == 0 {
			list = append(list, p)
		}
		s.mutex.Unlock()
	}
	s.compile(ctx, list)
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
			s.compile(ctx, all)
		}
		return s.compiled[t.Point(point).Key()]
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
