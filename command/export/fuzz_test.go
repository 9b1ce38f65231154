package export

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/perf/benchfmt"

	"example.org/bench/framework/record"
	"example.org/bench/test/damage"
)

// FuzzExport: a run with one file changed is refused in a line, or is exported to each format.
// benchstat's reader reads its format without a complaint.
func FuzzExport(f *testing.F) {
	dir := damage.Copy(f, "../../results/h100-counters", filepath.Join(f.TempDir(), "r"))
	dir.Seeds(f, 1)
	out := f.TempDir()
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		run, err := record.Read(dir.Dir())
		if damage.CheckError(t, err); err != nil {
			return
		}
		for _, to := range Formats() {
			damage.CheckMemory(t, 128<<20+4000*len(text), func() {
				written, _, err := Write(dir.Dir(), run, to, out, false)
				if damage.CheckError(t, err); err != nil || to != "benchfmt" {
					return
				}
				in, err := os.Open(written)
				if err != nil {
					t.Fatal(err)
				}
				defer in.Close()
				for r := benchfmt.NewReader(in, written); r.Scan(); {
					if wrong, is := r.Result().(*benchfmt.SyntaxError); is {
						t.Errorf("%s: %v", to, wrong)
					}
				}
			})
		}
	})
}
