package bounded

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"example.org/bench/internal/terminal"
)

// The bounds of an archive, beside those of compressed text.
const (
	MostArchive = 64 << 20 // bytes of the file
	mostEntries = 10_000
)

// Archive is the files of a zip archive, and its comment.
type Archive struct {
	Names   []string // in the archive's order
	Files   map[string][]byte
	Comment string
}

// ErrNoArchive is the error about a file that is no zip archive, or a damaged one.
var ErrNoArchive = errors.New("is no whole zip archive")

// ReadZip reads the zip archive at a path. It refuses names that lead out of a folder, names that are there
// twice, and what is no ordinary file.
func ReadZip(file string) (*Archive, error) {
	text, err := ReadFile(file, MostArchive)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, fmt.Errorf("%s %w: %w", file, ErrNoArchive, err)
	}
	if len(z.File) > mostEntries {
		return nil, beyond(file, "it has %d files, more than %d", len(z.File), mostEntries)
	}
	a := &Archive{Files: map[string][]byte{}, Comment: z.Comment}
	left := min(int64(mostInflated), mostInflate*int64(len(text)))
	for _, f := range z.File {
		_, twice := a.Files[f.Name]
		switch {
		case !fs.ValidPath(f.Name) || f.Name == "." || path.Clean(f.Name) != f.Name || terminal.HasLineEnd(f.Name):
			return nil, fmt.Errorf("%s: the name %.100q leads out of a folder, or is none", file, f.Name)
		case !f.Mode().IsRegular():
			return nil, fmt.Errorf("%s: %s is no ordinary file", file, f.Name)
		case twice:
			return nil, fmt.Errorf("%s: %s is there twice", file, f.Name)
		}
		in, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s %w: %s: %w", file, ErrNoArchive, f.Name, err)
		}
		content, err := io.ReadAll(io.LimitReader(in, left+1))
		in.Close()
		if err != nil {
			return nil, fmt.Errorf("%s %w: %s: %w", file, ErrNoArchive, f.Name, err)
		}
		if left -= int64(len(content)); left < 0 {
			return nil, beyond(file, "unpacked it has more than %s, or more than %d times its own size", Size(mostInflated), mostInflate)
		}
		a.Names, a.Files[f.Name] = append(a.Names, f.Name), content
	}
	return a, nil
}
