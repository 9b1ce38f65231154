package search

import (
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzFinished: a search's folder with one file changed is refused in a line, or has
// trials that have as many values as their spaces.
func FuzzFinished(f *testing.F) {
	dir := damage.Copy(f, "../../results/h100-tune-front", filepath.Join(f.TempDir(), "r"))
	dir.Seeds(f, 12)
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		damage.CheckMemory(t, 64<<20+4000*len(text), func() {
			r, err := Read(dir.Dir())
			damage.CheckError(t, err)
			if err != nil {
				return
			}
			trials, err := r.Trials(dir.Dir())
			damage.CheckError(t, err)
			for i := range trials {
				for _, row := range trials[i] {
					if len(row.Values) != len(r.Tasks[i].Space) {
						t.Errorf("%d values of %d tunables", len(row.Values), len(r.Tasks[i].Space))
					}
				}
			}
			_, err = ReadFinished(dir.Dir())
			damage.CheckError(t, err)
		})
	})
}
