// Package tree unpacks the files of a board for tests.
package tree

import (
	_ "embed"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Unpack writes a txtar archive, or a bundle of bench doctor, below a new temporary
// folder and returns it.
func Unpack(t testing.TB, archive string) (root string) {
	t.Helper()
	if strings.HasSuffix(archive, ".tar.gz") {
		root = t.TempDir()
		if out, err := exec.Command("tar", "-xzf", archive, "-C", root, "--exclude=_*").CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", archive, err, out)
		}
		return root
	}
	files, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	return Write(t, files)
}

// Bin returns a new temporary folder with the stand-in for nvpmodel. Root does not run a program that
// another user can change, such as the owner of this tree.
func Bin(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "nvpmodel"), nvpmodel, 0o755); err != nil {
		t.Fatal(err)
	}
	return bin
}

//go:embed bin/nvpmodel
var nvpmodel []byte

// Write is Unpack of an archive in memory. A file that starts with "-> " is a
// symbolic link; one whose name starts with an underscore is left out.
func Write(t testing.TB, archive *txtar.Archive) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "_") {
			continue
		}
		path := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, link := strings.CutPrefix(string(f.Data), "-> "); link {
			err = os.Symlink(strings.TrimSpace(target), path)
		} else {
			err = os.WriteFile(path, f.Data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}
