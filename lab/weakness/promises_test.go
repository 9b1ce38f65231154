package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
)

// measuredCeilings are an H200's (results/h200-weakness, judging).
var measuredCeilings = record.Ceilings{
	Copy: 4.242e+12, FMA: 6.488e+13, FMA64: 3.325e+13, SFU: 4.151e+12, L2: 9.545e+12, L2Written: 4.288e+12,
	Shared: 3.276e+13, SharedLatency: 2.153e-08, L2Latency: 1.542e-07, MemoryLatency: 3.461e-07, Launch: 1.344e-06, EmptyLaunch: 2.592e-06,
	Blocks: 1.609e+09, AtomicInteger: 7.341e-10, AtomicFloat: 1.756e-09, L2Sectors: 1.542e+11, L2SectorsWritten: 7.569e+10, MemorySectors: 4.007e+10,
	MemorySectorsWritten: 1.605e+10, Constants: 1.286e+11,
}

// Every change is a config, and every config one.
func TestEveryChangeIsListed(t *testing.T) {
	of := map[string]string{} // a run is known by its name alone
	for folder, list := range map[string][]Weakness{promises: Changed, changes: Judged, blind: Blind, blind2: Blind2} {
		files, err := filepath.Glob(filepath.Join("../..", folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		var names, listed []string
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
		}
		for _, p := range list {
			if other, twice := of[p.Name]; twice {
				t.Errorf("%s is in %s and in %s", p.Name, other, folder)
			}
			of[p.Name] = folder
			listed = append(listed, p.Name)
		}
		if !slices.Equal(names, listed) || len(names) < 14 {
			t.Errorf("%s: %d configs %v, listed %v", folder, len(names), names, listed)
		}
	}
}

// What the model promises for the changes that may correct it is about what it says of the kernels that have
// them.
func TestPromisesByTheModel(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	within, all := 0, 0
	for n, p := range slices.Concat(Changed, Judged) {
		folder := promises
		if n >= len(Changed) {
			folder = changes
		}
		all++
		why := modelled(t, filepath.Join("../..", folder, p.Name+".json"), measuredCeilings, "before", "after")
		gain, promised := p.Promised(why["before"])
		gained := why["before"].Model / why["after"].Model
		if promised && gained < gain*asPromised && gain < gained*asPromised {
			within++
		}
		if gain > sign && gained < 1/sign {
			t.Errorf("%s: promised %.2f, lost %.2f", p.Name, gain, gained)
		}
		t.Logf("%s: %s, %.4g and %.4g µs, promised %.2f (%v) of %.2f; %v", p.Name, why["before"].Title(), 1e6*why["before"].Model, 1e6*why["after"].Model, gain, promised, gained, brief(why["before"]))
	}
	if 4*within < 3*all {
		t.Errorf("%d of %d", within, all)
	}
}

// Promised is the largest gain of the names of a change.
func TestPromised(t *testing.T) {
	w := bound.Why{Gains: map[string]float64{"spills": 1.2, "reuse": 1.01}}
	if gain, ok := (Weakness{"", []string{"reuse", "spills"}}).Promised(w); gain != 1.2 || !ok {
		t.Errorf("%g, %v", gain, ok)
	}
	if gain, ok := (Weakness{"", []string{"coalesce"}}).Promised(w); gain != 1 || ok {
		t.Errorf("%g, %v", gain, ok)
	}
}
