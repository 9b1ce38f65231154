package trust

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/internal/linux"
)

// rootsState is root's folder for state, whoever called sudo.
const rootsState = "/var/lib/bench"

// StateFolder returns the folder of this user's state: the one that systemd sets (STATE_DIRECTORY,
// systemd.exec(5)), root's, or one below the user's folder for state (XDG Base Directory Specification).
// It is root's where none of these is known.
func (u User) StateFolder() string {
	if dir, _, _ := strings.Cut(os.Getenv("STATE_DIRECTORY"), ":"); filepath.IsAbs(dir) {
		return dir
	}
	dir := os.Getenv("XDG_STATE_HOME")
	if home := os.Getenv("HOME"); dir == "" && home != "" {
		dir = filepath.Join(home, ".local", "state")
	}
	if u.IsRoot() || dir == "" {
		return rootsState
	}
	return filepath.Join(dir, "bench")
}

// keyFile holds the key of seals, which only the user may read.
const keyFile = "seal.key"

// Seal returns a seal of a text that only this user can make. A file in a results folder that has such a
// seal was written by this user's bench, not by whoever the folder came from.
func Seal(text []byte) (string, error) {
	key, err := sealKey(true)
	if err != nil {
		return "", fmt.Errorf("seal: %w", err)
	}
	return seal(key, text), nil
}

// Sealed reports whether by is the seal that Seal makes of the text.
func Sealed(text []byte, by string) bool {
	key, err := sealKey(false)
	return err == nil && hmac.Equal([]byte(seal(key, text)), []byte(by))
}

func seal(key, text []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

func sealKey(create bool) ([]byte, error) {
	folder := Self().StateFolder()
	path := filepath.Join(folder, keyFile)
	key, err := readKey(path)
	if !create || !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := Self().CheckExisting(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := Self().Check(folder); err != nil {
		return nil, err
	}
	key = make([]byte, sha256.Size)
	rand.Read(key)
	made, err := os.CreateTemp(folder, keyFile) // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(made.Name())
	_, err = made.Write(key)
	if err := errors.Join(err, made.Sync(), made.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(made.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) { // another process may have been faster
		return nil, err
	}
	return readKey(path)
}

func readKey(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|linux.O_NOFOLLOW|linux.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := Self().Check(path); err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	key, err := io.ReadAll(io.LimitReader(f, sha256.Size+1))
	if err == nil && (len(key) != sha256.Size || info.Mode().Perm()&0o077 != 0) {
		err = fmt.Errorf("%s is no key, or others can read it: remove it", path)
	}
	return key, err
}
