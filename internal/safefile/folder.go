package safefile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/trust"
)

// Folder is a folder that is held: what is written to it goes there, whatever becomes
// of its name. Nothing outside of it is written or removed.
type Folder struct {
	root *os.Root
	path string
}

// OpenFolder holds a folder. It follows a link to one, but not another user's link to a folder
// that is not that user's.
func OpenFolder(path string) (*Folder, error) {
	root, err := openRoot(path)
	if err != nil {
		return nil, err
	}
	return &Folder{root, filepath.Clean(path)}, nil
}

// MakeFolder holds a folder, which it makes, with those above it, unless it is there.
func MakeFolder(path string) (*Folder, error) {
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s is a file; want a folder", path)
	}
	if err == nil {
		return OpenFolder(path)
	}
	if target, err := os.Readlink(path); err == nil {
		return nil, fmt.Errorf("%s is a link to %s, which is not there", path, target)
	}
	above := filepath.Dir(path)
	if above == path {
		return nil, err
	}
	in, err := MakeFolder(above)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.Make(filepath.Base(path))
}

// Make holds a folder in this one, which it makes unless it is there. A link is an error.
func (d *Folder) Make(name string) (*Folder, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	made := true
	if err := d.root.Mkdir(name, 0o777); errors.Is(err, fs.ErrExist) {
		made = false // another process may have been faster
	} else if err != nil {
		return nil, d.wrong(err, name)
	}
	return d.hold(name, made)
}

// New makes a folder in this one, of a name that begins with prefix and is not there yet,
// and holds it.
func (d *Folder) New(prefix string) (*Folder, error) {
	for name := prefix; ; name = prefix + strconv.FormatUint(uint64(rand.Uint32()), 10) {
		if err := d.check(name); err != nil {
			return nil, err
		}
		err := d.root.Mkdir(name, 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, d.wrong(err, name)
		}
		return d.hold(name, true)
	}
}

// Folder holds a folder in this one. A link is an error.
func (d *Folder) Folder(name string) (*Folder, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	return d.hold(name, false)
}

func (d *Folder) hold(name string, made bool) (*Folder, error) {
	root, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, d.wrong(err, name)
	}
	f := &Folder{root, d.Path(name)}
	self, err := f.Info()
	if err == nil {
		err = d.same(name, self)
	}
	if err == nil && made {
		err = f.give(d)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// give gives the folder, which was just made, to the owner of the one above, as trust.Give does.
func (d *Folder) give(above *Folder) error {
	self, err := d.root.Open(".")
	if err != nil {
		return err
	}
	defer self.Close()
	info, err := above.Info()
	if err != nil {
		return err
	}
	return trust.Give(self, info)
}

// Close lets go of the folder.
func (d *Folder) Close() error { return d.root.Close() }

// Path returns the path of a file of the folder, for people: the folder may have another by now.
func (d *Folder) Path(name string) string { return filepath.Join(d.path, name) }

// String returns the name by which the folder was opened.
func (d *Folder) String() string { return d.path }

// Info returns the folder's FileInfo.
func (d *Folder) Info() (fs.FileInfo, error) { return d.root.Stat(".") }

// Lstat returns the FileInfo of a file of the folder.
func (d *Folder) Lstat(name string) (fs.FileInfo, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	return d.root.Lstat(name)
}

// Stat returns the FileInfo of a file of the folder, or of one below. It follows no link out of the folder.
func (d *Folder) Stat(path string) (fs.FileInfo, error) {
	info, err := d.root.Stat(path)
	if err != nil {
		return nil, d.wrong(err, path)
	}
	return info, nil
}

// ReadFile reads a file of the folder, or one below, which has at most so many bytes. No link
// leads out of the folder.
func (d *Folder) ReadFile(path string, most int64) ([]byte, error) {
	f, err := linux.OpenIn(d.root, path)
	if err != nil {
		return nil, d.wrong(err, path)
	}
	defer f.Close()
	text, err := bounded.ReadAll(f, d.Path(path), most)
	if err != nil {
		return nil, d.wrong(err, path)
	}
	return text, nil
}

// Now returns where the folder is: its name or, if that is another folder's by now, the one that
// the system knows. It is empty for a folder that was removed, or whose place is not known.
func (d *Folder) Now() string {
	self, err := d.Info()
	if err != nil {
		return ""
	}
	if now, err := os.Stat(d.path); err == nil && os.SameFile(self, now) {
		return d.path
	}
	f, err := d.root.Open(".")
	if err != nil {
		return ""
	}
	defer f.Close()
	where, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return ""
	}
	if now, err := os.Stat(where); err != nil || !os.SameFile(self, now) {
		return ""
	}
	return where
}

