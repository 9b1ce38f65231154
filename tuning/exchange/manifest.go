package exchange

import (
	"slices"

	"example.org/bench/framework/expression"
	"example.org/bench/tuning/recorded"
)

// ManifestEntry is what a manifest says of the study's recorded space.
func (s *Study) ManifestEntry(r *recorded.Space) map[string]any {
	values, labels := map[string][]float64{}, map[string][]string{}
	for i, p := range r.Space.Parameters {
		values[p.Name] = p.Values
		words := slices.ContainsFunc(s.Parameters[i].Values, func(v expression.Value) bool { return v.IsWord })
		for _, v := range s.Parameters[i].Values {
			if words {
				labels[p.Name] = append(labels[p.Name], v.String())
			}
		}
	}
	e := map[string]any{"file": r.Name + ".csv.gz", "kernel": s.Kernel, "device": s.Device, "parameters": values, "constraints": s.Conditions}
	if len(labels) > 0 {
		e["labels"] = labels
	}
	return e
}
