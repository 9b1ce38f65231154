package kernel

import (
	"path/filepath"
	"testing"

	"bench/framework"
	"bench/framework/algorithmtest"
	"bench/gpu"
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
	a := built(t, "testdata/others/inline.json")
	v := a.versions[0]
	s, err := v.unit.source(a, v, framework.Values{}, framework.Values{}, gpu.Facts{}, v.launches)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiler(t).Compile(s, "sm_90"); err != nil {
		t.Error(err)
	}
}
