package trust

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// stranger is neither root nor who runs the tests.
var stranger = User{UID: 54321, GID: 54321}

func folder(t *testing.T, mode os.FileMode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
	return dir
}

func file(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCheck(t *testing.T) {
	me := Self()
	private, shared, sticky := folder(t, 0o755), folder(t, 0o777), folder(t, 0o777|os.ModeSticky)
	link := filepath.Join(private, "link")
	if err := os.Symlink(file(t, filepath.Join(shared, "linked"), 0o644), link); err != nil {
		t.Fatal(err)
	}
	relative := filepath.Join(private, "relative")
	if err := os.Symlink("plain", relative); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, want string }{
		{file(t, filepath.Join(private, "plain"), 0o644), ""},
		{relative, ""},
		{file(t, filepath.Join(private, "open"), 0o646), "others can write to it"},
		{file(t, filepath.Join(shared, "plain"), 0o644), shared + " is not trusted: others can write to it"},
		{link, shared + " is not trusted"},
		{file(t, filepath.Join(sticky, "plain"), 0o644), ""},
		{sticky, "others can write to it"},
	} {
		err := me.Check(c.path)
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
	if err := me.Check(filepath.Join(private, "none", "at", "all")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	loop := filepath.Join(private, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if err := me.Check(loop); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a link to itself: %v", err)
	}
	group := file(t, filepath.Join(private, "group"), 0o664)
	info, err := os.Stat(group)
	if err != nil {
		t.Fatal(err)
	}
	member := User{UID: int(info.Sys().(*syscall.Stat_t).Uid), GID: int(info.Sys().(*syscall.Stat_t).Gid)}
	if err := member.Check(group); (err == nil) != !member.IsRoot() {
		t.Errorf("the own group may write, for an ordinary user alone: %v", err)
	}
	if err := (User{UID: member.UID, GID: member.GID + 1}).Check(group); err == nil {
		t.Error("another group may write")
	}
}

// The owner of a file counts: a stranger does not trust what is the tests', unless
// that is root's, and nobody what is a stranger's.
func TestCheckAsksForTheOwner(t *testing.T) {
	dir := folder(t, 0o755)
	err := stranger.Check(dir)
	if root := Self().IsRoot(); root && err != nil || !root && !errors.Is(err, ErrUntrusted) {
		t.Errorf("a stranger's view: %v", err)
	}
	if !Self().IsRoot() {
		return
	}
	if err := os.Chown(dir, stranger.UID, stranger.GID); err != nil {
		t.Fatal(err)
	}
	if err := Self().Check(dir); !errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), "belongs to user 54321") {
		t.Errorf("root's view of a stranger's folder: %v", err)
	}
	if err := stranger.Check(dir); err != nil {
		t.Errorf("the stranger's own folder: %v", err)
	}
}

func TestProgramOfRootIsNobodyElses(t *testing.T) {
	shared, private := folder(t, 0o777), folder(t, 0o755)
	file(t, filepath.Join(shared, "tool"), 0o755)
	t.Setenv("PATH", shared)
	if got, err := stranger.Program("tool"); err != nil || got != filepath.Join(shared, "tool") {
		t.Errorf("an ordinary user's: %s, %v", got, err)
	}
	root := User{}
	// Where a folder above belongs to who runs the tests, that one is named.
	untrusted := shared + " is not trusted"
	if !Self().IsRoot() {
		untrusted = " is not trusted: it belongs to user " + strconv.Itoa(os.Getuid())
	}
	if got, err := root.Program("tool"); !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), untrusted) {
		t.Errorf("root's: %s, %v", got, err)
	}
	if _, err := root.Program("none"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("an absent one: %v", err)
	}
	if got, err := root.Program(filepath.Join(shared, "tool")); err != nil || got != filepath.Join(shared, "tool") {
		t.Errorf("one named by its path: %s, %v", got, err)
	}
	if !Self().IsRoot() {
		return // what is ours is nothing to root
	}
	want := file(t, filepath.Join(private, "tool"), 0o755)
	t.Setenv("PATH", shared+":"+private)
	if got, err := root.Program("tool"); err != nil || got != want {
		t.Errorf("passed over to %s, %v, want %s", got, err, want)
	}
	t.Setenv("PATH", shared)
	if got, err := root.Program("tool", want); err != nil || got != want {
		t.Errorf("of the places %s, %v, want %s", got, err, want)
	}
}

func TestFolderOfRootIsNobodyElses(t *testing.T) {
	shared := folder(t, 0o777)
	users := filepath.Join(shared, ".cache", "bench")
	if got := stranger.Folder(users, "/var/cache/bench"); got != users {
		t.Errorf("an ordinary user's: %s", got)
	}
	for _, users := range []string{users, ""} {
		if got := (User{}).Folder(users, "/var/cache/bench"); got != "/var/cache/bench" {
			t.Errorf("root's, where %q is the user's: %s", users, got)
		}
	}
	if own := "/none/of/this"; (User{}).Folder(own, "") != own {
		t.Error("root does not take a folder of its own")
	}
}

func TestGive(t *testing.T) {
	dir := folder(t, 0o755)
	t.Setenv("SUDO_UID", "54321")
	t.Setenv("SUDO_GID", "54321")
	above := func() os.FileInfo {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	owner := func() uint32 {
		f, err := os.CreateTemp(dir, "made")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := Give(f, above()); err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		return info.Sys().(*syscall.Stat_t).Uid
	}
	me := uint32(os.Geteuid())
	if got := owner(); got != me {
		t.Errorf("in a folder that is not the caller's: %d", got)
	}
	if me != 0 {
		return // and cannot give anything away
	}
	if err := os.Chown(dir, 54321, 54321); err != nil {
		t.Fatal(err)
	}
	if got := owner(); got != 54321 {
		t.Errorf("in the caller's folder: %d", got)
	}
	t.Setenv("SUDO_UID", "0")
	if got := owner(); got != 0 {
		t.Errorf("root called sudo: %d", got)
	}
	t.Setenv("SUDO_UID", "54321")
	f, err := os.CreateTemp(dir, "twice")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Link(f.Name(), f.Name()+".other"); err != nil {
		t.Fatal(err)
	}
	if err := Give(f, above()); err != nil {
		t.Fatal(err)
	}
	if info, _ := f.Stat(); info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Error("a file with two names is given away")
	}
}
