package command

import (
	"context"
	"os"

	"example.org/bench/command/interrupt"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/tuning/search"
)

// read reads a config. One with mistakes is returned as far as it can be read.
func (a *app) read(ctx context.Context, path string) (*config.Config, error) {
	if program, err := os.Executable(); err == nil {
		path = config.Find(path, program)
	}
	return interrupt.Await(ctx, func() (*config.Config, error) { return config.Draft(path) })
}

// constrained finds the algorithm of a config and checks the config's constraints against it: every verb
// refuses what a search would refuse.
func (a *app) constrained(c *config.Config) (*framework.Factory, error) {
	f, err := a.factory(c)
	if err != nil {
		return nil, err
	}
	_, err = search.Constraints(c, f)
	return f, err
}
