package damage

import (
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"example.org/bench/internal/terminal"
)

// Folder is a folder of which one file at a time is changed.
type Folder struct {
	dir     string
	names   []string
	texts   map[string][]byte // unpacked
	files   map[string][]byte
	changed string
}

// mostBytes is the largest file, unpacked, that is copied: a target is to be run often.
const mostBytes = 400_000

// Copy copies the files of a folder of results.
func Copy(t testing.TB, from, to string) *Folder {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	d := &Folder{dir: to, texts: map[string][]byte{}, files: map[string][]byte{}}
	for _, e := range entries {
		if !e.Type().IsRegular() || !slices.Contains([]string{".json", ".jsonl", ".csv", ".gz"}, filepath.Ext(e.Name())) {
			continue
		}
		file, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Unpacked(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > mostBytes {
			continue
		}
		d.names = append(d.names, e.Name())
		d.texts[e.Name()], d.files[e.Name()] = text, file
		d.write(t, e.Name(), file)
	}
	if len(d.names) == 0 {
		t.Fatalf("%s has no results", from)
	}
	return d
}

func (d *Folder) write(t testing.TB, name string, file []byte) {
	t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Dir is where the folder is.
func (d *Folder) Dir() string { return d.dir }

// Names are those of its files.
func (d *Folder) Names() []string { return d.names }

// Seeds gives a target, a function of a file's number, a text and a seed, the folder as it is,
// and so many changes of each file.
func (d *Folder) Seeds(f *testing.F, each int) {
	f.Add(uint8(0), []byte{}, uint64(0))
	for i := range d.names {
		for n := range each {
			f.Add(uint8(i), []byte{}, uint64(1+n*len(d.names)+i))
		}
	}
}

// Plant changes a file, and restores the one that was changed before: it holds text, or where
// that is empty its own, with a change made by seed. It returns the file's name.
func (d *Folder) Plant(t testing.TB, file uint8, text []byte, seed uint64) string {
	t.Helper()
	d.Restore(t)
	name := d.names[int(file)%len(d.names)]
	if len(text) == 0 {
		text = d.texts[name]
	}
	d.changed = name
	d.write(t, name, Packed(name, Change(seed, name, text)))
	return name
}

// Restore restores the file that was changed.
func (d *Folder) Restore(t testing.TB) {
	t.Helper()
	if d.changed != "" {
		d.write(t, d.changed, d.files[d.changed])
		d.changed = ""
	}
}

// mostWords is the longest error: a few lines of a terminal.
const mostWords = 8 << 10

// CheckError demands that an error, if there is one, is of one line that can be read.
func CheckError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		CheckLine(t, err.Error())
	}
}

// CheckLine demands that what is said makes no second line, and is not endless.
func CheckLine(t testing.TB, said string) {
	t.Helper()
	if terminal.HasLineEnd(said) || len(said) > mostWords || strings.TrimSpace(said) == "" {
		t.Errorf("%d bytes: %.600q; want one line", len(said), said)
	}
}

// CheckMemory demands that f takes from the heap, all together, no more than so many bytes.
func CheckMemory(t testing.TB, most int, f func()) {
	t.Helper()
	before := allocated()
	f()
	if took := allocated() - before; took > uint64(most) {
		t.Errorf("it takes %d bytes of memory; at most %d are expected", took, most)
	}
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
