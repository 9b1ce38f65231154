package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"

	"bench/trust"
)

// Write makes a file of the folder hold content, on disk, or leaves it as it was.
func (d *Folder) Write(name string, content io.WriterTo) error {
	return d.write(name, content, 0o666)
}

// WriteProgram is Write for a file that may be executed.
func (d *Folder) WriteProgram(name string, content io.WriterTo) error {
	return d.write(name, content, 0o777)
}

func (d *Folder) write(name string, content io.WriterTo, mode fs.FileMode) error {
	err := d.check(name)
	if err == nil {
		err = d.replace(name, content, mode)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", d.Path(name), bare(err))
	}
	return nil
}

// bare is an error without the names of temporary files.
func bare(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

func (d *Folder) replace(name string, content io.WriterTo, mode fs.FileMode) (err error) {
	d.removeStale(name) // before there is one of this process's: its age is wrong where the clock is set meanwhile
	f, temporary, err := d.temporary(name, mode)
	if err != nil {
		return err
	}
	closed := false
	defer func() {
		if !closed {
			f.Close()
		}
		if err != nil {
			_ = d.root.Remove(temporary) // the next to write does so, too
		}
	}()
	above, err := d.Info()
	if err != nil {
		return err
	}
	if err := trust.Give(f, above); err != nil {
		return err
	}
	if _, err := content.WriteTo(f); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	closed = true // also where it fails (close(2)); Windows renames no open file
	if err := f.Close(); err != nil {
		return err
	}
	return d.root.Rename(temporary, name)
}

// temporary makes a file beside name.
func (d *Folder) temporary(name string, mode fs.FileMode) (*os.File, string, error) {
	for {
		temporary := "." + name + strconv.FormatUint(uint64(rand.Uint32()), 10)
		f, err := d.root.OpenFile(temporary, os.O_CREATE|os.O_EXCL|os.O_RDWR, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, temporary, err
		}
	}
}

// staleAfter is the age at which a temporary file beside another is a killed
// process's: none is written to for so long.
const staleAfter = time.Hour

// removeStale removes temporary files of a file that killed processes left. It
// ignores what it cannot remove.
func (d *Folder) removeStale(name string) {
	entries, err := d.entries()
	if err != nil {
		return
	}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "."+name)
		if _, err := strconv.ParseInt(number, 10, 64); !ok || err != nil || !e.Type().IsRegular() {
			continue
		}
		if info, err := d.root.Lstat(e.Name()); err == nil && time.Since(info.ModTime()) > staleAfter {
			_ = d.root.Remove(e.Name())
		}
	}
}

func (d *Folder) entries() ([]fs.DirEntry, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}
