// Package ptx executes the kernels of every algorithm from their PTX, on the CPU, and verifies their
// answers: the executed kernels then do what a GPU would do.
package ptx

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/tuning/analytical"
)

// devices are those whose code is executed, with how many of the smaller half of an
// algorithm's verification problems: an executed thread is many thousand times as slow as
// a GPU's.
var devices = map[string]int{"h200": 2, "jetson-tx1": 1}

func device(t *testing.T, id string, options ...trace.Option) (*trace.Device, gpu.Facts) {
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
			for i, p := range problems {
				problems[i] = framework.Values{}
				for _, x := range f.Params {
					problems[i][x.Name] = x.Default
				}
				maps.Copy(problems[i], p)
			}
			ran := map[string]int{}
			for _, v := range f.Versions {
				if v.Processor != framework.GPU || v.Peer || !v.Takes(false) {
					continue
				}
				list := smaller(slices.DeleteFunc(slices.Clone(problems), func(p framework.Values) bool { return v.Supports != nil && v.Supports(p, facts) != nil }))
				for n := 0; n < len(list); n += (len(list) + most - 1) / most {
					executed, err := answer(dev, f, v, list[n], facts)
					if err != nil && (strings.Contains(err.Error(), "not executed") || strings.Contains(err.Error(), "cooperative")) {
						t.Logf("%s %s %s %v: %v", id, f.Name, v.Name, list[n], err)
						break // the others of this version would not be either
					}
					if err != nil {
						t.Errorf("%s %s %s %v: %v", id, f.Name, v.Name, list[n], err)
					} else if executed {
						ran[v.Name]++
					}
				}
			}
			t.Logf("%s %s: %v", id, f.Name, ran)
			if len(ran) == 0 {
				t.Errorf("%s: no version of %s was executed", id, f.Name)
			}
		}
	}
}

// smaller are the problems whose numbers' product is at most the median, ascending.
func smaller(problems []framework.Values) []framework.Values {
	size := func(p framework.Values) float64 {
		product := 1.0
		for _, v := range p {
			if v.Kind() == framework.Int {
				product *= float64(v.Int())
			}
		}
		return product
	}
	if len(problems) == 0 {
		return nil
	}
	var sizes []float64
	for _, p := range problems {
		sizes = append(sizes, size(p))
	}
	slices.Sort(sizes)
	list := slices.DeleteFunc(slices.Clone(problems), func(p framework.Values) bool { return size(p) > sizes[(len(sizes)-1)/2] })
	slices.SortStableFunc(list, func(p, q framework.Values) int { return cmp.Compare(size(p), size(q)) })
	return list
}

type wrong struct{ framework.Check }

func (w wrong) Error() string { return w.Metric + ": " + w.Where }

// answer executes a version and verifies its answer, unless its defaults are not valid for
// the problem.
func answer(d gpu.Device, f *framework.Factory, v framework.Version, params framework.Values, facts gpu.Facts) (executed bool, err error) {
	tunables := framework.Values{}
	if v.Defaults != nil {
		tunables = v.Defaults(params, facts)
	}
	if v.Valid != nil && v.Valid(params, tunables, facts) != nil {
		return false, nil
	}
	p, err := f.NewProblem(framework.Env{Seed: 1, Workers: runtime.GOMAXPROCS(0)}, params)
	if err != nil {
		return false, err
	}
	defer p.Close()
	alg, err := v.New(framework.Env{Seed: 1, Workers: 2, Device: d}, p, tunables)
	if err != nil {
		return false, err
	}
	defer alg.PostRun()
	if err := alg.PreRun(); err != nil {
		return false, err
	}
	if err := alg.Run(); err != nil {
		return false, err
	}
	checks, err := alg.Verify()
	if err != nil {
		return false, err
	}
	for _, c := range checks {
		if !c.OK() {
			return false, wrong{c}
		}
	}
	return true, nil
}
