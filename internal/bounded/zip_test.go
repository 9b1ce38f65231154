package bounded_test

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/internal/bounded"
	"example.org/bench/test/damage"
)

// FuzzReadZip: an archive of any content is refused in a line, or has files whose names stay in a folder, in bounded memory.
func FuzzReadZip(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"a", "b/c", "../d", "b/c"} {
		w, err := z.Create(name)
		if err != nil {
			f.Fatal(err)
		}
		w.Write(bytes.Repeat([]byte("text\n"), 1000)) //nolint:errcheck // to memory
		z.Flush()                                     //nolint:errcheck // likewise
	}
	z.Close()
	for seed := range 30 {
		f.Add(b.Bytes(), uint64(seed))
	}
	path := filepath.Join(f.TempDir(), "x.zip")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, "x.zip", text)
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 64<<20+1000*len(text), func() {
			a, err := bounded.ReadZip(path)
			damage.CheckError(t, err)
			if err != nil {
				return
			}
			for _, name := range a.Names {
				if !filepath.IsLocal(name) {
					t.Errorf("the name %q leads out of a folder", name)
				}
			}
		})
	})
}
