package ina3221

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/tools/txtar"

	"example.org/bench/framework/rails"
	"example.org/bench/test/tree"
)

// errnos are the errors that a fixture may ask for.
var errnos = map[string]error{"ENODATA": syscall.ENODATA, "EAGAIN": syscall.EAGAIN, "EIO": syscall.EIO, "EACCES": syscall.EACCES}

// fixture unpacks a fixture, in the txtar form that the fixtures describe, and
// returns its root and an opener that makes the reads of its section _errno
// fail.
func fixture(t *testing.T, name string) (root string, open rails.Opener) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return unpack(t, string(b))
}

func unpack(t *testing.T, archive string) (root string, open rails.Opener) {
	t.Helper()
	files := txtar.Parse([]byte(archive))
	root = tree.Write(t, files)
	failing := map[string]error{}
	for _, f := range files.Files {
		if f.Name != "_errno" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			p, errno, _ := strings.Cut(strings.TrimSpace(line), " ")
			if errnos[errno] == nil {
				t.Fatalf("unknown errno %q", errno)
			}
			failing[filepath.Join(root, p)] = errnos[errno]
		}
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	return root, func(path string) (rails.Attribute, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(real, path)
		if err != nil {
			t.Fatal(err)
		}
		return &faulty{Attribute: f, err: failing[filepath.Join(root, rel)], times: -1}, nil
	}
}

// faulty fails its next reads with err, as often as times says, or always if
// times is negative.
type faulty struct {
	rails.Attribute
	err   error
	times int
	reads int
}

func (f *faulty) ReadAt(b []byte, off int64) (int, error) {
	f.reads++
	if f.err != nil && f.times != 0 {
		if f.times > 0 {
			f.times--
		}
		return 0, f.err
	}
	n, err := f.Attribute.ReadAt(b, off)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}
