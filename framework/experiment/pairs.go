package experiment

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
)

// Pair is one problem at which two versions are compared.
type Pair struct {
	Name          string                 `json:"name"`                     // what distinguishes it from the others
	A             plan.Point             `json:"a"`                        // point of A
	B             plan.Point             `json:"b"`                        // point of B
	Failure       string                 `json:"failure,omitempty"`        // why there is no result
	Result        *compare.Turns         `json:"result,omitempty"`         // docs/comparing.md
	VerificationA framework.Verification `json:"verification_a,omitempty"` // how A was checked (docs/measuring.md#correctness): "fast", "full" or "none"
	VerificationB framework.Verification `json:"verification_b,omitempty"` // how B was
	Notes         []string               `json:"notes,omitempty"`          // remarks

	repeats []*engine.Turns
	failed  *engine.Turns
}

// Failed returns the repeat that ended the pair, or nil.
func (p *Pair) Failed() *engine.Turns { return p.failed }

// Medians returns the median seconds of a run over all samples taken in turns.
func (p *Pair) Medians() (a, b float64) {
	return p.middle(func(x *measure.Alternation) []float64 { return x.A }), p.middle(func(x *measure.Alternation) []float64 { return x.B })
}

// MediansByRepeat returns the median seconds of a run of A and of B in turns with each other, by repeat.
func (p *Pair) MediansByRepeat() (a, b []float64) {
	for _, t := range p.repeats {
		a, b = append(a, stats.Median(t.Treatment.A)), append(b, stats.Median(t.Treatment.B))
	}
	return a, b
}

// Alone measures A in turns with another instance of itself, without B in its process, and returns the median seconds of
// a run by repeat.
func (p *Pair) Alone(ctx context.Context, e *engine.Engine, repeats int) (medians []float64, err error) {
	for i := range repeats {
		t, err := e.Turns(ctx, engine.Pair{A: p.A, B: p.A, Round: i})
		if err != nil {
			return nil, err
		}
		if t.Status != record.OK {
			return nil, fmt.Errorf("%s by itself in repeat %d: %s", t.Status, i+1, t.Reason)
		}
		medians = append(medians, stats.Median(slices.Concat(t.Control.A, t.Control.B)))
	}
	return medians, nil
}

// Beside returns by how much longer A takes beside B than beside itself, by repeat: the ratio of its medians.
func (p *Pair) Beside() (ratios []float64) {
	for _, t := range p.repeats {
		ratios = append(ratios, stats.Median(t.Treatment.A)/stats.Median(t.Control.A))
	}
	return ratios
}

// Floor returns the least time in seconds in which a run of B can write its answer, over all
// repeats; 0 if unknown.
func (p *Pair) Floor() (least float64) {
	for i, t := range p.repeats {
		if i == 0 || t.Floor < least {
			least = t.Floor
		}
	}
	return least
}

// OnlyVersion returns the name of the subject's version if it has exactly one.
func (s Subject) OnlyVersion() (string, error) {
	names := s.Config.Versions
	if len(names) == 0 {
		names = s.Factory.VersionNames()
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s: %d versions, want one in each config", s.Config.Path, len(names))
	}
	return names[0], nil
}

// TwoVersions returns the names of the versions that take turns: those chosen, or the only one of each of two
// configs. The first is of the first subject, the second of the last, which may be the same.
func TwoVersions(subjects []Subject, chosen []string) (names [2]string, err error) {
	switch {
	case len(chosen) == 2:
		copy(names[:], chosen)
	case len(chosen) != 0:
		return names, fmt.Errorf("--versions names %d, want two: A,B", len(chosen))
	case len(subjects) == 1:
		return names, errors.New("which two versions? --versions A,B")
	}
	for i := range names {
		s := subjects[min(i, len(subjects)-1)]
		if names[i] == "" {
			if names[i], err = s.OnlyVersion(); err != nil {
				return names, fmt.Errorf("%w, or --versions A,B", err)
			}
		}
		if err := s.CheckVersion(names[i]); err != nil {
			return names, err
		}
	}
	return names, nil
}

// CheckVersion returns an error for a name that is not a version's.
func (s Subject) CheckVersion(name string) error {
	if s.Factory.Version(name) == nil {
		return fmt.Errorf("--versions: %q is not a version of %s%s", name, s.Factory.Name, config.Choice(name, s.Factory.VersionNames(), "versions"))
	}
	return nil
}

// NotInTurns says why the subject's versions cannot take turns; empty if they can.
func (s Subject) NotInTurns() string {
	if s.Factory.External {
		return "a program that times itself cannot take turns"
	}
	var names []string
	for _, x := range s.Config.Static {
		names = append(names, x.Name)
	}
	for _, x := range s.Config.Sweep {
		names = append(names, x.Name)
	}
	for _, name := range []string{framework.RateParam, framework.BesideParam} {
		if slices.Contains(names, name) && s.Factory.Param(name) == nil {
			return name + ": versions take turns back to back and alone"
		}
	}
	return ""
}

