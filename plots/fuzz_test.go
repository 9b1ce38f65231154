package plots

import (
	"io"
	"path/filepath"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/test/damage"
)

// FuzzFigures: a run with one file changed is refused in a line, or is drawn, as SVG alone: PNG
// and PDF are made of the same figures.
func FuzzFigures(f *testing.F) {
	dir := damage.Copy(f, "../results/h100-energy", filepath.Join(f.TempDir(), "r"))
	dir.Seeds(f, 1)
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		damage.CheckMemory(t, 512<<20+4000*len(text), func() {
			run, err := record.Read(dir.Dir())
			if damage.CheckError(t, err); err != nil {
				return
			}
			all, err := figuresIn(run, dir.Dir())
			if damage.CheckError(t, err); err != nil {
				return
			}
			for i := range all {
				if _, err := (rendered{all[i], "svg", Screen}).WriteTo(io.Discard); err != nil {
					t.Error(err)
				}
			}
		})
	})
}
