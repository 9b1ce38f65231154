package experiment

import (
	"context"
	"slices"

	"bench/framework"
	"bench/framework/config"
)

// CheckTask refuses a config by whose "judge" nothing can be judged. The error is *config.Errors.
func (s Subject) CheckTask() error {
	c, f, j := s.Config, s.Factory, s.Config.Judge
	errs := &config.Errors{}
	fault := func(path, format string, args ...any) {
		errs.Add(c.Path, c.PositionOf(path), format, args...)
	}
	switch {
	case j == nil:
		fault("", `this is no task; want the key "judge" with "version" and "baseline" (docs/judging.md)`)
	case c.CUDA == nil:
		fault("algorithm", `a task has kernels or C functions of its own; want "algorithm": {"cuda": …} with its versions`)
	case j.Version == j.Baseline:
		fault("judge.baseline", "the version under judgement is its own baseline; want another version's name")
	case j.EnergyRepeats == 1, j.EnergyRepeats == 2:
		fault("judge.energy_repeats", "too few repeats for an interval; want 3 or more, or 0 for no energy")
	}
	if errs.Err() != nil {
		return errs.Err()
	}
	var of [2]framework.Processor
	for i, name := range []string{j.Version, j.Baseline} {
		v := f.Version(name)
		if v == nil {
			fault([]string{"judge.version", "judge.baseline"}[i], "%q is not a version%s", name, config.Choice(name, f.VersionNames(), "versions"))
			continue
		}
		of[i] = v.Processor
	}
	if errs.Err() == nil && of[0] != of[1] {
		fault("judge.baseline", "%s is a %s version and %s a %s one: only versions of one processor can take turns", j.Version, of[0], j.Baseline, of[1])
	}
	if why := s.NotInTurns(); why != "" {
		fault("judge", "%s", why)
	}
	return errs.Err()
}

// validateTask refuses what "judge" has wrong: names, and problems that nobody is told.
func (x *Experiment) validateTask(ctx context.Context) error {
	if x.Config.Judge == nil {
		return nil
	}
	if err := x.CheckTask(); err != nil {
		return err
	}
	timed := *x.Plan
	timed.Points = slices.Clone(x.Plan.Points)
	x.options.At, x.options.AtPath = x.Config.Judge.Hidden, "judge.hidden"
	if err := x.planFurther(ctx, &timed); err != nil {
		return err
	}
	x.options.At, x.options.AtPath = x.Config.Judge.HiddenAt, "judge.hidden_at"
	return nil // Verification plans these
}
