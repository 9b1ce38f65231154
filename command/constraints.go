package command

import (
	"context"
	"os"

	"bench/command/interrupt"
	"bench/framework"
	"bench/framework/config"
	"bench/tuning/search"
)

// load reads a config and finds its algorithm.
func (a *app) load(ctx context.Context, path string) (*config.Config, *framework.Factory, error) {
	if program, err := os.Executable(); err == nil {
		path = config.Find(path, program)
	}
	c, err := interrupt.Await(ctx, func() (*config.Config, error) { return config.Load(path) })
	if err != nil {
		return nil, nil, err
	}
	f, err := a.constrained(c)
	return c, f, err
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
