package bounded

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"example.org/bench/internal/linux"
	"example.org/bench/internal/terminal"
)

// ZipEnding ends the name of an archive whose files Open, Stat and FS take as those of a folder.
const ZipEnding = ".zip"

// The bounds of an archive, beside those of compressed text.
const (
	MostArchive = 64 << 20 // bytes of the file
	mostEntries = 10_000
)

// ErrNoArchive is the error about a file that is no zip archive, or a damaged one.
var ErrNoArchive = errors.New("is no whole zip archive")

// archive is an open zip archive. No name in it leads out of a folder or is there twice, and all are
// ordinary files.
type archive struct {
	*zip.Reader
	name string
	file *os.File
	left int64 // bytes that may still be unpacked
}

func openZip(name string) (*archive, error) {
	f, err := linux.Open(name)
	if err != nil {
		return nil, err
	}
	a := &archive{name: name, file: f}
	if err := a.read(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

func (a *archive) Close() error { return a.file.Close() }

func (a *archive) read() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > MostArchive {
		return TooLarge(a.name, MostArchive)
	}
	if a.Reader, err = zip.NewReader(a.file, size); err != nil {
		return fmt.Errorf("%s %w: %w", a.name, ErrNoArchive, err)
	}
	if len(a.File) > mostEntries {
		return beyond(a.name, "it has %d files, more than %d", len(a.File), mostEntries)
	}
	seen := map[string]bool{}
	for _, f := range a.File {
		switch {
		case !fs.ValidPath(f.Name) || f.Name == "." || path.Clean(f.Name) != f.Name || terminal.HasLineEnd(f.Name):
			return fmt.Errorf("%s: the name %.100q leads out of a folder, or is none", a.name, f.Name)
		case !f.Mode().IsRegular():
			return fmt.Errorf("%s: %s is no ordinary file", a.name, f.Name)
		case seen[f.Name]:
			return fmt.Errorf("%s: %s is there twice", a.name, f.Name)
		}
		seen[f.Name] = true
	}
	a.left = min(int64(mostInflated), mostInflate*size)
	return nil
}

func (a *archive) content(f *zip.File) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s %w: %s: %w", a.name, ErrNoArchive, f.Name, err)
	}
	defer in.Close()
	content, err := io.ReadAll(io.LimitReader(in, a.left+1))
	if err != nil {
		return nil, fmt.Errorf("%s %w: %s: %w", a.name, ErrNoArchive, f.Name, err)
	}
	if a.left -= int64(len(content)); a.left < 0 {
		return nil, beyond(a.name, "unpacked it has more than %s, or more than %d times its own size", Size(mostInflated), mostInflate)
	}
	return content, nil
}

// Archive is the files of a zip archive, and its comment.
type Archive struct {
	Names   []string // in the archive's order
	Files   map[string][]byte
	Comment string
}

// ReadZip reads the zip archive at a path.
func ReadZip(file string) (*Archive, error) {
	z, err := openZip(file)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	a := &Archive{Files: map[string][]byte{}, Comment: z.Comment}
	for _, f := range z.File {
		content, err := z.content(f)
		if err != nil {
			return nil, err
		}
		a.Names, a.Files[f.Name] = append(a.Names, f.Name), content
	}
	return a, nil
}

// A File is an open file on disk, or one in an archive.
type File interface {
	fs.File
	io.Seeker
	io.ReaderAt
	Name() string
}

// packed is a file in an archive.
type packed struct {
	*bytes.Reader
	name string
	info fs.FileInfo
}

func (p packed) Stat() (fs.FileInfo, error) { return p.info, nil }
func (p packed) Close() error               { return nil }
func (p packed) Name() string               { return p.name }

// Open opens a file for reading. A folder on its path may be a zip archive.
func Open(name string) (File, error) {
	file, within := inArchive(name)
	if within == "" || within == "." {
		f, err := linux.Open(name)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
	a, err := openZip(file)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for _, f := range a.File {
		if f.Name == within {
			content, err := a.content(f)
			if err != nil {
				return nil, err
			}
			return packed{bytes.NewReader(content), name, f.FileInfo()}, nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Stat is os.Stat, where a folder on the path, or at its end, may be a zip archive.
func Stat(name string) (fs.FileInfo, error) {
	file, within := inArchive(name)
	if within == "" {
		return os.Stat(name)
	}
	a, err := openZip(file)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	return fs.Stat(a, within)
}

// Names returns the paths of all files below a folder, which may be a zip archive or in one. It leaves out what
// cannot be read.
func Names(folder string) (names []string) {
	within := "."
	all := os.DirFS(folder)
	if file, in := inArchive(folder); in != "" {
		a, err := openZip(file)
		if err != nil {
			return nil
		}
		defer a.Close()
		all, within = a, in
	}
	_ = fs.WalkDir(all, within, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names = append(names, filepath.Join(folder, strings.TrimPrefix(name, within+"/")))
		}
		return nil
	})
	return names
}

// inArchive returns the archive that a path leads into, and the path in it, "." for the archive as a folder.
// Both are empty for a path that leads into none.
func inArchive(name string) (file, within string) {
	slashed := filepath.ToSlash(filepath.Clean(name))
	for from := 0; ; {
		at := strings.Index(slashed[from:], ZipEnding)
		if at < 0 {
			return "", ""
		}
		from += at + len(ZipEnding)
		if rest := slashed[from:]; rest != "" && rest[0] != '/' {
			continue
		}
		file = filepath.FromSlash(slashed[:from])
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file, path.Clean(strings.TrimPrefix(slashed[from:], "/"))
		}
	}
}

// Place returns where a folder of results lies: its path, or the archive of its name if only that exists.
func Place(folder string) string {
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	if info, err := os.Stat(folder + ZipEnding); err == nil && info.Mode().IsRegular() {
		return folder + ZipEnding
	}
	return folder
}

// Folder returns the name of a folder of results without the ending of an archive.
func Folder(name string) string { return strings.TrimSuffix(name, ZipEnding) }
