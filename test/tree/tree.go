// Package tree unpacks the files of a board for tests.
package tree

import (
	_ "embed"
	"io/fs"
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

// Hasten has the INA3221 chips of a tree average over 0.84 ms (NVIDIA's driver) or 54 ms (Linux's), as a user may
// set them: a measurement of power then takes as long as its window, not the seconds of averages that are long or
// not known, in which the measured program keeps every processor busy.
func Hasten(t testing.TB, root string) {
	t.Helper()
	chips := 0
	set := func(folder string, settings map[string]string) {
		t.Helper()
		chips++
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range settings {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(root, "sys/devices"), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && strings.HasPrefix(e.Name(), "iio:device"):
			set(filepath.Join(filepath.Dir(path), "of_node"), map[string]string{"ti,trigger-config": "\x00\x00\x70\x03", "ti,continuous-config": "\x00\x00\x70\x03"})
		case !e.IsDir() && e.Name() == "samples":
			set(filepath.Dir(path), map[string]string{"samples": "64\n", "update_interval": "54\n"})
		}
		return nil
	})
	if err != nil || chips == 0 {
		t.Fatalf("%d chips, %v", chips, err)
	}
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
