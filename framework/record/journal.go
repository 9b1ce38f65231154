package record

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"example.org/bench/internal/safefile"
)

// JournalFile is the journal's name in the results folder; the journal of
// the run before is renamed to PreviousJournalFile.
const (
	JournalFile         = "journal.jsonl"
	PreviousJournalFile = "journal.previous.jsonl"
)

// ErrNoJournal says that a folder holds no journal to resume.
var ErrNoJournal = errors.New("no journal")

// Journal keeps finished points, a line each with a checksum. A line is on disk before Append returns. An open
// journal holds its folder and is locked.
type Journal struct {
	file     file
	folder   *safefile.Folder
	path     string
	opened   os.FileInfo      // of the file
	kept     *safefile.Folder // of a journal that is lost (Place)
	lost     error
	size     int64 // of the complete lines
	end      int64 // of the file: behind size where an incomplete line could not be cut off
	notes    []string
	sessions []Info
	starts   map[string]int // of points without a result, by key
	priors   []json.RawMessage
}

// file is what a Journal needs of an *os.File.
type file interface {
	io.ReaderAt
	io.Writer
	Stat() (os.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Close() error
}

// CreateJournal starts a journal in dir, which it creates if needed. An
// existing journal with results is kept as PreviousJournalFile.
func CreateJournal(dir string, header Header) (*Journal, error) {
	j, f, err := lockedJournal(dir, makeFolder, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := j.begin(f, header); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// begin replaces what the journal's file held by a header.
func (j *Journal) begin(f *os.File, header Header) error {
	old, err := whole(f)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	had, err := scanJournal(old, old.Size(), nil, nil)
	if err != nil && !errors.Is(err, ErrNoJournal) || err == nil && len(had.results)+len(had.damaged) > 0 {
		if err := j.folder.Write(PreviousJournalFile, copied{f, old.Size()}); err != nil {
			return fmt.Errorf("keep the journal of the run before: %w", err)
		}
		j.note("the journal of the run before is kept as %s", PreviousJournalFile)
	}
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	header.Format = journalFormat
	// Twice: without a header there is no run.
	for range 2 {
		if err := j.write(headerLine, header); err != nil {
			return err
		}
	}
	return j.folder.Sync()
}

// OpenJournal reads the journal in dir and opens it for more results. It cuts off an unfinished last line,
// which a killed run leaves, and passes damaged lines, each with a note. The error is ErrNoJournal if there is
// none.
func OpenJournal(dir string) (Header, []Result, *Journal, error) {
	j, f, err := lockedJournal(dir, openFolder, 0)
	if errors.Is(err, os.ErrNotExist) {
		return Header{}, nil, nil, fmt.Errorf("%w in %s to resume: start without --resume", ErrNoJournal, dir)
	}
	if err != nil {
		return Header{}, nil, nil, err
	}
	c, err := j.recover(f)
	if err != nil {
		return Header{}, nil, nil, errors.Join(err, j.Close())
	}
	return c.headers[0], c.results, j, nil
}

// whole returns what a file holds now.
func whole(f *os.File) (*io.SectionReader, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(f, 0, fi.Size()), nil
}

func (j *Journal) recover(f *os.File) (*journalContent, error) {
	text, err := whole(f)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	c, err := scanJournal(text, text.Size(), nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.path, err)
	}
	if torn := text.Size() - c.whole; torn > 0 {
		if err := f.Truncate(c.whole); err != nil {
			return nil, fmt.Errorf("journal: cut off the unfinished last line: %w", err)
		}
		j.note("%s: the last line was unfinished (%d bytes); its point runs again", j.path, torn)
	}
	j.notes = append(j.notes, c.notes(j.path)...)
	j.priors = c.priors
	j.size, j.end, j.sessions, j.starts = c.whole, c.whole, c.sessions, c.starts
	return c, nil
}

// Append puts a result on disk. After an error the journal is as it was
// before, and Append may be tried again.
func (j *Journal) Append(r Result) error {
	if err := j.write(resultLine, r); err != nil {
		return err
	}
	delete(j.starts, r.Point.Key())
	return nil
}

// AppendPrior puts on disk what a search took in of its prior.
func (j *Journal) AppendPrior(content any) error { return j.write(priorLine, content) }

// Priors returns what AppendPrior had put into a journal that was opened.
func (j *Journal) Priors() []json.RawMessage { return j.priors }

func (j *Journal) write(k kind, content any) error {
	b, err := encodeLine(k, content)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if err := j.here(); err != nil {
		return err
	}
	if _, err = j.file.Write(b); err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		err = fmt.Errorf("write to the journal (the results before this one are kept): %w", err)
		if cut := j.file.Truncate(j.size); cut != nil {
			if info, failed := j.file.Stat(); failed == nil {
				j.end = info.Size()
			}
			return errors.Join(err, cut)
		}
		return err
	}
	j.size += int64(len(b))
	j.end = j.size
	return nil
}

// ErrLost is wrapped by the error of a journal whose file is no longer its own.
var ErrLost = errors.New("was removed or replaced while the run wrote to it")

// here wraps ErrLost if the journal's file is no longer in the folder as it was written:
// what would be written then is lost at the end. The folder may have another name.
func (j *Journal) here() error {
	if j.folder == nil {
		return nil
	}
	now, err := j.folder.Lstat(JournalFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("look at the journal: %w", err)
	}
	if err == nil && os.SameFile(j.opened, now) && now.Size() == j.end {
		return nil
	}
	return fmt.Errorf("%s %w", j.path, ErrLost)
}

// Place returns the folder for what is written beside the journal at the end. If the journal is lost it makes
// a new folder and copies the journal to it, if that is whole. The error then wraps ErrLost and names the new
// folder.
func (j *Journal) Place() (*safefile.Folder, error) {
	if j.lost == nil {
		if j.lost = j.here(); j.lost == nil {
			return j.folder, nil
		}
		var err error
		if j.kept, err = j.keep(); err != nil {
			return nil, fmt.Errorf("%w; what it measured cannot be kept elsewhere: %w", j.lost, err)
		}
		j.lost = fmt.Errorf("%w: what it measured is in %s", j.lost, cmp.Or(j.kept.Now(), j.kept.String()))
	}
	return j.kept, j.lost
}

// keep makes a folder in the journal's, or for temporary files where that is no longer
// there, and copies the journal to it unless its file was cut.
func (j *Journal) keep() (*safefile.Folder, error) {
	to, err := j.folder.New("kept-" + Now().UTC().Format("20060102-150405"))
	if err != nil {
		dir, failed := safefile.TempFolder("bench-kept-")
		if failed != nil {
			return nil, errors.Join(err, failed)
		}
		if to, err = safefile.OpenFolder(dir); err != nil {
			return nil, err
		}
	}
	if info, err := j.file.Stat(); err == nil && info.Size() == j.end {
		if err := to.Write(JournalFile, copied{j.file, j.size}); err != nil {
			return nil, errors.Join(err, to.Close())
		}
	}
	return to, nil
}

// copied is the beginning of a file.
type copied struct {
	from io.ReaderAt
	size int64
}

func (c copied) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, io.NewSectionReader(c.from, 0, c.size))
}

