package command

import (
	"testing"

	"bench/algorithms"
	"bench/framework"
	"bench/framework/config"
	"bench/framework/plan"
)

// Every GPU version that is not a library's has a problem to be counted at.
func TestCountedPointsOfEveryVersion(t *testing.T) {
	for _, f := range algorithms.All() {
		base := &config.Config{Path: "verify", Algorithm: f.Name, Prefix: f.Name, Measure: config.DefaultMeasure()}
		points, err := countedPoints(f, base, plan.Machine{Processor: "GPU", Device: "cuda:0", GPU: plan.AnyGPU()})
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]string{}
		for _, p := range points {
			have[p.Version] = pointText(p)
			t.Log(p.Key())
		}
		for _, v := range f.Versions {
			if v.Processor == framework.GPU && !v.Peer && have[v.Name] == "" {
				t.Errorf("%s %s has no point", f.Name, v.Name)
			}
		}
	}
}
