package exchange

import (
	"fmt"
	"maps"
	"slices"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/search"
)

// Sources opens what is to teach searches by an objective: recorded spaces and folders of
// searches, and wisdom files and runs. Every strategy has to learn.
func Sources(paths []string, manifest string, objective search.Objective, strategies []tuning.Info, note Note) (all []*recorded.Space, taught []*search.Taught, err error) {
	if len(paths) == 0 {
		return nil, nil, nil
	}
	for _, s := range strategies {
		if !s.Learns {
			return nil, nil, fmt.Errorf("--from: --strategy %s learns nothing from elsewhere; want best", s.Name)
		}
	}
	if err := recorded.Distinct(paths); err != nil {
		return nil, nil, fmt.Errorf("--from: %w", err)
	}
	var spaces []string
	for _, path := range paths {
		if !search.Teaches(path) {
			spaces = append(spaces, path)
			continue
		}
		t, err := search.OpenTaught(path, objective)
		if err != nil {
			return nil, nil, fmt.Errorf("--from: %w", err)
		}
		taught = append(taught, t)
	}
	if len(spaces) == 0 {
		return nil, taught, nil
	}
	groups, err := Comparable(spaces, manifest, note)
	if err != nil {
		return nil, nil, fmt.Errorf("--from: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		all = append(all, groups[name]...)
	}
	return all, taught, nil
}

// Lessons are the sources for searches on recorded spaces, which are of files: those have
// the parameters of the spaces, and are other files.
func Lessons(paths []string, manifest string, objective search.Objective, strategies []tuning.Info, spaces []*recorded.Space, files []string, note Note) ([]*recorded.Space, error) {
	if len(paths) > 0 {
		if err := recorded.Distinct(slices.Concat(files, paths)); err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
	}
	all, taught, err := Sources(paths, manifest, objective, strategies, note)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if err := recorded.Check([]*recorded.Space{spaces[0], s}); err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
	}
	for _, t := range taught {
		known := t.Spaces(spaces[0].Name, spaces[0].Space.Parameters)
		if len(known) == 0 {
			return nil, fmt.Errorf("--from: %s knows no version with the parameters of %s", t.Name, spaces[0].Name)
		}
		all = append(all, known...)
	}
	return all, nil
}
