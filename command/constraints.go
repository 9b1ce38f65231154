package command

import (
	"bench/framework"
	"bench/framework/config"
	"bench/tuning/search"
)

// load reads a config and finds its algorithm, which its constraints are held
// against: what a search would refuse, every verb does.
func (a *app) load(path string) (*config.Config, *framework.Factory, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := a.factory(c)
	if err != nil {
		return nil, nil, err
	}
	if _, err := search.Constraints(c, f); err != nil {
		return nil, nil, err
	}
	return c, f, nil
}
