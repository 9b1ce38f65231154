// Package strategy holds the strategies of a search, a file each: best, which is the default, and those of
// the literature, with the models that only they use.
package strategy

import "example.org/bench/tuning"

// Default is what searches run with unless told.
const Default = "best"

// All lists the strategies.
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
