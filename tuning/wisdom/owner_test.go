package wisdom

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/internal/trust"
)

// Wisdom becomes macros of kernels: the file that nobody named must be nobody
// else's. A folder that cannot be entered holds none.
func TestDefaultWisdomOfOthers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	path := filepath.Join(dir, "bench", "wisdom.json")
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"wisdom_format": 1}`), 0o644); err != nil {
		t.Fatal(err)
	}
	f := &framework.Factory{Name: "x"}
	if u, err := OpenFor("", f, nil, ""); u == nil || err != nil {
		t.Errorf("one's own: %v, %v", u, err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if u, err := OpenFor("", f, nil, ""); !errors.Is(err, trust.ErrUntrusted) {
		t.Errorf("what all can write: %v, %v", u, err)
	}
	if u, err := OpenFor(path, f, nil, ""); u == nil || err != nil {
		t.Errorf("where it is named: %v, %v", u, err)
	}
	t.Setenv("XDG_CONFIG_HOME", path)
	// Root has that of the machine then, where a search of root's may have kept something.
	if u, err := OpenFor("", f, nil, ""); u != nil && !trust.Self().IsRoot() || err != nil {
		t.Errorf("where no folder can be: %v, %v", u, err)
	}
}
