// Package configs plans every experiment that is shipped.
package configs

import (
	"path/filepath"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/algorithms/executable"
	"example.org/bench/algorithms/kernel"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// shipped are the experiments; the schema beside them is not one.
func shipped(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"../../configs/*.json", "../../configs/*/*.json", "../../algorithms/executable/example/*.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if filepath.Base(path) != "schema.json" {
				list = append(list, path)
			}
		}
	}
	if len(list) < 4 {
		t.Fatalf("only %d configs: %v", len(list), list)
	}
	return list
}

func planned(t *testing.T, path string, m plan.Machine) (*config.Config, *plan.Plan) {
	t.Helper()
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	f := framework.NewRegistry(algorithms.All(), nil).Algorithm(cfg.Algorithm)
	switch {
	case cfg.Executable != "":
		f, err = executable.New(cfg)
	case cfg.HasKernels():
		f, err = kernel.New(cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	if f == nil {
		t.Fatalf("%s: no algorithm %s", path, cfg.Algorithm)
	}
	m.Search = len(cfg.Constraints) > 0
	p, err := plan.Make(t.Context(), cfg, f, m)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, p
}

// Every config is planned on a machine with a GPU; only libraries and
// programs that are not installed may be missing.
func TestEveryConfigIsPlanned(t *testing.T) {
	for _, path := range shipped(t) {
		cfg, p := planned(t, path, plan.Machine{GPU: plan.AnyGPU()})
		if len(p.Points) == 0 || len(p.LeftOut) > 0 && cfg.Processor == "" {
			t.Errorf("%s: %d points, left out %v", path, len(p.Points), p.LeftOut)
		}
	}
}

// The main job and the small one run on a machine without a GPU.
func TestMainJobWithoutGPU(t *testing.T) {
	for path, want := range map[string]struct{ sizes, least, most int64 }{
		"../../configs/fft.json":       {8, 64, 1 << 20},
		"../../configs/fft-small.json": {1, 256, 256},
	} {
		_, p := planned(t, path, plan.Machine{NoGPU: "none here"})
		sizes := map[int64]int{}
		least, most := int64(1<<62), int64(0)
		for _, x := range p.Points {
			n := x.Params.Int("N")
			least, most = min(least, n), max(most, n)
			if x.Skip == "" {
				sizes[n]++
			}
		}
		if int64(len(sizes)) != want.sizes || least != want.least || most != want.most {
			t.Errorf("%s: sizes from %d to %d that run: %v", path, least, most, sizes)
		}
		for n, versions := range sizes {
			if versions < 2 { // reference and stockham need no library
				t.Errorf("%s: N = %d runs on %d versions", path, n, versions)
			}
		}
		if len(p.LeftOut) != 1 {
			t.Errorf("%s: left out %q, want one line for the GPU versions", path, p.LeftOut)
		}
	}
}
