package exchange

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// versionsOf are the sweep points of a run as spaces of one parameter, the version, by what
// they are of; a version's cost is its least time there, whatever its tunables. words are
// the versions by number, to which new ones are added: several runs are to agree.
func versionsOf(dir string, words *[]string) (map[string]*recorded.Space, error) {
	run, err := record.Read(dir)
	if err != nil {
		return nil, err
	}
	costs := map[string]map[int]float64{} // by sweep point and version
	for _, row := range run.Rows {
		at := slices.Index(*words, row.Version)
		if at < 0 {
			at = len(*words)
			*words = append(*words, row.Version)
		}
		name := row.Algorithm
		for _, n := range slices.Sorted(maps.Keys(row.Params.Values())) {
			name += " " + n + "=" + row.Params.Get(n).String()
		}
		if costs[name] == nil {
			costs[name] = map[int]float64{}
		}
		cost, had := costs[name][at]
		if x := row.Time.Median; row.Status == record.OK && x.IsSet() && (!had || math.IsNaN(cost) || x.Float() < cost) {
			costs[name][at] = x.Float()
		} else if !had {
			costs[name][at] = math.NaN()
		}
	}
	spaces := map[string]*recorded.Space{}
	for name, byVersion := range costs {
		s := &recorded.Space{Name: NameOf(dir)}
		p := tuning.Parameter{Name: "version"}
		for i := range *words {
			p.Values = append(p.Values, float64(i))
		}
		p.Labels = *words
		var points [][]uint16
		for i := range *words {
			if cost, ok := byVersion[i]; ok {
				points, s.Costs = append(points, []uint16{uint16(i)}), append(s.Costs, cost)
			}
		}
		if !slices.ContainsFunc(s.Costs, func(c float64) bool { return !math.IsNaN(c) }) {
			continue
		}
		if s.Space, err = tuning.NewSpace([]tuning.Parameter{p}, points); err != nil {
			return nil, err
		}
		spaces[name] = s
	}
	if len(spaces) == 0 {
		return nil, fmt.Errorf("%s: no point of the run has a time", strings.TrimSuffix(dir, "/"))
	}
	return spaces, nil
}
