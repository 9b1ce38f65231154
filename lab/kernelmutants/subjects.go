package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"example.org/bench/algorithms"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// subject is an algorithm with kernels: a built-in one, or one of a config.
type subject struct {
	name    string
	factory *framework.Factory
}

// subjects are all of the project. The configs of iterml have PolyBench's kernels.
func subjects() ([]subject, error) {
	var list []subject
	for _, f := range algorithms.All() {
		list = append(list, subject{f.Name, f})
	}
	paths, err := filepath.Glob("configs/*/*.json")
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	for _, p := range paths {
		c, err := config.Load(p)
		if err != nil {
			return nil, err
		}
		if len(c.CUDA) == 0 || filepath.Base(filepath.Dir(p)) == "iterml" {
			continue
		}
		f, err := kernel.New(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		list = append(list, subject{p, f})
	}
	return list, nil
}

// point is a version at a problem.
type point struct {
	Subject, Version string
	Problem          int // index among those of verification
	// Tunable has another value than by default, where there is one: code that only this
	// compiles has mutants too.
	Tunable string
	Value   int64
}

// tunables are those of the point.
func (p point) tunables(v *framework.Version, params framework.Values, facts gpu.Facts) framework.Values {
	set := defaults(v, params, facts)
	if p.Tunable != "" {
		set = maps.Clone(set)
		set[p.Tunable] = framework.IntValue(p.Value)
	}
	return set
}

func (p point) String() string {
	if p.Tunable == "" {
		return p.Subject + " " + p.Version
	}
	return fmt.Sprintf("%s %s %s=%d", p.Subject, p.Version, p.Tunable, p.Value)
}

// lightBytes is the most host memory of a problem: a larger one adds time and no case.
const lightBytes = 256 << 10

// points are a subject's in the simulator, those of large problems left out: with the
// defaults of tunables at every problem, and with each tunable's other values at the
// first problem where they are valid.
func (s subject) points(facts gpu.Facts) (list []point) {
	for i := range s.factory.Versions {
		v := &s.factory.Versions[i]
		if v.Processor != framework.GPU || v.Peer || !v.Takes(false) || v.Available != nil && v.Available() != nil {
			continue
		}
		var fit []int // problems
		for n, given := range s.problems() {
			p := s.complete(given)
			if s.factory.Check != nil && s.factory.Check(p) != nil || v.Supports != nil && v.Supports(p, facts) != nil {
				continue
			}
			if s.factory.HostBytes != nil && s.factory.HostBytes(p) > lightBytes {
				continue
			}
			fit = append(fit, n)
			if at := (point{Subject: s.name, Version: v.Name, Problem: n}); s.valid(v, at, facts) {
				list = append(list, at)
			}
		}
		for _, t := range v.Tunables {
			for _, value := range few(t.Values) {
				for _, n := range fit {
					at := point{s.name, v.Name, n, t.Name, value}
					usual := defaults(v, s.complete(s.problems()[n]), facts)[t.Name]
					if usual.IsSet() && usual.Int() != value && s.valid(v, at, facts) {
						list = append(list, at)
						break
					}
				}
			}
		}
	}
	return list
}

// few are all of some values, or the least and the greatest of many.
func few(values []int64) []int64 {
	if len(values) <= 3 {
		return values
	}
	return []int64{values[0], values[len(values)-1]}
}

func (s subject) valid(v *framework.Version, at point, facts gpu.Facts) bool {
	p := s.complete(s.problems()[at.Problem])
	return v.Valid == nil || v.Valid(p, at.tunables(v, p, facts), facts) == nil
}

func (s subject) problems() []framework.Values {
	if s.factory.Verification == nil {
		return []framework.Values{{}}
	}
	return s.factory.Verification("sim")
}

// complete has the defaults of the parameters that are not given.
func (s subject) complete(given framework.Values) framework.Values {
	all := framework.Values{}
	for _, p := range s.factory.Params {
		all[p.Name] = p.Default
		if p.DefaultGPU.IsSet() {
			all[p.Name] = p.DefaultGPU
		}
	}
	for name, v := range given {
		all[name] = v
	}
	return all
}

func defaults(v *framework.Version, params framework.Values, facts gpu.Facts) framework.Values {
	if v.Defaults == nil {
		return framework.Values{}
	}
	return v.Defaults(params, facts)
}
