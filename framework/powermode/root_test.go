package powermode

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/trust"
	"example.org/bench/test/tree"
)

// Restoring writes what modes set and nothing else, whatever the note says.
func TestRestoreLeavesOtherFilesAlone(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	victim := filepath.Join(filepath.Dir(root), "victim")
	for _, name := range []string{"../victim", "../" + filepath.Base(filepath.Dir(root)) + "/victim", "etc/nvpmodel.conf", victim} {
		path := filepath.Join(root, name)
		had, _ := os.ReadFile(path)
		s, err := n.State()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(victim, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		s.Mode = "0"
		s.Files[name] = "evil"
		if err := n.Restore(s); err == nil || !strings.Contains(err.Error(), "nvpmodel.conf does not name "+name) && name != victim {
			t.Errorf("%s: error %v", name, err)
		}
		if now, _ := os.ReadFile(path); name == "etc/nvpmodel.conf" && string(now) != string(had) {
			t.Errorf("%s is overwritten", name)
		}
		if now, _ := os.ReadFile(victim); string(now) != "old" {
			t.Errorf("%s: the victim is overwritten", name)
		}
		if m, err := n.Current(); err != nil || m.ID != "3" {
			t.Errorf("%s: mode %s, %v; want it unswitched", name, m.ID, err)
		}
	}
}

// A folder in PATH may be anybody's: root takes the usual nvpmodel before it, and
// none that others can change.
func TestRootsNvpmodel(t *testing.T) {
	usual, inPath := filepath.Join(tree.Bin(t), "nvpmodel"), tree.Bin(t)
	t.Setenv("PATH", inPath)
	user := trust.User{UID: 54321, GID: 54321}
	if got, err := findProgram(user, usual); err != nil || got != filepath.Join(inPath, "nvpmodel") {
		t.Errorf("an ordinary user's: %s, %v", got, err)
	}
	if got, err := findProgram(trust.User{}, usual); trust.Self().IsRoot() && (err != nil || got != usual) {
		t.Errorf("root's: %s, %v", got, err)
	}
	if err := os.Chmod(inPath, 0o777); err != nil {
		t.Fatal(err)
	}
	if got, err := findProgram(trust.User{}, filepath.Join(inPath, "none")); !errors.Is(err, trust.ErrUntrusted) {
		t.Errorf("root's, where others can write: %s, %v", got, err)
	}
}

// As root nvpmodel.conf names what is written, and must be nobody else's.
func TestRootsConf(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	if err := os.Chmod(filepath.Join(root, "etc/nvpmodel.conf"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := n.Allowed(); errors.Is(err, trust.ErrUntrusted) != trust.Self().IsRoot() {
		t.Errorf("a conf that all can write: %v", err)
	}
}

// Where the path of nvpmodel.conf could not be looked at when the state was taken, the
// note has the file's other one.
func TestRestoreByEitherPath(t *testing.T) {
	n, root := board(t, "jetson-tx2-l4t28")
	before := snapshot(t, root)
	s, err := n.State()
	if err != nil {
		t.Fatal(err)
	}
	usual, other := "sys/devices/17000000.gp10b/devfreq/17000000.gp10b/", n.files.GPUFolder()
	for _, name := range []string{"min_freq", "max_freq"} {
		content, ok := s.Files[usual+name]
		if !ok {
			t.Fatalf("the state has no %s: %v", usual+name, s.Files)
		}
		delete(s.Files, usual+name)
		s.Files[filepath.Join(other, name)] = content
	}
	maxq, _ := lookUp(n.Modes(), "MAXQ")
	if err := n.Set(maxq); err != nil {
		t.Fatal(err)
	}
	if err := n.Restore(s); err != nil {
		t.Error(err)
	}
	if d := differences(before, snapshot(t, root)); d != nil {
		t.Errorf("not restored: %s", strings.Join(d, "\n"))
	}
}
