package command

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// A signal ends a verb that measures while it plans: it comes with the first of
// many points, and no version is asked about the others. (plan and validate end at
// any time.)
func TestSignalEndsPlanning(t *testing.T) {
	for name, at := range map[string]string{
		"sweep":    `"sweep_arg": {"N": {"from": 1, "to": 50000, "step": 1}}`,
		"tunables": `"tunables": {"T": {"from": 1, "to": 50000, "step": 1}}`,
	} {
		config := fileIn(t, name+".json", `{"algorithm": "toy", `+at+`}`)
		for _, args := range [][]string{
			{"run", config, "--out", t.TempDir()}, {"verify", config, "--device", "cpu"},
			{"ab", config, "--versions", "v,w"}, {"tune", config, "--device", "cpu", "--out", t.TempDir(), "--wisdom", "none"},
		} {
			if args[0] == "tune" && name == "tunables" { // has spaces of its own
				continue
			}
			ctx, cancel := context.WithCancel(t.Context())
			asked := 0
			ask := func() error {
				asked++
				cancel()
				return nil
			}
			version := framework.Version{Processor: framework.CPU, Tunables: []framework.Tunable{{Name: "T", Values: []int64{1, 2}}}}
			if name == "sweep" {
				version.Supports = func(framework.Values, gpu.Facts) error { return ask() }
			} else {
				version.Valid = func(framework.Values, framework.Values, gpu.Facts) error { return ask() }
			}
			toy := &framework.Factory{Name: "toy", Params: []framework.Param{{Name: "N", Kind: framework.Int, Default: framework.IntValue(1), Min: 1, Max: 1e6}}}
			for _, n := range []string{"v", "w"} {
				version.Name = n
				toy.Versions = append(toy.Versions, version)
			}
			var out, errOut bytes.Buffer
			a := &app{registry: framework.NewRegistry([]*framework.Factory{toy}, nil), out: &out, err: &errOut}
			status := a.run(ctx, args)
			cancel()
			if status != exitInterrupted || out.Len() > 0 || !strings.HasPrefix(errOut.String(), "bench: interrupted") {
				t.Errorf("%s of %s: status %d\n%s%s", args[0], name, status, &out, &errOut)
			}
			if asked > 2 {
				t.Errorf("%s of %s: asked %d times", args[0], name, asked)
			}
		}
	}
}
