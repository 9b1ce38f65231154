package command

import (
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

// Every GPU version that is not a library's has a problem to be counted at.
func TestCountedPointsOfEveryVersion(t *testing.T) {
	for _, f := range algorithms.All() {
		x, err := experiment.Open(t.Context(), experiment.Named(f), experiment.Options{Processor: "GPU", Facts: plan.AnyGPU(), For: experiment.Profile})
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
		have := map[string]string{}
		for _, p := range x.Plan.Points {
			have[p.Version] = p.Settings()
			t.Log(p.Key())
		}
		for _, v := range f.Versions {
			if v.Processor == framework.GPU && !v.Peer && v.Takes(false) && have[v.Name] == "" {
				t.Errorf("%s %s has no point", f.Name, v.Name)
			}
		}
	}
}

func TestCountsAreOfAGPU(t *testing.T) {
	if status, _, errOut := runIn(t, "verify", "--counts", "--device", "sim", "scan"); status != exitUsage || !strings.Contains(errOut, "on a GPU") {
		t.Errorf("status %d, %q", status, errOut)
	}
}
