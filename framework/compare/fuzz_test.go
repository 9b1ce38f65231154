package compare

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzRuns: a run with one file changed, held against itself as it was, is refused in a line, or
// is compared in words, as CSV and as JSON.
func FuzzRuns(f *testing.F) {
	const published = "../../results/h200-latency-fft-256"
	dir := damage.Copy(f, published, filepath.Join(f.TempDir(), "r"))
	dir.Seeds(f, 1)
	gate := 0.05
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		damage.CheckMemory(t, 512<<20+4000*len(text), func() {
			runs, err := ReadRuns([]string{published, dir.Dir()})
			damage.CheckError(t, err)
			if err != nil {
				return
			}
			for _, o := range []Options{{By: ByRun, Gate: &gate}, {By: ByVersion}, {By: ByDevice}} {
				c, err := New(runs, o)
				damage.CheckError(t, err)
				if err != nil {
					continue
				}
				if c.Text() == "" || c.Markdown() == "" || c.Short(false, 40) == "" {
					t.Error("it is not told")
				}
				if _, err := csvOf(c); err != nil {
					t.Error(err)
				}
				if _, err := json.Marshal(c); err != nil {
					t.Error(err)
				}
			}
		})
	})
}
