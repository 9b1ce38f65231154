// Package ptx has the kernels of every algorithm executed from their PTX, on the CPU,
// and their answers verified: what the executed kernels do is then what a GPU would do.
package ptx

import (
	"maps"
	"runtime"
	"strings"
	"testing"

	"bench/algorithms"
	"bench/cuda"
	"bench/cuda/nvrtc"
	"bench/cuda/trace"
	"bench/framework"
	"bench/tuning/analytical"
)

// devices are those whose code is executed, with how many of an algorithm's verification
// problems: an executed thread is many thousand times as slow as a GPU's.
var devices = map[string]int{"h200": 3, "jetson-tx1": 1}

func device(t *testing.T, id string, options ...trace.Option) (*trace.Device, cuda.Facts) {
	t.Helper()
	d, err := analytical.FindDevice(id)
	if err != nil {
		t.Fatal(err)
	}
	facts := d.Facts
	facts.DriverVersion = ""
	dev, err := trace.Open(facts, 4<<30, options...)
	if err != nil {
		t.Fatal(err)
	}
	return dev, facts
}

func TestAnswersOfExecutedPTX(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for id, most := range devices {
		dev, facts := device(t, id, trace.AllBlocks())
		for _, f := range algorithms.All() {
			if f.Verification == nil {
				continue
			}
			problems := f.Verification("sim")
			step := max(1, len(problems)/most)
			ran := map[string]int{}
			for n := 0; n < len(problems); n += step {
				params := framework.Values{}
				for _, p := range f.Params {
					params[p.Name] = p.Default
				}
				maps.Copy(params, problems[n])
				problem, err := f.NewProblem(framework.Env{Seed: 1, Workers: runtime.GOMAXPROCS(0)}, params)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range f.Versions {
					if v.Processor != framework.GPU || v.Peer || v.Supports != nil && v.Supports(params, facts) != nil {
						continue
					}
					tunables := framework.Values{}
					if v.Defaults != nil {
						tunables = v.Defaults(params, facts)
					}
					if v.Valid != nil && v.Valid(params, tunables, facts) != nil {
						continue
					}
					err := answer(dev, problem, v, tunables)
					switch {
					case err != nil && (strings.Contains(err.Error(), "not executed") || strings.Contains(err.Error(), "cooperative")):
						t.Logf("%s %s %s %v: %v", id, f.Name, v.Name, problems[n], err)
					case err != nil:
						t.Errorf("%s %s %s %v: %v", id, f.Name, v.Name, problems[n], err)
					default:
						ran[v.Name]++
					}
				}
				problem.Close()
			}
			t.Logf("%s %s: %v", id, f.Name, ran)
			if len(ran) == 0 {
				t.Errorf("%s: no version of %s was executed", id, f.Name)
			}
		}
	}
}

type wrong struct{ framework.Check }

func (w wrong) Error() string { return w.Metric + ": " + w.Where }

func answer(d cuda.Device, p framework.Problem, v framework.Version, tunables framework.Values) (err error) {
	alg, err := v.New(framework.Env{Seed: 1, Workers: 2, Device: d}, p, tunables)
	if err != nil {
		return err
	}
	defer alg.PostRun()
	if err := alg.PreRun(); err != nil {
		return err
	}
	if err := alg.Run(); err != nil {
		return err
	}
	checks, err := alg.Verify()
	if err != nil {
		return err
	}
	for _, c := range checks {
		if !c.OK() {
			return wrong{c}
		}
	}
	return nil
}
