package engine

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A worker's folder that cannot be removed is named, once.
func TestFolderThatIsLeftIsNamed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := newScratch()
	kept := filepath.Join(s.path, "kept")
	if err := os.MkdirAll(filepath.Join(kept, "file"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(kept, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(kept, 0o755) //nolint:errcheck // so that the test's folder can go
	if os.Geteuid() == 0 {
		// Root may change any folder: to files, another user does this.
		const other = 54321
		for _, path := range []string{dir, s.path, kept} {
			if err := os.Chown(path, other, other); err != nil {
				t.Fatal(err)
			}
		}
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := unix.Setfsuid(other); err != nil {
			t.Fatal(err)
		}
		defer unix.Setfsuid(0) //nolint:errcheck // it was so before
	}
	s.remove()
	lines := Left()
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "the worker's folder "+s.path+" is left: ") || !strings.Contains(lines[0], "permission denied") {
		t.Errorf("%q", lines)
	}
	if again := Left(); again != nil {
		t.Errorf("%q", again)
	}
}
