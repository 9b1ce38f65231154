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
	"sync"
	"time"

	"example.org/bench/internal/trust"
)

// Write makes a file of the folder hold content, on disk, or leaves it as it was.
func (d *Folder) Write(name string, content io.WriterTo) error {
	return d.write(name, content, 0o666)
}

// WriteProgram is Write for a file that may be executed.
func (d *Folder) WriteProgram(name string, content io.WriterTo) error {
	return d.write(name, content, 0o777)
}

// ErrEnding is the error of Write once the process ends.
var ErrEnding = errors.New("the process ends")

// writes is held for reading by each Write.
var writes struct {
	sync.RWMutex
	ended bool
}

// exitWait is the longest time that Exit waits: a disk may hang.
const exitWait = 5 * time.Second

// Exit ends the process once no Write is under way, and lets none begin: what is left running, as drawing after a signal,
// would leave the file that it is writing half done under its temporary name.
func Exit(status int) {
	settle(exitWait)
	os.Exit(status)
}

// settle waits until no Write is under way, at most for a time, and refuses any after it.
func settle(most time.Duration) {
	settled := make(chan struct{})
	go func() {
		writes.Lock()
		writes.ended = true
		writes.Unlock()
		close(settled)
	}()
	select {
	case <-settled:
	case <-time.After(most):
	}
}

func (d *Folder) write(name string, content io.WriterTo, mode fs.FileMode) error {
	writes.RLock()
	defer writes.RUnlock()
	if writes.ended {
		return ErrEnding
	}
	p, err := d.begin(name, mode)
	if err != nil {
		return err
	}
	defer p.Discard()
	if _, err := content.WriteTo(p.File); err != nil {
		return p.failed(err)
	}
	return p.Place()
}

// Pending is a file that is being written. It has its name once it is whole.
type Pending struct {
	*os.File
	folder          *Folder
	name, temporary string // temporary is empty once the file is placed or gone
	closed          bool
}

// Begin begins a file of the folder, which Place gives its name and Discard removes.
func (d *Folder) Begin(name string) (*Pending, error) { return d.begin(name, 0o666) }

func (d *Folder) begin(name string, mode fs.FileMode) (*Pending, error) {
	p := &Pending{folder: d, name: name}
	if err := d.check(name); err != nil {
		return nil, p.failed(err)
	}
	d.removeStale(name) // before there is one of this process's: its age is wrong where the clock is set meanwhile
	var err error
	if p.File, p.temporary, err = d.temporary(name, mode); err != nil {
		return nil, p.failed(err)
	}
	above, err := d.Info()
	if err == nil {
		err = trust.Give(p.File, above)
	}
	if err != nil {
		p.Discard()
		return nil, p.failed(err)
	}
	return p, nil
}

// Write is os.File's Write, with the file's name in the error.
func (p *Pending) Write(b []byte) (int, error) {
	n, err := p.File.Write(b)
	return n, p.failed(err)
}

// Place puts the file on disk, and under its name.
func (p *Pending) Place() error {
	if err := p.Sync(); err != nil {
		return p.failed(err)
	}
	p.closed = true // also where it fails (close(2)); Windows renames no open file
	if err := p.Close(); err != nil {
		return p.failed(err)
	}
	if err := p.folder.root.Rename(p.temporary, p.name); err != nil {
		return p.failed(err)
	}
	p.temporary = ""
	return nil
}

// Discard removes the file unless it is placed.
func (p *Pending) Discard() {
	if p.temporary == "" {
		return
	}
	if !p.closed {
		p.Close()
	}
	_ = p.folder.root.Remove(p.temporary) // the next to write does so, too
	p.temporary = ""
}

// failed adds the file's name to an error.
func (p *Pending) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("write %s: %w", p.folder.Path(p.name), bare(err))
}

// bare returns an error without the names of temporary files.
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
