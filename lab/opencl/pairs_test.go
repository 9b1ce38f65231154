package opencl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The ten kernels of lab/gpu/opencl, and the one beside them, which time both interfaces on one GPU, are right by both: OpenCL's on PoCL and
// CUDA's in the simulator.
func TestTenKernels(t *testing.T) {
	const from = "../gpu/opencl"
	dir := t.TempDir()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	configs := 0
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, e.Name()), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".json" {
			continue
		}
		configs++
		if said, status := bench(t, dir, "verify", e.Name(), "--device", "sim"); status != 0 || !strings.Contains(said, " 1   0    0") {
			t.Errorf("%s by CUDA: %s", e.Name(), said)
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, e.Name()), []byte(strings.NewReplacer(`"cuda":`, `"opencl":`, `"cuda.cu"`, `"opencl.cl"`).Replace(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		if said, status := bench(t, dir, "verify", e.Name(), "--device", "opencl:0"); status != 0 || !strings.Contains(said, " 2   0    0") {
			t.Errorf("%s by OpenCL: %s", e.Name(), said)
		}
	}
	if configs != 11 {
		t.Errorf("%d configs, want 11", configs)
	}
}
