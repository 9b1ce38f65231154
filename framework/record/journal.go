package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"bench/framework/plan"
	"bench/framework/safefile"
)

// JournalFile is the journal's name in the results folder; the journal of
// the run before is renamed to PreviousJournalFile.
const (
	JournalFile         = "journal.jsonl"
	PreviousJournalFile = "journal.previous.jsonl"
)

// journalFormat changes when an older journal can no longer be resumed.
const journalFormat = 2

// ErrNoJournal says that a folder holds no journal to resume.
var ErrNoJournal = errors.New("no journal")

// Header is the journal's first line: what must be the same for a run to be
// resumed.
type Header struct {
	Format     int    `json:"journal_format"` // set by CreateJournal
	Config     string `json:"config"`         // path of the config file
	ConfigHash string `json:"config_hash"`
	// Set are the values that replace the config's, each NAME=V,V….
	Set       []string `json:"set,omitempty"`
	Seed      uint64   `json:"seed"`
	Version   string   `json:"version"`   // of the tool
	Selection string   `json:"selection"` // the flags that say what of the config runs
	Points    string   `json:"points"`    // hash of their keys in order
	// Prefix, Axes and the number of points make a Run of a journal whose run
	// has not written its files; the number is 0 in a search's journal.
	Prefix string      `json:"prefix,omitempty"`
	Axes   []plan.Axis `json:"axes,omitempty"`
	Total  int         `json:"total,omitempty"`
}

// CanResume says in one line why a run under next cannot complete the results
// under h; nil if it can.
func (h Header) CanResume(next Header) error {
	differs := func(what string, had, have any) error {
		return fmt.Errorf("the journal is of %s %v, this run is of %v: resume with the same %s, or start anew without --resume",
			what, had, have, what)
	}
	switch {
	case h.Format != journalFormat:
		return differs("journal format", h.Format, journalFormat)
	case h.ConfigHash != next.ConfigHash:
		return differs("config", name(h), name(next))
	case !slices.Equal(h.Set, next.Set):
		return differs("--set", h.Set, next.Set)
	case h.Seed != next.Seed:
		return differs("seed", h.Seed, next.Seed)
	case h.Version != next.Version:
		return differs("bench version", h.Version, next.Version)
	case h.Selection != next.Selection:
		return differs("selection", h.Selection, next.Selection)
	case h.Points != next.Points:
		return errors.New("the journal is of other points of this config: wisdom, devices or installed libraries have changed since; " +
			"start anew without --resume")
	}
	return nil
}

func name(h Header) string {
	return fmt.Sprintf("%s (hash %.12s)", h.Config, h.ConfigHash)
}

// Journal keeps finished points on disk: a header and then one JSON line
// per Result, each on disk before Append returns. An open journal is
// locked.
type Journal struct {
	file     file
	path     string
	size     int64 // of the complete lines
	notes    []string
	sessions []Info
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
	old, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	if bytes.Count(old, []byte("\n")) > 1 {
		if err := safefile.Write(filepath.Join(dir, PreviousJournalFile), bytes.NewReader(old)); err != nil {
			return fmt.Errorf("keep the journal of the run before: %w", err)
		}
		j.note("the journal of the run before is kept as %s", PreviousJournalFile)
	}
	if err := f.Truncate(0); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	header.Format = journalFormat
	if err := j.write(header); err != nil {
		return err
	}
	return safefile.SyncFolder(dir)
}

// OpenJournal reads the journal in dir and opens it for more results. An
// unfinished last line, left by a killed run, is cut off, with a note. Without
// a journal the error is ErrNoJournal.
func OpenJournal(dir string) (Header, []Result, *Journal, error) {
	j, f, err := lockedJournal(dir, 0)
	if errors.Is(err, os.ErrNotExist) {
		return Header{}, nil, nil, fmt.Errorf("%w in %s to resume: start without --resume", ErrNoJournal, dir)
	}
	if err != nil {
		return Header{}, nil, nil, err
	}
	h, results, err := j.recover(f)
	if err != nil {
		return Header{}, nil, nil, errors.Join(err, f.Close())
	}
	return h, results, j, nil
}

func (j *Journal) recover(f *os.File) (Header, []Result, error) {
	b, err := io.ReadAll(f)
	if err != nil {
		return Header{}, nil, fmt.Errorf("journal: %w", err)
	}
	h, results, sessions, good, err := parseJournal(b)
	if err != nil {
		return Header{}, nil, fmt.Errorf("%s: %w", j.path, err)
	}
	if torn := int64(len(b)) - good; torn > 0 {
		if err := f.Truncate(good); err != nil {
			return Header{}, nil, fmt.Errorf("journal: cut off the unfinished last line: %w", err)
		}
		j.note("%s: the last line was unfinished (%d bytes); its point runs again", j.path, torn)
	}
	j.size = good
	j.sessions = sessions
	return h, results, nil
}

// parseJournal also returns the length of the complete lines: a last line
// without its end, or that is no result, was being written when the run ended.
func parseJournal(b []byte) (Header, []Result, []Info, int64, error) {
	var header Header
	var results []Result
	var sessions []Info
	good := 0
	for number := 1; ; number++ {
		end := bytes.IndexByte(b[good:], '\n')
		if end < 0 {
			break
		}
		line := b[good : good+end]
		var err error
		if number == 1 {
			err = json.Unmarshal(line, &header)
			if err == nil && header.Format == 0 {
				err = errors.New("it has no journal_format")
			}
		} else if bytes.HasPrefix(line, []byte(sessionStart)) {
			var s session
			if err = json.Unmarshal(line, &s); err == nil {
				sessions = append(sessions, s.Session)
			}
		} else {
			var r Result
			if err = json.Unmarshal(line, &r); err == nil {
				results = append(results, r)
			}
		}
		next := good + end + 1
		if err != nil {
			if number > 1 && next == len(b) {
				break
			}
			return Header{}, nil, nil, 0, fmt.Errorf("line %d is not a journal's: %w", number, err)
		}
		good = next
	}
	if good == 0 {
		return Header{}, nil, nil, 0, fmt.Errorf("%w: the run ended before its first line was written; start without --resume", ErrNoJournal)
	}
	return header, results, sessions, int64(good), nil
}

// Append puts a result on disk. After an error the journal is as it was
// before, and Append may be tried again.
func (j *Journal) Append(r Result) error { return j.write(r) }

func (j *Journal) write(line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	b = append(b, '\n')
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
	f, err := safefile.Open(path, flags|os.O_APPEND)
	if err != nil {
		return nil, nil, fmt.Errorf("open the journal: %w", err)
	}
	j := &Journal{file: f, path: path}
	switch err := safefile.TryLock(f); {
	case err == nil:
	case errors.Is(err, safefile.ErrLocked):
		f.Close()
		return nil, nil, fmt.Errorf("another bench run writes to %s: wait for it, or choose another folder with --out", dir)
	default:
		// Some network file systems have no locks.
		j.note("%s cannot be locked (%v): keep other runs out of it", path, err)
	}
	return j, f, nil
}
