package sanitizer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The logs are in the form of releases 12 and 11.
func TestParse(t *testing.T) {
	for name, want := range map[string][]string{
		"memcheck": {
			"kernel oob_write: block (0,0,0), thread (0,0,0): oob_demo.cu:9: write of 4 bytes of __global__ memory, out of bounds, 33 bytes after the nearest allocation of 448 bytes (and 1 more)",
			"kernel ns::init<(int)3>: block (2,0,0), thread (31,0,0): read of 8 bytes of __shared__ memory, misaligned",
		},
		"racecheck": {
			"kernel ka_race: probe.cu:13: race of a write with a read at probe.cu:14 (2048 hazards)",
			"kernel axis: possible race of a read with a write at the same kernel (4 hazards), a write at the same kernel (5 hazards)",
		},
		"racecheck-11": {"kernel MatMulKernel: task1.cu:113: race of a write with a read at task1.cu:121 (6144 hazards)"},
		"initcheck":    {"kernel vectorAdd: block (1,0,0), thread (31,0,0): memset_error.cu:41: read of 4 bytes of __global__ memory that nothing wrote"},
		"synccheck":    {"kernel ka_divergent: block (0,0,0), thread (0,0,0): probe.cu:20: barrier error detected. Divergent thread(s) in warp (and 15 more)"},
		"clean":        nil,
		"oclgrind": { // 21.10
			"kernel sum: work-group (0,0,0), work-item (0,0,0): t.cl:19: read of 4 bytes of local memory, outside of what is allocated (and 1 more)",
			"kernel sum: work-group (0,0,0), work-item (0,0,0): t.cl:25: uninitialized value written to global memory (and 1 more)",
			"kernel sum: work-group (0,0,0): t.cl:11: only 32 out of 64 work-items executed barrier (and 1 more)",
			"kernel sum: work-group (0,0,0), work-item (1,0,0): t.cl:22: race of a write with a write at t.cl:22, in global memory (and 1 more)",
		},
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".log"))
		if err != nil {
			t.Fatal(err)
		}
		list, failure := Parse(name, string(text))
		var got []string
		for _, r := range list {
			got = append(got, r.String())
		}
		if !slices.Equal(got, want) || failure != "" {
			t.Errorf("%s: got\n%s\nwant\n%s\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"), failure)
		}
	}
	list, failure := Parse("memcheck", "========= COMPUTE-SANITIZER\n========= Error: process didn't terminate successfully\n=========     The application may have hit an error\n========= No CUDA-MEMCHECK results found\n")
	if list != nil || failure != "Error: process didn't terminate successfully" {
		t.Errorf("%v, %q", list, failure)
	}
}

func TestFind(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find("/nowhere/compute-sanitizer"); err == nil || !strings.Contains(err.Error(), "--sanitize needs NVIDIA's compute-sanitizer") {
		t.Error(err)
	}
}
