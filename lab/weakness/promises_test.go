package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
)

// measuredCeilings are an H200's.
func measuredCeilings(t *testing.T) record.Ceilings {
	t.Helper()
	text, err := os.ReadFile("../../results/h200-weakness/correcting/gather/run.json")
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Devices []struct{ Ceilings record.Ceilings }
	}
	if err := json.Unmarshal(text, &run); err != nil || len(run.Devices) != 1 || run.Devices[0].Ceilings.L2 == 0 {
		t.Fatalf("%+v, %v", run, err)
	}
	return run.Devices[0].Ceilings
}

// Every change is a config, and every config one.
func TestEveryChangeIsListed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("../..", promises, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names, listed []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	corrects := 0
	for _, p := range Changed {
		listed = append(listed, p.Name)
		if p.Corrects() {
			corrects++
		}
	}
	if !slices.Equal(names, listed) || len(names) < 24 || corrects < len(names)/3 || corrects > 2*len(names)/3 {
		t.Errorf("%d configs %v, listed %v, of which %d correct", len(names), names, listed, corrects)
	}
}

// What the model promises for the changes that may correct it is about what it says of the kernels that have
// them.
func TestPromisesByTheModel(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	of := measuredCeilings(t)
	within, all := 0, 0
	for _, p := range Changed {
		if !p.Corrects() {
			continue
		}
		all++
		why := modelled(t, filepath.Join("../..", promises, p.Name+".json"), of, "before", "after")
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
