package exchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/tuning/recorded"
)

// Transfers are those of recorded spaces, and of the sweep points that folders of searches or
// runs have in common (Comparable).
func Transfers(paths []string, manifest string, note Note) (all []recorded.Transfer, err error) {
	groups, err := compared(paths, manifest, note)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		list, err := recorded.Transfers(groups[name])
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no sweep point to compare; want recorded spaces of one kernel, or folders with a sweep point in common", strings.Join(paths, ", "))
	}
	return all, nil
}

// Forecasts say how much of the optimum the best of each space keeps where nothing has run,
// by the pairs of devices that are known: the transfers among what is given, which are
// returned too, and those in the files of known.
func Forecasts(paths []string, manifest string, known []string, note Note) (all []recorded.Forecast, measured []recorded.Transfer, err error) {
	groups, err := compared(paths, manifest, note)
	if err != nil {
		return nil, nil, err
	}
	var spaces []*recorded.Space
	var pairs []recorded.Pair
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		for _, kernel := range recorded.Kernels(groups[name]) {
			spaces = append(spaces, kernel...)
			if len(kernel) < 2 {
				continue
			}
			list, err := recorded.Transfers(kernel)
			if err != nil {
				return nil, nil, err
			}
			measured, pairs = append(measured, list...), append(pairs, recorded.PairsOf(list)...)
		}
	}
	for _, path := range known {
		list, err := recorded.ReadPairs(path)
		if err != nil {
			return nil, nil, fmt.Errorf("--known: %w", err)
		}
		pairs = append(pairs, list...)
	}
	if all, err = recorded.Forecasts(spaces, pairs); err != nil {
		return nil, nil, fmt.Errorf("--forecast: %w", err)
	}
	return all, measured, nil
}

// compared is Comparable of paths that differ.
func compared(paths []string, manifest string, note Note) (map[string][]*recorded.Space, error) {
	if err := recorded.Distinct(paths); err != nil {
		return nil, err
	}
	return Comparable(paths, manifest, note)
}
