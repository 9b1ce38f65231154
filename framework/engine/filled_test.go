package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWatchOfAFolder: a worker ends once its folder holds too much, in one file or in many, at any depth, and not before.
func TestWatchOfAFolder(t *testing.T) {
	if sum, err := heldBy(filepath.Join(t.TempDir(), "gone")); sum != 0 || err != nil {
		t.Errorf("a folder that is gone holds %d bytes, %v", sum, err)
	}
	for name, fill := range map[string]func(at string) error{
		"bytes": func(at string) error {
			return os.WriteFile(filepath.Join(at, "file"), make([]byte, 5*entryBytes), 0o600)
		},
		"names": func(at string) (err error) {
			for _, name := range []string{"a", "a/b", "a/b/c", "d"} {
				if err == nil {
					err = os.Mkdir(filepath.Join(at, name), 0o700)
				}
			}
			return err
		},
	} {
		folder := t.TempDir()
		if sum, err := heldBy(folder); sum != entryBytes || err != nil {
			t.Errorf("an empty folder holds %d bytes, %v", sum, err)
		}
		if err := fill(folder); err != nil {
			t.Fatal(err)
		}
		sum, err := heldBy(folder)
		if sum < 5*entryBytes || sum > 7*entryBytes || err != nil {
			t.Errorf("%s: it holds %d bytes, %v; want some %d", name, sum, err, 6*entryBytes)
		}
		ended := make(chan struct{})
		p := &process{tail: &tail{}, exited: ended, end: func() { close(ended) }}
		p.watch(folder, sum-1)
		if why := p.death().Error(); !strings.Contains(why, "its temporary folder holds more than 0 MiB, or ") {
			t.Errorf("%s: %s", name, why)
		}
		ended = make(chan struct{})
		p = &process{tail: &tail{}, exited: ended, end: func() { t.Errorf("%s: ended with what it may hold", name) }}
		close(ended)
		p.watch(folder, sum)
	}
}
