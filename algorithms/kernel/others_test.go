package kernel

import (
	"path/filepath"
	"testing"

	"example.org/bench/framework/algorithmtest"
)

// What kernels of others use is right in the simulator. The configs are for a GPU too, whose answers are held against the same
// functions: bench verify algorithms/kernel/testdata/others/*.json.
func TestOthers(t *testing.T) {
	paths, err := filepath.Glob("testdata/others/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, len(paths))
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f := factory(t, path)
			if a := built(t, path); a.def.Verify.None != "" {
				if _, _, err := algorithmtest.Try(f, device(t), f.Versions[0].Name, nil, nil); err != nil {
					t.Error(err)
				}
				return
			}
			algorithmtest.Solve(t, f, device(t), f.Versions[0].Name, nil, nil)
		})
	}
	compiles(t, "testdata/others/inline.json", "sm_90")
}
