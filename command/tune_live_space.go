package command

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"bench/cuda"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/machine"
	"bench/framework/plan"
	"bench/tuning"
	"bench/tuning/wisdom"
)

func log2(x float64) float64 {
	if x <= 0 {
		return x
	}
	return math.Log2(x)
}

func now() time.Time { return time.Now().UTC() }

// prepare plans the config's versions at their sweep points, and enumerates
// their spaces.
func (l *live) prepare(ctx context.Context, path string) ([]*search, error) {
	c, factory, err := l.app.load(path)
	if err != nil {
		return nil, usageError(err)
	}
	l.config, l.factory = c, factory
	if err := c.CheckSensors(l.app.sensorNames()); err != nil {
		return nil, usageError(err)
	}
	trial := *c
	trial.Tunables, trial.Measure = nil, quick(c.Measure)
	if l.objective == "time" {
		trial.Sensors = []string{}
	}
	l.show = newTuneProgress(l.app.out, l.objective)
	l.engine = engine.New(engine.Options{Config: &trial, Factory: l.factory, Seed: l.flags.seed,
		Workers: runtime.GOMAXPROCS(0), Trial: true, Root: "/"})
	machine := plan.Machine{Processor: "GPU", Device: l.device}
	if l.device == "cpu" {
		machine.Processor, machine.Device = "CPU", ""
	} else {
		if l.facts, err = l.engine.Device(ctx, l.device); err != nil {
			l.engine.Close()
			return nil, &statusError{exitBad, fmt.Errorf("%s: %w", l.device, err)}
		}
		machine.GPU = l.facts
	}
	l.place = placeOf(l.facts)
	l.compilers = newCompilers(l.compilerCount(), engine.Options{Config: &trial, Factory: l.factory, Seed: l.flags.seed,
		Workers: 1, Root: "/"}, l.facts)
	p, err := plan.Make(&trial, l.factory, machine)
	if err != nil {
		l.engine.Close()
		return nil, usageError(err)
	}
	for _, line := range p.LeftOut {
		fmt.Fprintln(l.app.err, line)
	}
	searches, err := searchesOf(ctx, c, l.factory, p, l.facts, func(format string, args ...any) {
		fmt.Fprintf(l.app.err, format+"\n", args...)
	})
	if err != nil {
		l.engine.Close()
	}
	return searches, err
}

// placeOf is the device that wisdom holds for; no facts are the CPU.
func placeOf(facts *cuda.Facts) wisdom.Device {
	if facts == nil {
		here, _ := machine.Live.Facts()
		return wisdom.Device{Name: here.CPU, Architecture: here.Architecture}
	}
	return wisdom.Device{Name: facts.Name, Architecture: facts.Arch(), Driver: facts.DriverVersion, Compiler: facts.CompilerVersion}
}

// searchesOf makes a search of every version of the plan that has tunables.
func searchesOf(ctx context.Context, c *config.Config, f *framework.Factory, p *plan.Plan, facts *cuda.Facts, say func(string, ...any)) ([]*search, error) {
	ranges, err := rangesOf(c, f, p)
	if err != nil {
		return nil, usageError(err)
	}
	var searches []*search
	byVersion := map[*framework.Version]*search{}
	for _, point := range p.Points {
		v := f.VersionOn(point.Version, point.Processor)
		name := taskName(p, point)
		switch {
		case len(v.Tunables) == 0:
			if byVersion[v] == nil {
				byVersion[v] = &search{}
				say("%s has no tunables", v.Name)
			}
			continue
		case point.Skip != "" && point.Tunables == nil:
			say("%s %s left out: %s", v.Name, name, point.Skip)
			continue
		}
		var known cuda.Facts
		if facts != nil && v.Processor == framework.GPU {
			known = *facts
		}
		space, err := tuning.VersionSpace(ctx, v, point.Params, known, ranges)
		if err != nil {
			return nil, usageError(fmt.Errorf("%s %s: %w", c.Path, name, err))
		}
		if space.Len() == 0 {
			say("%s %s left out: no combination of the tunables is valid", v.Name, name)
			continue
		}
		point.Skip = ""
		s := byVersion[v]
		if s == nil {
			s = &search{version: v}
			byVersion[v] = s
			searches = append(searches, s)
		}
		s.tasks = append(s.tasks, &task{base: point, space: space, defaults: space.FindTunables(point.Tunables), name: name})
	}
	if len(searches) == 0 {
		return nil, usageError(fmt.Errorf("%s: nothing to tune", c.Path))
	}
	return searches, nil
}

// taskName names a sweep point by what is swept.
func taskName(p *plan.Plan, point plan.Point) string {
	var words []string
	for _, x := range p.Axes {
		words = append(words, x.Name+" "+point.Params[x.Name].String())
	}
	if len(words) == 0 {
		return point.Algorithm
	}
	return strings.Join(words, " ")
}

// rangesOf are the config's tunables and constraints.
func rangesOf(c *config.Config, f *framework.Factory, p *plan.Plan) (tuning.Ranges, error) {
	r := tuning.Ranges{Values: map[string][]int64{}}
	var names []string
	for _, point := range p.Points {
		for _, n := range point.TunableOrder {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	for _, a := range c.Tunables {
		if !slices.Contains(names, a.Name) {
			return r, fmt.Errorf("%s: %q is no tunable of the versions chosen%s", c.Path, a.Name, config.Choice(a.Name, names, "tunables"))
		}
		for _, v := range a.Values {
			if v.Kind() == framework.Text || v.Float() != float64(v.Int()) {
				return r, fmt.Errorf("%s: tunables.%s: %s is no whole number", c.Path, a.Name, v)
			}
			r.Values[a.Name] = append(r.Values[a.Name], v.Int())
		}
	}
	var err error
	r.Constraints, err = constraintsOf(c, f)
	return r, err
}
