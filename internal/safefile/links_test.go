package safefile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One's own links are followed to a folder, and nobody else's, but for those that lead to what
// is their owner's.
func TestLinksOfOthersAreNotFollowed(t *testing.T) {
	dir := t.TempDir()
	const other = 54321
	for _, name := range []string{"mine/sub", "theirs/sub"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := func(name, target string, owner int) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
		if owner != os.Geteuid() {
			if err := os.Lchown(path, owner, owner); err != nil {
				t.Fatal(err)
			}
		}
	}
	link("own", "mine", os.Geteuid())
	link("whole", filepath.Join(dir, "mine"), os.Geteuid())
	link("again", "own/../own/sub", os.Geteuid())
	want := map[string]bool{"own": true, "own/sub": true, "whole": true, "again": true, "mine": true}
	if os.Geteuid() == 0 { // who else can make another's
		for _, name := range []string{"theirs", "theirs/sub"} {
			if err := os.Chown(filepath.Join(dir, name), other, other); err != nil {
				t.Fatal(err)
			}
		}
		link("theirs/bad", "../mine", other)
		link("theirs/chain", "bad/sub", other)
		link("theirs/good", "sub", other)
		want["theirs/bad"], want["theirs/bad/sub"], want["theirs/chain"], want["theirs/good"] = false, false, false, true
	}
	for name, good := range want {
		path := filepath.Join(dir, name)
		err := Write(filepath.Join(path, "file"), strings.NewReader("x"))
		if good && err != nil || !good && (err == nil || !strings.Contains(err.Error(), " is a link of user 54321's to ")) {
			t.Errorf("%s: %v", name, err)
		}
		if d, err := MakeFolder(filepath.Join(path, "made")); err == nil {
			d.Close()
			if !good {
				t.Errorf("%s: a folder was made", name)
			}
		}
	}
	loop := filepath.Join(dir, "loop")
	link("loop", "loop", os.Geteuid())
	if _, err := OpenFolder(loop); err == nil {
		t.Error("a link to itself is opened")
	}
}
