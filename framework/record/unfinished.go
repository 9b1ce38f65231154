package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"example.org/bench/framework/plan"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
)

// ErrSearch says that a journal is a search's, whose trials are not a run.
var ErrSearch = errors.New("it is the journal of a search: bench tune --resume goes on, bench plot --csv writes its trials")

// readUnfinished puts together what the journal in dir holds of a run that has
// not written its files. ErrNoJournal where there is none.
func readUnfinished(dir string) (*Run, error) {
	r, err := ReadJournal(dir)
	if err == nil && r.Total == 0 {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, JournalFile), ErrSearch)
	}
	return r, err
}

// ReadJournal puts together what the journal in dir holds, whichever build wrote
// it, of a run or a search. ErrNoJournal where there is none.
func ReadJournal(dir string) (*Run, error) {
	f, size, err := journalIn(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return unfinishedRun(dir, f, size)
}

// seedOf returns the seed of the run of the journal in dir. The error is ErrNoJournal without one.
func seedOf(dir string) (uint64, error) {
	f, size, err := journalIn(dir)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	c, err := scanJournal(f, size, nil, nil)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c.headers[0].Seed, nil
}

// DrawnSeed returns the seed of a run for which none is given: a new one or, with resume, that of the
// interrupted run in dir.
func DrawnSeed(dir string, resume bool) uint64 {
	if resume {
		if seed, err := seedOf(dir); err == nil { // otherwise resuming reports what is wrong
			return seed
		}
	}
	return NewSeed()
}

// NewSeed draws a seed that is short enough to type.
func NewSeed() uint64 { return 1 + rand.Uint64N(1e9-1) }

func journalIn(dir string) (bounded.File, int64, error) {
	f, err := bounded.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, ErrNoJournal
	}
	if err != nil {
		return nil, 0, err
	}
	fi, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, fi.Size(), nil
}

// unfinishedRun puts together what a journal of that size holds.
func unfinishedRun(dir string, r io.Reader, size int64) (*Run, error) {
	path := filepath.Join(dir, JournalFile)
	c, err := scanJournal(r, size, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	h := c.headers[0]
	if h.Prefix == "" {
		h.Prefix = "trials"
	}
	if len(c.results) == 0 && h.Total > 0 {
		return nil, fmt.Errorf("%s: none of %d points, interrupted; --resume goes on", dir, h.Total)
	}
	info := Info{Config: ConfigFile{Path: h.Config, Hash: h.ConfigHash, Set: h.Set}, Seed: h.Seed, Tool: Tool{Version: h.Version}}
	if last := len(c.sessions) - 1; last >= 0 {
		info = c.sessions[last]
		info.Resume(c.sessions[:last])
	}
	info.Ended = Ended(c.results)
	run := NewRun(info, h.Prefix, h.Axes, c.results)
	run.Total = h.Total
	run.Notes = c.notes(path)
	if now := (Header{Version: ThisTool().Version, Program: program()}); h.Program != "" && h.Program != now.Program {
		run.Notes = append(run.Notes, fmt.Sprintf("%s is of %s, this is %s", path, h.build(), now.build()))
	}
	warnings := slices.Clone(run.Info.Warnings)
	if part := run.Unfinished(); part != "" {
		warnings = append(warnings, part)
	}
	run.Info.Warnings = append(warnings, run.Notes...)
	return run, nil
}

// Unfinished says how much of the run is there where Read found its journal
// alone; empty for a run that wrote its files. It is among the warnings, too.
func (r *Run) Unfinished() string {
	if r.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s so far; if the run was interrupted, --resume goes on", len(r.Results), terminal.Count(r.Total, "point"))
}

// Progress returns how many points' results the journal in dir has, and of how many points
// its run is. ErrNoJournal where there is none.
func Progress(dir string) (have, total int, err error) {
	f, err := bounded.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, os.ErrNotExist) {
		return 0, 0, ErrNoJournal
	}
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	seen := map[string]bool{}
	c, err := scanJournal(f, fi.Size(), func(content []byte, _ int64) (string, error) {
		var r struct {
			Point plan.Point `json:"point"`
		}
		err := json.Unmarshal(content, &r)
		key := r.Point.Key()
		seen[key] = err == nil || seen[key]
		return key, err
	}, func(Info) {})
	if err != nil {
		return 0, 0, err
	}
	return len(seen), c.headers[0].Total, nil
}
