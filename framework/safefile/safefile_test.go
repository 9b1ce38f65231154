package safefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
