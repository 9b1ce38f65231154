// Package strategy provides the strategies of a search: best, which is the default, and those of the
// literature, with the models that only they use. Each has a file.
package strategy

import "example.org/bench/tuning"

// Default is the strategy of a search that names none.
const Default = "best"

// All returns the strategies.
func All() []tuning.Info {
	return append([]tuning.Info{best, exhaustive, random, guideline, bo, nearestSize}, iterML()...)
}

// Find returns the strategy of that name, or nil.
func Find(name string) *tuning.Info {
	for _, s := range All() {
		if s.Name == name {
			return &s
		}
	}
	return nil
}
