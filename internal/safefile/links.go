package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"example.org/bench/internal/linux"
)

// maxLinks is the number of links that a path may have, as in Linux (path_resolution(7)).
const maxLinks = 40

// openRoot holds a folder. It follows a link on the way if the link is this user's or root's,
// or leads to a folder of the link's owner. Any other link would make this user write where its
// owner may not.
func openRoot(path string) (*os.Root, error) {
	plain, strange, err := withoutLinks(path)
	if err != nil {
		return nil, err
	}
	f, err := linux.OpenPlain(plain)
	if err != nil {
		if errors.Is(err, syscall.ELOOP) {
			return nil, fmt.Errorf("%s was replaced while it was opened", path)
		}
		return nil, named(err, path)
	}
	defer f.Close()
	self, err := f.Stat()
	if err != nil {
		return nil, named(err, path)
	}
	owner, _, _, _ := linux.Owner(self)
	for _, l := range strange {
		if l.owner != owner {
			return nil, fmt.Errorf("%s is a link of user %d's to %s, which is not that user's: it is not followed", l.path, l.owner, plain)
		}
	}
	root, err := os.OpenRoot(path) // whose errors have the name that was given
	if err != nil {
		return nil, err
	}
	now, err := root.Stat(".")
	if err == nil && !os.SameFile(self, now) {
		err = fmt.Errorf("%s was replaced while it was opened", path)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// named is an error about a folder on the way, as one about the path that was given.
func named(err error, path string) error {
	var about *fs.PathError
	if errors.As(err, &about) {
		return &fs.PathError{Op: about.Op, Path: path, Err: about.Err}
	}
	return err
}

// strangeLink is a link of neither this user nor root.
type strangeLink struct {
	path  string
	owner int
}

// withoutLinks returns the path of a folder with its links resolved, and the strange ones among them.
func withoutLinks(path string) (plain string, strange []strangeLink, err error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", nil, err
	}
	top := filepath.VolumeName(full) + string(filepath.Separator)
	words := func(path string) []string {
		return strings.FieldsFunc(strings.TrimPrefix(path, top), func(r rune) bool { return os.IsPathSeparator(uint8(r)) })
	}
	plain = top
	rest, links := words(full), 0
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		if name == ".." { // of a link's target
			plain = filepath.Dir(plain)
			continue
		}
		next := filepath.Join(plain, name)
		info, err := os.Lstat(next)
		if err != nil {
			return "", nil, named(err, path)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			plain = next
			continue
		}
		if links++; links > maxLinks {
			return "", nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
		}
		if owner, _, _, known := linux.Owner(info); known && owner != 0 && owner != os.Geteuid() {
			strange = append(strange, strangeLink{next, owner})
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", nil, err
		}
		if filepath.IsAbs(target) {
			plain = top
		}
		rest = append(words(target), rest...)
	}
	return plain, strange, nil
}
