package kernel

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim"
)

func polybench(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../../configs/polybench/*.json")
	if err != nil || len(list) != 11 {
		t.Fatalf("%d configs: %v, %v", len(list), list, err)
	}
	return list
}

// Every kernel gives the right answer at sizes that fill no whole block, at its
// default block and at others, without races in shared memory.
func TestPolyBench(t *testing.T) {
	d, err := sim.Open(3, sim.Checks())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, path := range polybench(t) {
		f := factory(t, path)
		for i, p := range f.Verification("sim") {
			x, y := []int{1, 3, 7}[i%3], []int{1, 5, 32}[i%3]
			blocks := []framework.Values{nil, framework.IntValues("X", x, "Y", y)}
			for _, tunables := range blocks[min(i, 1):] { // the default once
				checks, work, err := algorithmtest.Try(f, d, "naive", p, tunables)
				if err != nil || len(checks) == 0 || !algorithmtest.Good(checks) {
					t.Errorf("%s at %v, %v: %v, %v", f.Name, p, tunables, checks, err)
				}
				if work.NominalFLOPs <= 0 || work.NominalBytes <= 0 || work.LoadBytes <= 0 || work.StoreBytes <= 0 {
					t.Errorf("%s: %+v", f.Name, work)
				}
			}
		}
		v := f.Version("naive")
		if v.Valid(params(f, nil), framework.Values{"X": framework.IntValue(64), "Y": framework.IntValue(32)}, d.Facts()) == nil {
			t.Errorf("%s: a block of 2048 threads is valid", f.Name)
		}
	}
}

// The study's configs are those of PolyBench with more block sizes.
func TestStudyRunsTheSameKernels(t *testing.T) {
	definitionOf := func(path string) definition {
		d := built(t, path).def
		d.Source = sources{filepath.Base(d.Source[0])}
		if d.Verify.C != nil {
			d.Verify.C.Source = filepath.Base(d.Verify.C.Source)
		}
		for i := range d.Tunables {
			if n := len(d.Tunables[i].Values); strings.Contains(path, "iterml") && n != 20 {
				t.Errorf("%s: %d values of %s", path, n, d.Tunables[i].Name)
			}
			d.Tunables[i].Values = nil
		}
		return d
	}
	for _, path := range polybench(t) {
		study := filepath.Join("../../configs/iterml", filepath.Base(path))
		if a, b := definitionOf(path), definitionOf(study); !reflect.DeepEqual(a, b) {
			t.Errorf("%s is another definition than %s", study, path)
		}
	}
}
