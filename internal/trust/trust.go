// Package trust tells which files a process may obey: those that only its own user and root can change.
// It also finds places of root's own, so that root neither obeys nor litters a user's folders.
package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"example.org/bench/internal/linux"
)

// User is the user of a process.
type User struct{ UID, GID int }

// Self returns the effective user of this process.
func Self() User { return User{os.Geteuid(), os.Getegid()} }

// IsRoot reports whether the user is root.
func (u User) IsRoot() bool { return u.UID == 0 }

// ErrUntrusted is wrapped by errors about files that others can change.
var ErrUntrusted = errors.New("not trusted")

// maxLinks is the number of links that a path may have, as in Linux (path_resolution(7)).
const maxLinks = 40

// Check returns an error that wraps ErrUntrusted if anyone but the user and root can change path. The
// path, each folder above it and each link on the way must be owned by one of the two and writable by
// nobody else. A folder above may be sticky, as /tmp is. An ordinary user's own group may write.
func (u User) Check(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	here, links := "/", 0
	rest := strings.Split(strings.Trim(path, "/"), "/")
	for {
		info, err := os.Lstat(here)
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			if err := u.allows(here, info, len(rest) == 0); err != nil {
				return err
			}
		} else {
			if links++; links > maxLinks {
				return &fs.PathError{Op: "check", Path: path, Err: syscall.ELOOP}
			}
			if err := u.owns(here, info); err != nil {
				return err
			}
			target, err := os.Readlink(here)
			if err != nil {
				return err
			}
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(here), target)
			}
			here, rest = "/", append(strings.Split(strings.Trim(filepath.Clean(target), "/"), "/"), rest...)
			continue
		}
		for len(rest) > 0 && rest[0] == "" {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return nil
		}
		here, rest = filepath.Join(here, rest[0]), rest[1:]
	}
}

func (u User) owns(path string, info fs.FileInfo) error {
	owner, _, _, known := linux.Owner(info)
	if !known {
		return fmt.Errorf("%s is %w: whose it is cannot be told on %s", path, ErrUntrusted, runtime.GOOS)
	}
	if owner == u.UID || owner == 0 || owner == overflowUser && inNamespace() {
		return nil
	}
	return fmt.Errorf("%s is %w: it belongs to user %d", path, ErrUntrusted, owner)
}

func (u User) allows(path string, info fs.FileInfo, last bool) error {
	if err := u.owns(path, info); err != nil {
		return err
	}
	others := info.Mode().Perm() & 0o022
	if _, group, _, _ := linux.Owner(info); !u.IsRoot() && group == u.GID {
		others &^= 0o020
	}
	if others == 0 || !last && info.Mode()&fs.ModeSticky != 0 {
		return nil
	}
	return fmt.Errorf("%s is %w: others can write to it (mode %v)", path, ErrUntrusted, info.Mode())
}

// overflowUser stands for users that a user namespace does not map (user_namespaces(7)), including the
// root outside.
const overflowUser = 65534

// inNamespace reports whether the process is in its own user namespace, where a mapped user cannot change
// the files of unmapped ones.
var inNamespace = sync.OnceValue(func() bool {
	b, err := os.ReadFile("/proc/self/uid_map")
	return err == nil && strings.Join(strings.Fields(string(b)), " ") != "0 0 4294967295"
})

// Program finds a program in the folders of PATH, and then at the paths in places. Root passes over what
// others can change, unless name is a path. The error wraps exec.ErrNotFound.
func (u User) Program(name string, places ...string) (string, error) {
	var passed error
	try := func(path string) bool {
		found, err := exec.LookPath(path)
		if err != nil || found == "" {
			return false
		}
		if u.IsRoot() {
			if err := u.Check(found); err != nil {
				passed = errors.Join(passed, err)
				return false
			}
		}
		return true
	}
	if strings.Contains(name, "/") {
		return exec.LookPath(name)
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		if path := filepath.Join(folder, name); filepath.IsAbs(folder) && try(path) {
			return path, nil
		}
	}
	for _, path := range places {
		if try(path) {
			return path, nil
		}
	}
	if passed != nil {
		return "", fmt.Errorf("%s: %w that root may run: %w", name, exec.ErrNotFound, passed)
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// Folder returns users, a folder of the user's. For root it returns roots if others can change users, or
// the first existing folder above it, as in another user's home.
func (u User) Folder(users, roots string) string {
	if !u.IsRoot() {
		return users
	}
	if users != "" && u.CheckExisting(users) == nil {
		return users
	}
	return roots
}

// CheckExisting is Check of a path or, if it does not exist, of the first folder above it that exists.
// Nobody else can then redirect what is made there.
func (u User) CheckExisting(path string) error {
	for {
		err := u.Check(path)
		if above := filepath.Dir(path); err != nil && errors.Is(err, fs.ErrNotExist) && above != path {
			path = above
			continue
		}
		return err
	}
}

// TempFolder makes a folder in TMPDIR for this process alone, which the caller removes. Because root
// compiles and loads code there, it refuses a TMPDIR whose folders somebody else can replace: one that is
// not sticky, or another user's. That error wraps ErrUntrusted.
func TempFolder(pattern string) (string, error) {
	folder, err := os.MkdirTemp("", pattern)
	if user := Self(); err == nil && user.IsRoot() {
		if err := user.Check(folder); err != nil {
			return "", errors.Join(err, os.Remove(folder))
		}
	}
	return folder, err
}
