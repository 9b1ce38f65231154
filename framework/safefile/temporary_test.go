package safefile

import (
	"os"
	"path/filepath"
	"testing"
)

// What Windows writes files by replaces a file whole, and leaves nothing where it fails.
func TestTemporary(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first", "second, in its place"} {
		f, err := newTemporary(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.file().WriteString(text); err != nil {
			t.Fatal(err)
		}
		if err := f.CloseAtomicallyReplace(); err != nil {
			t.Fatal(err)
		}
		if err := f.Cleanup(); err != nil {
			t.Error(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("%q, %v", b, err)
		}
	}
	left, err := newTemporary(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := left.Cleanup(); err != nil {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	failing, err := newTemporary(filepath.Join(dir, "folder"))
	if err != nil {
		t.Fatal(err)
	}
	if failing.CloseAtomicallyReplace() == nil {
		t.Error("a file has replaced a folder")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: want the file and the folder", entries, err)
	}
}
