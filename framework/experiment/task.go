package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
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
	var definition map[string]any
	if err := json.Unmarshal(c.CUDA, &definition); err != nil || !draws(definition["arguments"]) {
		fault("algorithm", `no argument of the task is drawn, and an answer could be kept from one run to the next; want one with "fill": {"random": [FROM, TO]}`)
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

// draws reports whether arguments, or fields of them, are filled with random numbers.
func draws(arguments any) bool {
	switch x := arguments.(type) {
	case []any:
		return slices.ContainsFunc(x, draws)
	case map[string]any:
		if fill, ok := x["fill"].(map[string]any); ok && fill["random"] != nil {
			return true
		}
		return draws(x["fields"])
	}
	return false
}

// validateTask refuses a "judge" with unknown names or impossible problems.
func (x *Experiment) validateTask(ctx context.Context) error {
	if x.Config.Judge == nil {
		return nil
	}
	if err := x.CheckTask(); err != nil {
		return err
	}
	timed := *x.Plan
	timed.Points = slices.Clone(x.Plan.Points)
	x.options.At = x.Hidden()
	if err := x.planFurther(ctx, &timed); err != nil {
		return err
	}
	x.options.At = x.HiddenAt(x.machine.Device)
	return nil // Verification plans these
}

// Hidden returns the secret problems at which a task is timed.
func (s Subject) Hidden() (list []Further) {
	for i, values := range s.Config.Judge.Hidden {
		list = append(list, Further{Values: values, Path: fmt.Sprintf("judge.hidden[%d]", i)})
	}
	return list
}

// HiddenAt returns the secret problems at which a task is verified on a device: those of judge.hidden_at, and
// all verification problems with inputs of the kinds of judge.inputs.
func (s Subject) HiddenAt(device string) (list []Further) {
	j := s.Config.Judge
	for i, values := range j.HiddenAt {
		list = append(list, Further{Values: values, Path: fmt.Sprintf("judge.hidden_at[%d]", i)})
	}
	for i, kind := range j.Inputs {
		for _, values := range slices.Concat(s.Factory.Verification(device), j.HiddenAt) {
			if values[framework.InputsParam].IsSet() { // it says itself what its inputs are
				continue
			}
			of := values.Clone()
			of[framework.InputsParam] = framework.TextValue(kind)
			list = append(list, Further{Values: of, Path: fmt.Sprintf("judge.inputs[%d]", i)})
		}
	}
	return list
}

// KindsWhereTimed returns timed problems with inputs of the kinds of judge.inputs, one problem for each kind.
// The seed chooses them, so that a candidate cannot know them before.
func (s Subject) KindsWhereTimed(ctx context.Context, device string, seed uint64) (list []Further, err error) {
	kinds := s.Config.Judge.Inputs
	if len(kinds) == 0 {
		return nil, nil
	}
	timed, err := s.Timed(ctx, device)
	timed = slices.DeleteFunc(timed, func(x Further) bool { return x.Values[framework.InputsParam].IsSet() })
	for i, kind := range kinds {
		if len(timed) == 0 {
			break
		}
		of := timed[(seed+uint64(i))%uint64(len(timed))].Values.Clone()
		of[framework.InputsParam] = framework.TextValue(kind)
		list = append(list, Further{Values: of, Path: fmt.Sprintf("judge.inputs[%d]", i), Else: true})
	}
	return list, err
}

// Timed returns the problems at which a task is timed, the secret ones last.
func (s Subject) Timed(ctx context.Context, device string) (list []Further, err error) {
	timed, err := plan.Make(ctx, s.Config, s.Factory, plan.Machine{Device: device, GPU: plan.AnyGPU()})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, p := range timed.Points {
		if !known[p.Problem()] {
			known[p.Problem()] = true
			list = append(list, Further{Values: p.Params, Path: "sweep_arg", Else: true, Optional: true})
		}
	}
	for _, x := range s.Hidden() {
		x.Else, x.Optional = true, true
		list = append(list, x)
	}
	return list, nil
}
