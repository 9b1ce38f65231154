package command

import (
	"fmt"
	"maps"
	"slices"

	"bench/tuning"
	"bench/tuning/exchange"
	"bench/tuning/recorded"
)

// sources opens what is to teach a search: recorded spaces and folders of searches.
func (a *app) sources(paths []string, manifest string, strategies []tuning.Info) ([]*recorded.Space, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	for _, s := range strategies {
		if !s.Learns {
			return nil, fmt.Errorf("--from: --strategy %s learns nothing from elsewhere; want best", s.Name)
		}
	}
	if err := recorded.Distinct(paths); err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	groups, err := exchange.Comparable(paths, manifest, a.note)
	if err != nil {
		return nil, fmt.Errorf("--from: %w", err)
	}
	var all []*recorded.Space
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[name]...)
	}
	return all, nil
}

// lessons are the sources for recorded spaces, whose parameters they must have.
func (a *app) lessons(paths []string, manifest string, strategies []tuning.Info, spaces []*recorded.Space, files []string) ([]*recorded.Space, error) {
	if len(paths) > 0 {
		if err := recorded.Distinct(slices.Concat(files, paths)); err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
	}
	all, err := a.sources(paths, manifest, strategies)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if err := recorded.Check([]*recorded.Space{spaces[0], s}); err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
	}
	return all, nil
}