// OpenPairs plans version names[0] of the first subject and names[1] of the last, which may be the same, and
// pairs the points of equal problems. The experiment is of the first subject. The caller closes it.
func OpenPairs(ctx context.Context, subjects []Subject, names [2]string, opt Options) (*Experiment, []*Pair, error) {
	first, last := subjects[0], subjects[len(subjects)-1]
	if first.Factory.Name != last.Factory.Name {
		return nil, nil, fmt.Errorf("%s is of %s and %s of %s: two versions of one algorithm can be compared",
			first.Config.Path, first.Factory.Name, last.Config.Path, last.Factory.Name)
	}
	if a, b := first.Config.Measure, last.Config.Measure; !opt.MixCaches && (a.CPUCaches != b.CPUCaches || a.Flush != b.Flush) {
		return nil, nil, fmt.Errorf("%s asks for cpu_caches %s and flush %s, %s for %s and %s: want the same, or --mix-caches to time both as the first asks",
			first.Config.Path, a.CPUCaches, a.Flush, last.Config.Path, b.CPUCaches, b.Flush)
	}
	chosen := names[:1]
	if len(subjects) == 1 {
		chosen = names[:]
	}
	x, err := Open(ctx, first.Choose(chosen...), opt)
	if err != nil {
		return nil, nil, err
	}
	plans := [2]*plan.Plan{x.Plan, x.Plan}
	if len(subjects) > 1 {
		y, err := Open(ctx, last.Choose(names[1]), opt)
		if err != nil {
			x.Close()
			return nil, nil, err
		}
		y.Close()
		plans[1] = y.Plan
	}
	pairs, err := PairUp(plans, names)
	if err != nil {
		x.Close()
		return nil, nil, err
	}
	return x, pairs, nil
}

// PairUp pairs the points of equal problems of two versions. Each side has one point per problem.
func PairUp(plans [2]*plan.Plan, names [2]string) ([]*Pair, error) {
	var of [2]map[string]plan.Point
	var first []plan.Point
	for i, s := range plans {
		of[i] = map[string]plan.Point{}
		for _, p := range s.Points {
			if p.Version != names[i] {
				continue
			}
			if i == 0 {
				first = append(first, p)
			}
			key := p.Problem()
			if had, ok := of[i][key]; ok {
				if had.Processor != p.Processor {
					return nil, fmt.Errorf("%s runs on CPU and GPU: choose with --processor", names[i])
				}
				return nil, fmt.Errorf("%s has several tunings at %s: give one value of each tunable", names[i], key)
			}
			of[i][key] = p
		}
		if len(of[i]) == 0 {
			return nil, fmt.Errorf("no point of %s to run: %s", names[i], strings.Join(s.LeftOut, "; "))
		}
	}
	var pairs []*Pair
	varying := VaryingParams(first)
	for _, p := range first {
		q, ok := of[1][p.Problem()]
		if !ok {
			continue
		}
		pair := &Pair{A: p, B: q, Name: p.Algorithm}
		for _, n := range p.ParamOrder {
			if varying[n] {
				pair.Name += " " + n + " " + p.Params[n].String()
			}
		}
		for _, side := range []plan.Point{p, q} {
			if side.Skip != "" {
				pair.Failure = side.Version + " skipped: " + side.Skip
			}
		}
		if p.Processor != q.Processor {
			return nil, fmt.Errorf("%s is a %s version and %s a %s one: only versions of one processor can take turns", p.Version, p.Processor, q.Version, q.Processor)
		}
		pairs = append(pairs, pair)
	}
	if len(pairs) == 0 {
		return nil, errors.New("the two configs have no problem in common")
	}
	return pairs, nil
}

// VaryingParams returns the parameters that differ between points.
func VaryingParams(points []plan.Point) map[string]bool {
	varying := map[string]bool{}
	for _, p := range points {
		for n, v := range p.Params {
			varying[n] = varying[n] || v != points[0].Params[n]
		}
	}
	return varying
}

// Run takes the repeats; a failure ends the pair and is kept in it.
func (p *Pair) Run(ctx context.Context, e *engine.Engine, repeats int) error {
	return p.take(ctx, e, repeats, false, func(t *engine.Turns) {
		p.VerificationA, p.VerificationB = t.VerificationA, t.VerificationB
		p.repeats = append(p.repeats, t)
	})
}

// Energies takes repeats of the energies alone. The ratios are B's energy of one run by A's, one a
// repeat, or nil where one is not known: without a sensor, or after a failure, which is kept in the pair.
func (p *Pair) Energies(ctx context.Context, e *engine.Engine, repeats int) (ratios []float64, err error) {
	err = p.take(ctx, e, repeats, true, func(t *engine.Turns) {
		if ratio := p.energyRatio(t); ratio > 0 {
			ratios = append(ratios, ratio)
		}
	})
	if len(ratios) < repeats {
		ratios = nil
	}
	return ratios, err
}

func (p *Pair) take(ctx context.Context, e *engine.Engine, repeats int, onlyEnergy bool, taken func(*engine.Turns)) error {
	for i := 0; i < repeats && p.Failure == ""; i++ {
		t, err := e.Turns(ctx, engine.Pair{A: p.A, B: p.B, Round: i, OnlyEnergy: onlyEnergy})
		if err != nil {
			return err
		}
		if t.Status != record.OK {
			p.failed = t
			p.Failure = fmt.Sprintf("%s in repeat %d: %s", t.Status, i+1, t.Reason)
			return nil
		}
		taken(t)
	}
	return nil
}
