// Package tree unpacks the files of a board for tests.
package tree

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Unpack writes a txtar archive below a new temporary folder and returns it.
// A section that starts with "-> " is a symbolic link; one whose name starts
// with an underscore is left out.
func Unpack(t *testing.T, archive string) (root string) {
	t.Helper()
	text, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	root = t.TempDir()
	_, rest, _ := strings.Cut(string(text), "\n-- ")
	for section := range strings.SplitSeq(rest, "\n-- ") {
		name, content, ok := strings.Cut(section, " --\n")
		if !ok {
			t.Fatalf("%s: section %q has no name", archive, section)
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if target, link := strings.CutPrefix(content, "-> "); link {
			err = os.Symlink(strings.TrimSpace(target), path)
		} else {
			err = os.WriteFile(path, []byte(content+"\n"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}
