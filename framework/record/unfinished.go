package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// readUnfinished puts together what the journal in dir holds of a run that has
// not written its files. ErrNoJournal where there is no such run.
func readUnfinished(dir string) (*Run, error) {
	path := filepath.Join(dir, JournalFile)
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, ErrNoJournal
	}
	if err != nil {
		return nil, err
	}
	h, results, sessions, _, err := parseJournal(b)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case h.Total == 0: // a search's
		return nil, ErrNoJournal
	case len(results) == 0:
		return nil, fmt.Errorf("%s: none of %d points, interrupted; --resume goes on", dir, h.Total)
	}
	info := Info{Config: ConfigFile{Path: h.Config, Hash: h.ConfigHash, Set: h.Set}, Seed: h.Seed}
	if last := len(sessions) - 1; last >= 0 {
		info = sessions[last]
		info.Resume(sessions[:last])
	}
	r := NewRun(info, h.Prefix, h.Axes, results)
	r.Total = h.Total
	r.Info.Warnings = append(r.Info.Warnings[:len(r.Info.Warnings):len(r.Info.Warnings)], r.Unfinished())
	return r, nil
}

// Unfinished says how much of the run is there where Read found its journal
// alone; empty for a run that wrote its files. It is among the warnings, too.
func (r *Run) Unfinished() string {
	if r.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d points, interrupted; --resume goes on", len(r.Rows), r.Total)
}
