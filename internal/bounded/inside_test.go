package bounded_test

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/internal/bounded"
)

func zipped(t *testing.T, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestFilesInArchives: what is asked of a path into an archive is answered as of one into a folder.
func TestFilesInArchives(t *testing.T) {
	dir := t.TempDir()
	folder, archive := filepath.Join(dir, "x.zip.d"), filepath.Join(dir, "x.zip")
	files := map[string]string{"run.json": "{}\n", "spaces/a.csv": "N\n1\n"}
	for name, text := range files {
		at := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	zipped(t, archive, files)
	for _, at := range []string{folder, archive, archive + "/."} {
		if info, err := bounded.Stat(at); err != nil || !info.IsDir() {
			t.Errorf("%s: %v, %v, want a folder", at, info, err)
		}
		want := []string{filepath.Join(at, "run.json"), filepath.Join(at, "spaces", "a.csv")}
		if got := bounded.Names(at); !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", at, got, want)
		}
		if got := bounded.Names(filepath.Join(at, "spaces")); !slices.Equal(got, want[1:]) {
			t.Errorf("%s/spaces holds %q, want %q", at, got, want[1:])
		}
		for name, text := range files {
			path := filepath.Join(at, name)
			got, err := bounded.ReadFile(path, 100)
			info, failed := bounded.Stat(path)
			if string(got) != text || err != nil || failed != nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
				t.Errorf("%s: %q, %v, %v, %v", path, got, err, info, failed)
			}
			if _, err := bounded.ReadFile(path, 1); !errors.Is(err, bounded.ErrBeyond) {
				t.Errorf("%s: %v, want more than a byte to be too much", path, err)
			}
		}
		for _, name := range []string{"none", "run.json/none", "spaces/none", "../none"} {
			if f, err := bounded.Open(filepath.Join(at, name)); err == nil {
				t.Errorf("%s/%s is open: %s", at, name, f.Name())
			}
		}
		if _, err := bounded.Open(filepath.Join(at, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s/none: %v, want that it is not there", at, err)
		}
	}
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, text[:len(text)-30], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := bounded.Stat(archive); !errors.Is(err, bounded.ErrNoArchive) || !strings.HasPrefix(err.Error(), archive) {
		t.Errorf("a cut archive: %v", err)
	}
}
