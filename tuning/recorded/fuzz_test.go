package recorded

import (
	"os"
	"path/filepath"
	"testing"

	"bench/test/damage"
)

// FuzzManifest: a manifest of any content is refused in a line, or a space beside it is opened by
// each of its entries or refused in a line.
func FuzzManifest(f *testing.F) {
	const good = `{"s": {"file": "s.csv", "kernel": "k", "device": "d", "problem_size": [1, 2], "parameters": {"a": [1, 2], "b": ["x", "y"]}, "constraints": ["a <= 2"], "n_configs": 4, "n_valid": 3, "n_invalid": 1, "optimum_time_ms": 0.25}}`
	for seed := range 60 {
		f.Add([]byte(good), uint64(seed))
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.csv"), []byte("a,b,time_ms,status\n1,x,0.5,valid\n1,y,0.75,valid\n2,x,,invalid\n2,y,0.25,valid\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "manifest.json")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if err := os.WriteFile(path, damage.Change(seed, path, text), 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 16<<20+4000*len(text), func() {
			m, err := ReadManifest(path)
			if damage.CheckError(t, err); err != nil {
				return
			}
			for name, e := range m {
				if e == nil {
					t.Fatalf("%s has no entry", name)
				}
				r, err := Open(filepath.Join(dir, "s.csv"), m)
				if damage.CheckError(t, err); err == nil && r.Space.Len() != len(r.Costs) {
					t.Errorf("%d points, %d costs", r.Space.Len(), len(r.Costs))
				}
			}
		})
	})
}