// check refuses what is not the name of a file of a folder.
func (d *Folder) check(name string) error {
	if name != filepath.Base(name) || !filepath.IsLocal(name) || name == "." {
		return fmt.Errorf("%q is not the name of a file in %s", name, d.path)
	}
	return nil
}

// wrong returns an error about a file of the folder with the file's whole name.
func (d *Folder) wrong(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: strings.TrimSuffix(p.Op, "at"), Path: d.Path(name), Err: p.Err}
	}
	return err
}

// same returns an error unless the name is opened's, and no link.
func (d *Folder) same(name string, opened fs.FileInfo) error {
	now, err := d.root.Lstat(name)
	switch {
	case err != nil:
		return d.wrong(err, name)
	case now.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a link: it is not followed, remove it", d.Path(name))
	case !os.SameFile(opened, now):
		return fmt.Errorf("%s was replaced while it was opened", d.Path(name))
	}
	return nil
}

// Open opens an ordinary file of the folder for reading and writing, with more flags as
// os.OpenFile has them. A link or anything else of that name is an error.
func (d *Folder) Open(name string, flags int) (*os.File, error) {
	if err := d.check(name); err != nil {
		return nil, err
	}
	// A link is followed within the folder at most, where somebody is faster than same.
	if info, err := d.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, d.same(name, info)
	}
	f, err := d.root.OpenFile(name, flags|os.O_RDWR|noWait, 0o666)
	if errors.Is(err, syscall.ELOOP) {
		return nil, fmt.Errorf("%s is a link: it is not followed, remove it", d.Path(name))
	}
	if err != nil {
		return nil, d.wrong(err, name)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not an ordinary file", d.Path(name))
	}
	if err == nil && flags&os.O_CREATE != 0 {
		var above fs.FileInfo
		if above, err = d.Info(); err == nil {
			err = trust.Give(f, above)
		}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Remove removes a file of the folder, unless there is none.
func (d *Folder) Remove(name string) error {
	if err := d.check(name); err != nil {
		return err
	}
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d.wrong(err, name)
	}
	return nil
}

// RemoveAll removes a folder in this one with all that is in it; no link in it is followed.
func (d *Folder) RemoveAll(name string) error {
	if err := d.check(name); err != nil {
		return err
	}
	if err := d.root.RemoveAll(name); err != nil {
		return d.wrong(err, name)
	}
	return nil
}

// Rename renames a file or folder in the folder.
func (d *Folder) Rename(from, to string) error {
	if err := errors.Join(d.check(from), d.check(to)); err != nil {
		return err
	}
	if err := d.root.Rename(from, to); err != nil {
		return &os.LinkError{Op: "rename", Old: d.Path(from), New: d.Path(to), Err: bare(err)}
	}
	return nil
}

// Root returns the os.Root of the folder, valid until Close, for what else it can do.
func (d *Folder) Root() *os.Root { return d.root }

// WriteFiles writes files, whose names have slashes, below a folder, which it makes.
func WriteFiles(folder string, files map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to, err := MakeFolder(filepath.Join(folder, filepath.FromSlash(path.Dir(name))))
		if err != nil {
			return err
		}
		err = to.Write(path.Base(name), bytes.NewReader(files[name]))
		to.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
