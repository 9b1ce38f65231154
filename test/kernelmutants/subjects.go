package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"bench/algorithms"
	"bench/algorithms/kernel"
	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
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
}

// lightBytes is the most host memory of a problem: a larger one adds time and no case.
const lightBytes = 256 << 10

// points are a subject's in the simulator, those of large problems left out.
func (s subject) points(facts cuda.Facts) (list []point) {
	for i := range s.factory.Versions {
		v := &s.factory.Versions[i]
		if v.Processor != framework.GPU || v.Peer || v.Available != nil && v.Available() != nil {
			continue
		}
		for n, given := range s.problems() {
			p := s.complete(given)
			if s.factory.Check != nil && s.factory.Check(p) != nil || v.Supports != nil && v.Supports(p, facts) != nil {
				continue
			}
			if v.Valid != nil && v.Valid(p, defaults(v, p, facts), facts) != nil {
				continue
			}
			if s.factory.HostBytes != nil && s.factory.HostBytes(p) > lightBytes {
				continue
			}
			list = append(list, point{s.name, v.Name, n})
		}
	}
	return list
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

func defaults(v *framework.Version, params framework.Values, facts cuda.Facts) framework.Values {
	if v.Defaults == nil {
		return framework.Values{}
	}
	return v.Defaults(params, facts)
}
