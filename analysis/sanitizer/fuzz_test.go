package sanitizer

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzParse: a log of any content has causes, each once and counted, in a line each.
func FuzzParse(f *testing.F) {
	logs, err := filepath.Glob("testdata/*.log")
	if err != nil || len(logs) == 0 {
		f.Fatal(logs, err)
	}
	for _, name := range logs {
		log, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for seed := range 4 {
			f.Add(log, uint64(seed))
		}
	}
	f.Fuzz(func(t *testing.T, log []byte, seed uint64) {
		log = damage.Change(seed, "x.log", log)
		damage.CheckMemory(t, 8<<20+4000*len(log), func() {
			for _, tool := range []string{"memcheck", Oclgrind} {
				reports, failure := Parse(tool, string(log))
				seen := map[[3]string]bool{}
				for _, r := range reports {
					key := [3]string{r.Kernel, r.Place, cause(r.What)}
					if r.Count < 1 || r.What == "" || seen[key] {
						t.Errorf("%+v", r)
					}
					seen[key] = true
				}
				if len(reports) > len(log) || len(failure) > len(log) {
					t.Errorf("%d reports of %d bytes", len(reports), len(log))
				}
			}
		})
	})
}
