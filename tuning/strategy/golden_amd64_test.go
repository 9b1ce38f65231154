package strategy

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"example.org/bench/tuning"
)

var update = flag.Bool("update", false, "write the searches anew")

// uneven costs least in the middle, with a ridge; a corner is invalid.
func uneven(spaces ...*tuning.Space) func(task, point int) (float64, bool) {
	return func(task, point int) (float64, bool) {
		cost := 1 + 0.3*float64(task)
		at := spaces[task].Indexes(point)
		for d, v := range at {
			e := float64(v) - 1.4 - 0.3*float64(task)
			cost += e * e * (0.2 + 0.1*float64(d))
		}
		cost *= 1 + 0.05*math.Sin(float64(7*point+3*task))
		return cost, at[0]+at[1] < 7
	}
}

// TestSearchesAreThoseOfBefore: a seed fixes a search, in a later version too, so that
// what a published search found can be found again. Where a strategy is to propose
// otherwise, -update writes its searches anew. On arm64 the compiler fuses products
// and sums, and another rounding may decide otherwise.
func TestSearchesAreThoseOfBefore(t *testing.T) {
	now := map[string][]string{}
	for _, info := range All() {
		if info.Computes {
			continue
		}
		for name, spaces := range map[string][]*tuning.Space{"one": {grid(t, 5, 4, 3)}, "two": {grid(t, 4, 4, 3), grid(t, 5, 4, 3)}} {
			s := seeded(3, 20, spaces...)
			if info.Name != bo.Name {
				s.Options = nil
			}
			var proposed []string
			for _, x := range search(t, info, s, uneven(spaces...)) {
				proposed = append(proposed, fmt.Sprintf("%d:%d", x.Task, x.Point))
			}
			now[info.Name+", "+name] = proposed
		}
	}
	golden(t, "testdata/searches.json", now)
}

// golden compares searches by name with those that a file has.
func golden(t *testing.T, file string, now map[string][]string) {
	t.Helper()
	if *update {
		text, err := json.Marshal(now)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before := map[string][]string{}
	if err := json.Unmarshal(text, &before); err != nil {
		t.Fatal(err)
	}
	for name, want := range before {
		if !slices.Equal(now[name], want) {
			t.Errorf("%s: proposes\n%s\nand before\n%s", name, now[name], want)
		}
	}
	if len(before) != len(now) {
		t.Errorf("%d searches, %d before", len(now), len(before))
	}
}
