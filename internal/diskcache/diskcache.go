// Package diskcache keeps compiled code, and other results that take long to find, in files under the
// user's cache folder (os.UserCacheDir). It removes files that are no longer used. Because code is loaded
// from there, a folder that others can change is an error.
package diskcache

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/trust"
)

const (
	// keep is the time for which an unused file stays.
	keep = 30 * 24 * time.Hour
	// trimmed is the file whose time is that of the folder's last trim.
	trimmed = "trimmed"
	// interval is the time between two trims, and the precision of a file's last use.
	interval = 24 * time.Hour
)

// rootsFolder is root's cache where HOME is another user's, as after sudo.
const rootsFolder = "/var/cache/bench"

// Folder returns bench/NAME in the user's cache folder and creates it if it is missing. Once a day it
// removes the files and folders in it that were neither made nor used within 30 days, including those
// that killed processes left.
func Folder(name string) (string, error) {
	folder, err := folderOf(trust.Self(), rootsFolder, name)
	if err != nil {
		return "", fmt.Errorf("folder for compiled code: %w", err)
	}
	trim(folder, time.Now())
	return folder, nil
}

func folderOf(user trust.User, roots, name string) (string, error) {
	base, err := os.UserCacheDir()
	if err == nil {
		base = filepath.Join(base, "bench")
	}
	base = user.Folder(base, roots)
	if base == "" {
		return "", fmt.Errorf("%w; set HOME or XDG_CACHE_HOME", err)
	}
	folder := filepath.Join(base, name)
	const instead = "%w; remove it, or set XDG_CACHE_HOME to a folder of your own"
	if err := user.CheckExisting(folder); err != nil && !errors.Is(err, os.ErrPermission) {
		return "", fmt.Errorf(instead, err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", usable(err, base)
	}
	if err := user.Check(folder); err != nil {
		return "", fmt.Errorf(instead, err)
	}
	return folder, usable(linux.Access(folder, linux.R_OK|linux.W_OK|linux.X_OK), base)
}

// usable adds advice on regaining access to the error about a folder that this user may not write.
func usable(err error, base string) error {
	if !errors.Is(err, os.ErrPermission) {
		return err
	}
	owner := "another user"
	for at := base; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil {
			base = at
			if uid, _, _, known := linux.Owner(info); known {
				owner = fmt.Sprint("user ", uid)
			}
			break
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	return fmt.Errorf("%w: %s belongs to %s; if that is you or was you under sudo, sudo chown -R $USER %s, or set XDG_CACHE_HOME to a folder of your own", err, base, owner, base)
}

// Use reports whether the file exists and belongs to this user or root. If so, it keeps the file for the
// next 30 days.
func Use(path string) bool { return useOf(trust.Self(), path) }

func useOf(user trust.User, path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if owner, _, _, known := linux.Owner(info); !known || owner != user.UID && owner != 0 {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > interval {
		_ = touch(path, now) // if it fails, the code is compiled again some day
	}
	return true
}

// touch sets the time of a file in a folder. It follows no link out of the folder.
func touch(path string, at time.Time) error {
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Chtimes(filepath.Base(path), at, at)
}

// Put moves a file that was made elsewhere, maybe on another file system, to its place in a folder of the
// cache, whole or not at all.
func Put(made, path string) error {
	if os.Rename(made, path) == nil {
		return nil
	}
	content, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	return write(path, content)
}

// write writes content to a file, whole or not at all. It follows no link.
func write(path string, content []byte) error {
	beside, err := os.CreateTemp(filepath.Dir(path), "put-")
	if err != nil {
		return err
	}
	defer os.Remove(beside.Name()) // unless it has been moved
	_, err = beside.Write(content)
	if err := errors.Join(err, beside.Close()); err != nil {
		return err
	}
	return os.Rename(beside.Name(), path)
}

// seal follows a library's code in its file, followed by the SHA-256 of the code. Loaders ignore what
// follows a library.
const seal = "benchsum"

// Seal appends to a library's file the sum that UseLibrary checks. The file is not in the cache yet.
func Seal(path string) error {
	code, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(sumOf(code))
	return errors.Join(err, f.Close())
}

// PutLibrary writes a library's code with its seal to its place in a folder of the cache, whole or not at
// all.
func PutLibrary(code []byte, path string) error {
	return write(path, append(code[:len(code):len(code)], sumOf(code)...))
}

// sumOf returns the seal of code.
func sumOf(code []byte) []byte {
	sum := sha256.Sum256(code)
	return append([]byte(seal), sum[:]...)
}

// UseLibrary is Use for a sealed file that is unchanged. A damaged library would end the process that
// loads it.
func UseLibrary(path string) bool { return Sealed(path) != nil }

// Sealed returns what a file has before its seal, as UseLibrary; nil if it is not there or was changed.
func Sealed(path string) []byte {
	if !Use(path) {
		return nil
	}
	text, err := os.ReadFile(path)
	at := len(text) - len(seal) - sha256.Size
	if err != nil || at <= 0 || !bytes.Equal(text[at:], sumOf(text[:at])) {
		return nil
	}
	return text[:at]
}

// trim ignores files that it cannot remove, because another process may have removed them.
func trim(folder string, now time.Time) {
	mark := filepath.Join(folder, trimmed)
	if info, err := os.Lstat(mark); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) < interval {
		return
	}
	if err := os.Remove(mark); err != nil && !errors.Is(err, os.ErrNotExist) {
		return
	}
	f, err := os.OpenFile(mark, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // follows no link
	if err != nil || f.Close() != nil || touch(mark, now) != nil {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		limit := keep
		if e.IsDir() { // left by a process that was killed while it made something in it
			limit = interval
		}
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > limit {
			_ = os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}
