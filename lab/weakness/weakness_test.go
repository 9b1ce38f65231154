package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework/record"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/test/program"
)

// kernels is the folder of those with a weakness, where published runs name it.
const kernels = "../../test/weakness/kernels"

// ceilings are about those of an H200, of which the first three were measured
// (results/h200-fft-peers) and the others are left to the tables of package bound.
var ceilings = record.Ceilings{Copy: 4.26e12, FMA: 65e12, FMA64: 33e12}

// Every weakness is a config, and every config one.
func TestEveryWeaknessIsListed(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(kernels, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
	}
	var listed []string
	for _, p := range Planted {
		listed = append(listed, p.Name)
	}
	if !slices.Equal(names, listed) || len(names) != 20 {
		t.Errorf("%d configs %v, listed %v", len(names), names, listed)
	}
}

// modelled is whyBy of a config of the repository.
func modelled(t *testing.T, path string, of record.Ceilings, versions ...string) map[string]bound.Why {
	t.Helper()
	why, err := whyBy(path, of, 1.7e9, versions...)
	if err != nil {
		t.Fatal(err)
	}
	return why
}

// By the model's time alone, the change that mends each kernel is named among the first,
// and its mended form is named less of it.
func TestWeaknessesByTheModel(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	named := 0
	for _, p := range Planted {
		why := modelled(t, filepath.Join(kernels, p.Name+".json"), ceilings, "weak", "mended")
		for v, w := range why {
			for _, change := range []string{"occupancy", "fill-waves", "larger-grid", "fuse-launches", "independent-work", "memory-parallelism", "smaller-code"} {
				// They change nothing of what the busiest part of the GPU has to do.
				if gain := w.Gains[change]; gain*w.Share > 1.001 && gain > 1 {
					t.Errorf("%s, %s: %s promises %.3g where %s is busy for %.3g of the time", p.Name, v, change, gain, w.Uses[0].What, w.Share)
				}
			}
		}
		weak, mended := why["weak"], why["mended"]
		rank, promised := p.Named(weak)
		_, still := p.Named(mended)
		t.Logf("%s: %s, %.4g and %.4g µs by the model (×%.2f); place %d promises %.2f, then %.2f; %v", p.Name, weak.Title(), 1e6*weak.Model, 1e6*mended.Model,
			weak.Model/mended.Model, rank, promised, still, brief(weak))
		if rank == 1 || rank == 2 {
			named++
		} else {
			t.Errorf("%s: its mend is number %d of %v", p.Name, rank, brief(weak))
		}
		if still >= promised {
			t.Errorf("%s: its mend promises %.2f, and %.2f once it is done", p.Name, promised, still)
		}
	}
	t.Logf("%d named", named)
}

func brief(w bound.Why) (list []string) {
	for _, u := range w.Uses[:min(3, len(w.Uses))] {
		list = append(list, u.What+" "+percent(u.Share))
	}
	for _, c := range w.Changes {
		list = append(list, c.Name+" "+percent(c.Gain))
	}
	return list
}

func percent(x float64) string {
	return fmt.Sprintf("%.0f %%", 100*x)
}

// The kernels that judge the model are right, in the simulator, and no name is in both halves: a kernel's
// half is the parity of its name's SHA-256.
func TestUnseenKernels(t *testing.T) {
	var files []string
	for half, folder := range []string{"judging", "correcting"} {
		list, err := filepath.Glob(filepath.Join("../../test/weakness", folder, "*.json"))
		if err != nil || len(list) < 17 {
			t.Fatalf("%d kernels, %v", len(list), err)
		}
		for _, f := range list {
			if sum := sha256.Sum256([]byte(strings.TrimSuffix(filepath.Base(f), ".json"))); int(sum[0]%2) != half {
				t.Errorf("%s is of the other half", f)
			}
		}
		files = append(files, list...)
	}
	for folder, least := range map[string]int{"unseen": 24, "promises": 24, "changes": 14, "blind": 24, "blind2": 17} {
		list, err := filepath.Glob(filepath.Join("../../test/weakness", folder, "*.json"))
		if err != nil || len(list) < least {
			t.Fatalf("%d kernels in %s, %v", len(list), folder, err)
		}
		files = append(files, list...)
	}
	bench := filepath.Join(t.TempDir(), "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(bench, append([]string{"verify", "--device", "sim", "--json"}, files...)...).Output()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, text)
	}
	var verified []struct{ OK, Bad, Skipped int }
	if err := json.Unmarshal(text, &verified); err != nil || len(verified) != len(files) {
		t.Fatalf("%d results of %d, %v", len(verified), len(files), err)
	}
	for i, v := range verified {
		if v.OK == 0 || v.Bad+v.Skipped > 0 {
			t.Errorf("%s: %+v", files[i], v)
		}
	}
}
