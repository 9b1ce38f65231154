package safefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/internal/trust"
)

// broken writes some of its content and then fails.
type broken struct{ err error }

func (b broken) WriteTo(w io.Writer) (int64, error) {
	n, _ := io.WriteString(w, "ne")
	return int64(n), b.err
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteReplacesWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	for _, want := range []string{"old\n", "new and longer\n"} {
		if err := Write(path, strings.NewReader(want)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
	full := &os.PathError{Op: "write", Path: "temporary", Err: errors.New("disk full")}
	if err := Write(path, broken{full}); err == nil || err.Error() != "write "+path+": disk full" {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "new and longer\n" {
		t.Errorf("a failed write left %q", got)
	}
	if names := entries(t, dir); len(names) != 1 {
		t.Errorf("left behind: %q", names)
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(plain)
	if got, _ := os.Stat(path); got.Mode() != want.Mode() {
		t.Errorf("mode %v, an ordinary file has %v", got.Mode(), want.Mode())
	}
	missing := filepath.Join(dir, "missing", "a.csv")
	if err := Write(missing, strings.NewReader("")); !errors.Is(err, os.ErrNotExist) || strings.Count(err.Error(), "missing") != 1 {
		t.Errorf("error %v", err)
	}
	if err := SyncFolder(filepath.Dir(missing)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := SyncFolder(dir); err != nil {
		t.Error(err)
	}
}

// Locks are of the open file, so that two files of one process are as good as
// two processes.
func TestLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	if err := TryLock(first); err != nil {
		t.Fatal(err)
	}
	if err := TryLock(second); !errors.Is(err, ErrLocked) {
		t.Errorf("error %v", err)
	}
	locked := make(chan error)
	go func() { locked <- Lock(second) }()
	select {
	case err := <-locked:
		t.Fatalf("Lock did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	if err := <-locked; err != nil {
		t.Error(err)
	}
	if err := TryLock(open()); !errors.Is(err, ErrLocked) {
		t.Errorf("Lock took no lock: %v", err)
	}
	second.Close()
	if err := TryLock(second); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("a closed file: %v", err)
	}
}

// Another user who may write to a folder may plant links there.
func TestLinksAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	victim, link := filepath.Join(dir, "victim"), filepath.Join(dir, "link")
	if err := os.WriteFile(victim, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, link); err != nil {
		t.Fatal(err)
	}
	if f, err := Open(link, os.O_CREATE); err == nil || err.Error() != link+" is a link: it is not followed, remove it" {
		t.Errorf("opened %v, %v", f, err)
	}
	if err := Write(link, strings.NewReader("new")); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "old" {
		t.Errorf("the link's target is %q, %v", text, err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "pipe"), 0); err == nil || !strings.Contains(err.Error(), "not an ordinary file") {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

// A killed process leaves its temporary file, which the next to write removes.
func TestStaleTemporaryFilesGo(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * staleAfter)
	for name, when := range map[string]time.Time{".a.csv123": old, ".a.csv9223372036854775807": old, ".a.csv7": time.Now(), ".a.csv.gz5": old, ".a.csv-note": old} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(filepath.Join(dir, "a.csv"), strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if got, want := entries(t, dir), []string{".a.csv-note", ".a.csv.gz5", ".a.csv7", "a.csv"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
}

func TestMkdirAll(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if err := MkdirAll(filepath.Join(dir, "a", "b") + "/"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("none", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "good")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a/b/c": "", "good/x": "",
		"file": "file is a file; want a folder", "file/a": "file is a file; want a folder",
		"link": "link is a link to none, which is not there", "link/a": "link is a link to none, which is not there",
	} {
		err := MkdirAll(filepath.Join(dir, name))
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != filepath.Join(dir, want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What root makes in a folder of the user who called sudo must not be in that
// user's way.
func TestCallerOfSudoOwnsWhatIsMade(t *testing.T) {
	if os.Geteuid() != 0 {
		return // and could not give it away
	}
	home := t.TempDir()
	const caller = 54321
	if err := os.Chown(home, caller, caller); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SUDO_UID", "54321")
	t.Setenv("SUDO_GID", "54321")
	results := filepath.Join(home, "results", "fft")
	if err := MkdirAll(results); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(results, "a.csv"), strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	f, err := Open(filepath.Join(results, "journal"), os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for _, name := range []string{"results", "results/fft", "results/fft/a.csv", "results/fft/journal"} {
		if info, err := os.Stat(filepath.Join(home, name)); err != nil || info.Sys().(*syscall.Stat_t).Uid != caller {
			t.Errorf("%s is not the caller's: %+v, %v", name, info.Sys(), err)
		}
	}
}

// Root makes no folder for temporary files where others can put theirs in its place.
func TestTempFolderOfOthers(t *testing.T) {
	root := os.Geteuid() == 0
	for name, change := range map[string]func(string) error{
		"own":      func(string) error { return nil },
		"sticky":   func(dir string) error { return os.Chmod(dir, 0o777|os.ModeSticky) },
		"writable": func(dir string) error { return os.Chmod(dir, 0o777) },
		"another's": func(dir string) error {
			if !root { // who alone can give it away
				return nil
			}
			return os.Chown(dir, 54321, 54321)
		},
	} {
		dir := t.TempDir()
		if err := change(dir); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TMPDIR", dir)
		_, err := TempFolder("x-")
		if good := !root || name == "own" || name == "sticky"; good != (err == nil) || !good && !(errors.Is(err, trust.ErrUntrusted) && strings.HasSuffix(err.Error(), "set TMPDIR to one that others cannot")) {
			t.Errorf("%s: %v", name, err)
		}
		if left := entries(t, dir); err != nil && len(left) > 0 {
			t.Errorf("%s: %q are left", name, left)
		}
	}
}
