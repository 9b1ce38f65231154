package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// The reason names what is missing and how to get it.
func TestToolkitHeaders(t *testing.T) {
	root := t.TempDir()
	nvcc := filepath.Join(root, "bin", "nvcc")
	header := filepath.Join(root, "targets", "any", "include", "cccl", "cub", "device", "device_scan.cuh")
	for _, path := range []string{nvcc, header} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	k := &toolkit{nvcc: nvcc, includes: includeFolders(nvcc)}
	if err := k.header("cub/device/device_scan.cuh"); err != nil {
		t.Error(err)
	}
	if err := k.header("cub/device/device_segmented_scan.cuh"); err == nil || !strings.Contains(err.Error(), "device_segmented_scan.cuh") {
		t.Errorf("a header that is not there: %v", err)
	}
}

func TestCUBSupports(t *testing.T) {
	for _, c := range []struct {
		version  string
		n, batch int64
		good     bool
	}{
		{"cub", 1000, 1, true}, {"cub", 1000, 2, false},
		{"cub_bykey", 64, 3, true}, {"cub_bykey", 65, 3, false},
		{"cub_calls", 65, 3, true}, {"cub_calls", 65, 1, false}, {"cub_calls", 64, 1 << 20, false},
		{"cub_segmented", 65, 3, true},
		{"cub_segmented", 1 << 28, 8, false},
	} {
		v := Factory().VersionOn(c.version, framework.GPU)
		err := v.Supports(setting(c.n, c.batch, "f32", "inclusive"), gpu.Facts{})
		if (err == nil) != c.good {
			t.Errorf("%s N %d batch %d: %v", c.version, c.n, c.batch, err)
		}
	}
}

// A failed call of CUB is an error with the version's name and CUDA's message.
func TestCUBFails(t *testing.T) {
	c := &cubRun{p: testProblem(t, setting(64, 1, "f32", "inclusive")).(input), kind: cubKind{name: "cub"},
		scan:    func(uintptr, *uint64, uintptr, uintptr, int64, int64, uintptr) int32 { return 2 },
		message: func(code int32) string { return map[int32]string{2: "out of memory"}[code] }}
	if err := c.Run(); err == nil || err.Error() != "cub: out of memory" {
		t.Errorf("error %v", err)
	}
}
