package export

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
)

// TestPack: an archive is read as the folder it is of, is the same each time, and leaves figures and journals out.
func TestPack(t *testing.T) {
	const published = "../../results/h200-latency-fft-256"
	dir := filepath.Join(t.TempDir(), "fft")
	if err := os.CopyFS(dir, os.DirFS(published)); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"figures/time.svg", "figures/time.png", record.JournalFile, "notes.txt"} {
		at := filepath.Join(dir, more)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte("x\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var packed [][]byte
	for _, out := range []string{t.TempDir(), t.TempDir()} {
		file, loss, err := Write(dir, nil, Zip, out, false)
		if err != nil {
			t.Fatal(err)
		}
		if want := "left out: 2 figures, which bench plot draws; 1 journal"; loss != want {
			t.Errorf("%q, want %q", loss, want)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		packed = append(packed, text)
		names := bounded.Names(file)
		for _, want := range []string{"run.json", "notes.txt"} {
			if !slices.Contains(names, filepath.Join(file, want)) {
				t.Errorf("%q lacks %s", names, want)
			}
		}
		for _, n := range names {
			if strings.Contains(n, "figures") || strings.Contains(n, "journal") {
				t.Errorf("%s is in it", n)
			}
		}
		var tables [2]bytes.Buffer
		for i, from := range []string{published, file} {
			run, err := record.Read(from)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := record.ReadSamples(from, run); err != nil {
				t.Fatal(err)
			}
			table, err := run.Tidy("fft")
			if err != nil {
				t.Fatal(err)
			}
			if err := writeCSV(&tables[i], table); err != nil {
				t.Fatal(err)
			}
		}
		if tables[0].Len() < 1000 || !bytes.Equal(tables[0].Bytes(), tables[1].Bytes()) {
			t.Errorf("the archive's table differs from the folder's: %d and %d bytes", tables[0].Len(), tables[1].Len())
		}
	}
	if !bytes.Equal(packed[0], packed[1]) {
		t.Error("two archives of a folder differ")
	}
	if _, _, err := Write(t.TempDir(), nil, Zip, t.TempDir(), false); err == nil || !strings.Contains(err.Error(), "holds no results; want") {
		t.Errorf("an empty folder: %v", err)
	}
}