// Path returns the journal's file.
func (j *Journal) Path() string { return j.path }

// Notes say what opening the journal changed.
func (j *Journal) Notes() []string { return j.notes }

func (j *Journal) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// Close unlocks the journal and lets go of the folders.
func (j *Journal) Close() error {
	err := j.file.Close()
	for _, d := range []*safefile.Folder{j.folder, j.kept} {
		if d != nil {
			err = errors.Join(err, d.Close())
		}
	}
	return err
}

// lockedJournal opens the journal's file in a folder, and locks it against a second run.
func lockedJournal(dir string, open func(dir string) (*safefile.Folder, error), flags int) (*Journal, *os.File, error) {
	for {
		folder, err := open(dir)
		if err != nil {
			return nil, nil, err
		}
		j, f, err := lockedIn(folder, flags)
		if j == nil {
			err = errors.Join(err, folder.Close())
		}
		if j != nil || err != nil {
			return j, f, err
		}
	}
}

func openFolder(dir string) (*safefile.Folder, error) {
	folder, err := safefile.OpenFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("open the journal: %w", err)
	}
	return folder, nil
}

func makeFolder(dir string) (*safefile.Folder, error) {
	folder, err := safefile.MakeFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("make the results folder: %w", err)
	}
	return folder, nil
}

// lockedIn returns nil if another run has moved the folder, or its file, aside meanwhile.
func lockedIn(folder *safefile.Folder, flags int) (*Journal, *os.File, error) {
	f, err := folder.Open(JournalFile, flags|os.O_APPEND)
	if err != nil {
		return nil, nil, fmt.Errorf("open the journal: %w", err)
	}
	j := &Journal{file: f, folder: folder, path: folder.Path(JournalFile), starts: map[string]int{}}
	switch err := safefile.TryLock(f); {
	case err == nil:
	case errors.Is(err, safefile.ErrLocked):
		f.Close()
		return nil, nil, fmt.Errorf("another bench run writes to %s: wait for it, or choose another folder with --out", folder)
	default:
		// Some network file systems have no locks.
		j.note("%s cannot be locked (%v): keep other runs out of it", j.path, err)
	}
	j.opened, err = f.Stat()
	if now, err2 := os.Stat(j.path); err == nil && (err2 != nil || !os.SameFile(j.opened, now)) {
		return nil, nil, f.Close()
	}
	return j, f, nil
}
