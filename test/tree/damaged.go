package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// Damaged is a tree of which one file at a time has any content.
type Damaged struct {
	Root    string
	names   []string
	texts   map[string][]byte
	changed string
}

// Damage has the ordinary files of a tree below some folders changed.
func Damage(f *testing.F, root string, folders ...string) *Damaged {
	f.Helper()
	d := &Damaged{Root: root, texts: map[string][]byte{}}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			d.names = append(d.names, path)
			d.texts[path], err = os.ReadFile(path)
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	if len(d.names) == 0 {
		f.Fatalf("%s has no files", root)
	}
	f.Add(uint16(0), []byte{}, uint64(0))
	for i := range d.names {
		f.Add(uint16(i), []byte{}, uint64(1+i))
		for _, text := range []string{"-1\n", "9223372036854775807\n", "1e999", "x\n::error::y\n", "\x00\x00\x00\x00"} {
			f.Add(uint16(i), []byte(text), uint64(0))
		}
	}
	return d
}

// Plant changes a file, and restores the one that was changed before: it holds text, or where
// that is empty its own, with a change made by seed.
func (d *Damaged) Plant(t testing.TB, file uint16, text []byte, seed uint64) {
	t.Helper()
	if d.changed != "" {
		d.write(t, d.texts[d.changed])
	}
	d.changed = d.names[int(file)%len(d.names)]
	if len(text) == 0 {
		text = d.texts[d.changed]
	}
	d.write(t, damage.Change(seed, "x", text))
}

func (d *Damaged) write(t testing.TB, text []byte) {
	t.Helper()
	if err := os.WriteFile(d.changed, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
