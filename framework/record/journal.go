package record

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bench/framework/safefile"
)

// JournalFile is the journal's name in the results folder; the journal of
// the run before is renamed to PreviousJournalFile.
const (
	JournalFile         = "journal.jsonl"
	PreviousJournalFile = "journal.previous.jsonl"
)

// ErrNoJournal says that a folder holds no journal to resume.
var ErrNoJournal = errors.New("no journal")

// Journal keeps finished points on disk, a line each, which is on disk before
// Append returns. Each line has a checksum. An open journal is locked.
type Journal struct {
	file     file
	path     string
	opened   os.FileInfo // of the file
	size     int64       // of the complete lines
	notes    []string
	sessions []Info
	starts   map[string]int // of points without a result, by key
}

// file is what a Journal needs of an *os.File.
type file interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// CreateJournal starts a journal in dir, which it creates if needed. An
// existing journal with results is kept as PreviousJournalFile.
func CreateJournal(dir string, header Header) (*Journal, error) {
	if err := safefile.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("make the results folder: %w", err)
	}
	j, f, err := lockedJournal(dir, os.O_CREATE)
	if err != nil {
		return nil, err
	}
	if err := j.begin(dir, f, header); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// begin replaces what the journal's file held by a header.
func (j *Journal) begin(dir string, f *os.File, header Header) error {
	old, err := whole(f)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	had, err := scanJournal(old, old.Size(), nil, nil)
	if err != nil && !errors.Is(err, ErrNoJournal) || err == nil && len(had.results)+len(had.damaged) > 0 {
		if err := safefile.Write(filepath.Join(dir, PreviousJournalFile), bufio.NewReader(io.NewSectionReader(f, 0, old.Size()))); err != nil {
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
	return safefile.SyncFolder(dir)
}

// OpenJournal reads the journal in dir and opens it for more results. An
// unfinished last line, left by a killed run, is cut off, and damaged lines are
// passed, each with a note. Without a journal the error is ErrNoJournal.
func OpenJournal(dir string) (Header, []Result, *Journal, error) {
	j, f, err := lockedJournal(dir, 0)
	if errors.Is(err, os.ErrNotExist) {
		return Header{}, nil, nil, fmt.Errorf("%w in %s to resume: start without --resume", ErrNoJournal, dir)
	}
	if err != nil {
		return Header{}, nil, nil, err
	}
	c, err := j.recover(f)
	if err != nil {
		return Header{}, nil, nil, errors.Join(err, f.Close())
	}
	return c.headers[0], c.results, j, nil
}

// whole is what a file holds now.
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
	j.size, j.sessions, j.starts = c.whole, c.sessions, c.starts
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
			return errors.Join(err, cut)
		}
		return err
	}
	j.size += int64(len(b))
	return nil
}

// here is an error if the journal is no longer at its path: what would be
// written then is lost at the end.
func (j *Journal) here() error {
	if j.opened == nil {
		return nil
	}
	now, err := os.Lstat(j.path)
	if err == nil && os.SameFile(j.opened, now) {
		return nil
	}
	return fmt.Errorf("%s was removed or replaced while the run wrote to it", j.path)
}

// Path is the journal's file.
func (j *Journal) Path() string { return j.path }

// Notes say what opening the journal changed.
func (j *Journal) Notes() []string { return j.notes }

func (j *Journal) note(format string, args ...any) {
	j.notes = append(j.notes, fmt.Sprintf(format, args...))
}

// Close unlocks the journal.
func (j *Journal) Close() error { return j.file.Close() }

// lockedJournal opens the journal's file and locks it against a second run.
func lockedJournal(dir string, flags int) (*Journal, *os.File, error) {
	path := filepath.Join(dir, JournalFile)
	for {
		f, err := safefile.Open(path, flags|os.O_APPEND)
		if err != nil {
			return nil, nil, fmt.Errorf("open the journal: %w", err)
		}
		j := &Journal{file: f, path: path, starts: map[string]int{}}
		switch err := safefile.TryLock(f); {
		case err == nil:
		case errors.Is(err, safefile.ErrLocked):
			f.Close()
			return nil, nil, fmt.Errorf("another bench run writes to %s: wait for it, or choose another folder with --out", dir)
		default:
			// Some network file systems have no locks.
			j.note("%s cannot be locked (%v): keep other runs out of it", path, err)
		}
		mine, err := f.Stat()
		if now, err2 := os.Stat(path); err == nil && (err2 != nil || !os.SameFile(mine, now)) {
			f.Close() // another run has moved the folder aside meanwhile
			continue
		}
		j.opened = mine
		return j, f, nil
	}
}
