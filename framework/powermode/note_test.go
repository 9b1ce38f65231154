package powermode

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/internal/trust"
)

func TestNoteOutlivesItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.json")
	if j, err := LeftBehind(path); j != nil || err != nil {
		t.Errorf("without a note: %v, %v", j, err)
	}
	want := State{Control: "nvpmodel", Root: "/", Mode: "3", Files: map[string]string{"sys/x": "1"}}
	j, err := CreateNote(path, want)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LeftBehind(path); !errors.Is(err, ErrBusy) {
		t.Errorf("while its process lives: %v, want %v", err, ErrBusy)
	}
	if _, err := CreateNote(path, want); !errors.Is(err, ErrBusy) {
		t.Errorf("a second note: %v, want %v", err, ErrBusy)
	}
	j.Release() // as the kernel does when the process ends
	left, err := LeftBehind(path)
	if err != nil || left == nil || !reflect.DeepEqual(left.State, want) {
		t.Fatalf("left behind: %+v, %v, want %+v", left, err, want)
	}
	if err := left.Remove(); err != nil {
		t.Error(err)
	}
	if j, err := LeftBehind(path); j != nil || err != nil {
		t.Errorf("after its removal: %v, %v", j, err)
	}
}

// A note is written whole or not at all: a damaged one is kept and named. What is
// not a regular file must not block.
func TestDamagedNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.json")
	for _, text := range []string{"", `{"control":"nvp`, "{}", strings.Repeat(" ", mostNote+1)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if j, err := LeftBehind(path); j != nil || !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), path) {
			t.Errorf("%.20q: %v, %v", text, j, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	for what, make := range map[string]func(string) error{
		"a pipe":            func(p string) error { return unix.Mkfifo(p, 0o644) },
		"a link":            func(p string) error { return os.Symlink("j.json", p) },
		"a link to nothing": func(p string) error { return os.Symlink("none", p) },
	} {
		path := filepath.Join(t.TempDir(), "j.json")
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		if j, err := LeftBehind(path); j != nil || !errors.Is(err, ErrUnreadable) {
			t.Errorf("%s: %v, %v", what, j, err)
		}
		if _, err := CreateNote(path, State{Control: "nvpmodel"}); err == nil {
			t.Errorf("%s is overwritten", what)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		os.Remove(path + ".lock")
		if err := make(path + ".lock"); err != nil {
			t.Fatal(err)
		}
		if _, err := CreateNote(path, State{Control: "nvpmodel"}); err == nil {
			t.Errorf("%s is the lock", what)
		}
	}
}

// Only root and the user themselves are believed, and root's note is root's to
// restore: another user is told of it.
func TestNoteOfOthers(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "j.json")
	write := func(mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(`{"control":"nvpmodel","mode":"0"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	me, stranger := trust.Self(), trust.User{UID: 54321, GID: 54321}
	write(0o666)
	if j, err := leftBehind(me, path); j != nil || !errors.Is(err, trust.ErrUntrusted) {
		t.Errorf("what all can write: %+v, %v", j, err)
	}
	write(0o644)
	_, err := leftBehind(stranger, path)
	if want := map[bool]error{true: ErrOthers, false: trust.ErrUntrusted}[me.IsRoot()]; !errors.Is(err, want) {
		t.Errorf("another user's view: %v, want %v", err, want)
	}
	if _, err := leftBehind(trust.User{}, path); !me.IsRoot() && !errors.Is(err, trust.ErrUntrusted) {
		t.Errorf("root's view of a user's note: %v", err)
	}
	if me.IsRoot() {
		if err := os.Chown(path, stranger.UID, stranger.GID); err != nil {
			t.Fatal(err)
		}
		if j, err := leftBehind(me, path); j != nil || !errors.Is(err, trust.ErrUntrusted) {
			t.Errorf("root's view of a stranger's note: %+v, %v", j, err)
		}
	}
	if _, err := leftBehind(me, filepath.Join(path, "below", "a", "file")); !errors.Is(err, ErrUnreadable) {
		t.Errorf("where no folder can be: %v", err)
	}
}

func TestNotePaths(t *testing.T) {
	root, user := trust.User{}, trust.User{UID: 1000, GID: 1000}
	for _, c := range []struct {
		user               trust.User
		given, state, home string
		want               []string
	}{
		{root, "", "/home/u/.state", "/home/u", []string{"/var/lib/bench/power-mode.json"}},
		{user, "", "", "/home/u", []string{"/home/u/.local/state/bench/power-mode.json", "/var/lib/bench/power-mode.json"}},
		{user, "", "/s", "/home/u", []string{"/s/bench/power-mode.json", "/var/lib/bench/power-mode.json"}},
		{user, "", "", "", []string{"/var/lib/bench/power-mode.json"}},
		{root, "/x/y:/x/z", "", "", []string{"/x/y/power-mode.json"}},
	} {
		t.Setenv("STATE_DIRECTORY", c.given)
		t.Setenv("XDG_STATE_HOME", c.state)
		t.Setenv("HOME", c.home)
		if got := notePaths(c.user); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// All can read root's note, even if root's umask is strict.
func TestRootsNoteIsReadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bench", "j.json")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	j, err := CreateNote(path, State{Control: "nvpmodel"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Remove()
	for p, want := range map[string]os.FileMode{filepath.Dir(path): 0o755, path: 0o644, path + ".lock": 0o600} {
		if info, err := os.Stat(p); err != nil || trust.Self().IsRoot() && info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", p, info.Mode(), err)
		}
	}
}

// CreateNote must not overwrite what an earlier process left.
func TestUnrestoredNoteIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.json")
	j, err := CreateNote(path, State{Control: "nvpmodel", Mode: "3"})
	if err != nil {
		t.Fatal(err)
	}
	j.Release()
	if _, err := CreateNote(path, State{Control: "nvpmodel", Mode: "0"}); err == nil {
		t.Error("a note that was not restored is overwritten")
	}
	left, err := LeftBehind(path)
	if err != nil || left == nil || left.State.Mode != "3" {
		t.Errorf("left behind: %+v, %v, want mode 3", left, err)
	}
}
