package record

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/test/damage"
)

// mostRead is the memory that results of some hundred kB may take, in all: each
// file is read about twice, and a changed row may be put into words.
const mostRead = 200 << 20

// written is a folder of results of each kind, with its journal.
func written(f *testing.F) *damage.Folder {
	journal := "testdata/journals/3-every-member"
	run, err := ReadJournal(journal)
	if err != nil {
		f.Fatal(err)
	}
	from := f.TempDir()
	if err := Write(from, run); err != nil {
		f.Fatal(err)
	}
	if err := os.CopyFS(from, os.DirFS(journal)); err != nil {
		f.Fatal(err)
	}
	return damage.Copy(f, from, filepath.Join(f.TempDir(), "r"))
}

// FuzzResults: a folder with one file changed is refused in a line, or is a run that can be put
// into words, and that has the same rows when it is written and read again.
func FuzzResults(f *testing.F) {
	dir := written(f)
	dir.Seeds(f, 3)
	again := filepath.Join(f.TempDir(), "again")
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		damage.CheckMemory(t, mostRead+1000*len(text), func() {
			r, err := Read(dir.Dir())
			damage.CheckError(t, err)
			if (r == nil) == (err == nil) {
				t.Fatalf("%v and %v", r, err)
			}
			if err != nil {
				return
			}
			for _, read := range []func(string, *Run) error{
				func(dir string, r *Run) error { _, err := ReadSamples(dir, r); return err },
				func(dir string, r *Run) error { _, err := ReadPowerSamples(dir, r); return err },
				func(dir string, r *Run) error { _, err := ReadLatencies(dir, r); return err },
				func(dir string, r *Run) error { _, err := ReadKernelCounters(dir, r); return err },
			} {
				damage.CheckError(t, read(dir.Dir(), r))
			}
			for line := range strings.Lines(Table(r, false, 0)) {
				if len(line) > 64<<10 {
					t.Errorf("a line of the table has %d bytes", len(line))
				}
			}
			if err := tidyWhole(r); err != nil {
				damage.CheckError(t, err)
				return
			}
			if seed%8 == 0 { // writing takes long
				sameAgain(t, r, again)
			}
		})
	})
}

// sameAgain writes a run, reads it and writes that: both have the same rows.
func sameAgain(t *testing.T, r *Run, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	var tables [2][]byte
	for i := range tables {
		folder := safefiletest.Hold(t, filepath.Join(dir, string(rune('a'+i))))
		if err := WriteIn(folder, r); err != nil {
			damage.CheckError(t, err) // such as a prefix of two letters that the file system refuses
			return
		}
		for _, c := range r.Columns.files() {
			text, err := folder.Root().ReadFile(r.file(c.kind))
			if err != nil {
				t.Fatal(err)
			}
			tables[i] = append(tables[i], text...)
		}
		var err error
		if r, err = Read(folder.String()); err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
	}
	if !bytes.Equal(tables[0], tables[1]) {
		t.Errorf("what was written:\n%.3000s\nis when read and written again:\n%.3000s", tables[0], tables[1])
	}
}

// FuzzMerge: a folder with one file changed is merged with a whole one, or refused in a line.
func FuzzMerge(f *testing.F) {
	dir := written(f)
	dir.Seeds(f, 2)
	whole := written(f)
	out := filepath.Join(f.TempDir(), "out")
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, mostRead+1000*len(text), func() {
			m, err := Merge(PartsOf([]string{"a=" + dir.Dir(), "b=" + whole.Dir()}), out, MergeOptions{Workers: 1})
			damage.CheckError(t, err)
			if err != nil {
				return
			}
			defer m.Folder.Close()
			for _, w := range m.Notes {
				damage.CheckLine(t, w)
			}
			if _, err := Read(out); err != nil {
				t.Errorf("what was merged is not read: %v", err)
			}
		})
	})
}
