package report

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/record"
)

// opened counts how often each file of a folder is opened while f runs (inotify(7)).
func opened(t *testing.T, dir string, f func()) map[string]int {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	// Equal events that follow each other are one: what is closed keeps two that open apart.
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_OPEN|unix.IN_CLOSE); err != nil {
		t.Fatal(err)
	}
	f()
	times := map[string]int{}
	b := make([]byte, 1<<16)
	for {
		n, err := unix.Read(fd, b)
		if err == unix.EAGAIN {
			return times
		}
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < n; {
			size := int(binary.NativeEndian.Uint32(b[at+12:]))
			name := b[at+unix.SizeofInotifyEvent : at+unix.SizeofInotifyEvent+size]
			switch flags := binary.NativeEndian.Uint32(b[at+4:]); {
			case flags&unix.IN_Q_OVERFLOW != 0:
				t.Fatal("too many events")
			case flags&unix.IN_OPEN != 0:
				times[string(bytes.TrimRight(name, "\x00"))]++
			}
			at += unix.SizeofInotifyEvent + size
		}
	}
}

// A page of two runs reads each of their files once, though it shows each and compares both.
func TestRunsAreReadOnce(t *testing.T) {
	const published = "../results/h200-latency-fft-256"
	var paths []string
	for _, name := range []string{"a", "b"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.CopyFS(dir, os.DirFS(published)); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, dir)
	}
	for _, dir := range paths {
		compared := false
		times := opened(t, dir, func() {
			d, err := Read(paths, Options{})
			if err != nil {
				t.Fatal(err)
			}
			compared = len(d.Sections) == 3
			if _, err := d.WriteTo(io.Discard); err != nil {
				t.Fatal(err)
			}
		})
		if !compared {
			t.Error("the page has no comparison")
		}
		read := 0
		for name, n := range times {
			if kind := filepath.Ext(name); kind != ".csv" && kind != ".gz" && name != record.InfoFile {
				continue
			}
			if read++; n > 1 {
				t.Errorf("%s is opened %d times", name, n)
			}
		}
		if read < 7 { // run.json, five tables and the samples
			t.Errorf("only %d files are opened: %v", read, times)
		}
	}
}
