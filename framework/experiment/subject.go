package experiment

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
)

// FactoryOf returns the algorithm that a config asks for.
type FactoryOf func(*config.Config) (*framework.Factory, error)

// SubjectOf returns what a run measured, made from the config that it keeps, and whether the
// config's sources have changed since.
func SubjectOf(run *record.Run, factory FactoryOf) (s Subject, changed bool, err error) {
	bad := func(err error) (Subject, bool, error) {
		return s, false, fmt.Errorf("its algorithm cannot be made from %s: %w", run.Info.Config.Path, err)
	}
	c, err := config.Parse(run.Info.Config.Path, []byte(run.Info.Config.Text))
	if err != nil {
		return bad(err)
	}
	f, err := factory(c)
	if err != nil {
		return bad(err)
	}
	if err := c.Set(run.Info.Config.Set, f.TunableNames()); err != nil {
		return bad(err)
	}
	had := run.Info.Config.Hash
	return Subject{Config: c, Factory: f}, c.Hash != had && c.OldHash != had, nil
}

// CodeOf returns the subject whose code a run measured, or why it is not available.
type CodeOf func(*record.Run) (Subject, error)

// AsMeasured gives the subject of a run whose sources are those that it measured, and
// refuses others.
func AsMeasured(factory FactoryOf) CodeOf {
	return func(run *record.Run) (Subject, error) {
		s, changed, err := SubjectOf(run, factory)
		if err == nil && changed {
			err = errors.New("its sources have changed since it was measured")
		}
		return s, err
	}
}
