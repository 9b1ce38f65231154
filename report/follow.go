package report

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.org/bench/framework/record"
)

const (
	// reload is how often a page that follows a run reloads itself, and how often the file is written at
	// most.
	reload = 2 * time.Second
	// writingShare is how many times the time that writing the file took must pass before it is written
	// again. The run is thus disturbed for at most a twentieth of its time.
	writingShare = 20
)

// running is what changes in a folder while a run writes to it.
type running struct {
	points int       // of the journal; negative without one
	ended  time.Time // when run.json was written; zero without one
}

func runningIn(folders []string) (all []running) {
	for _, dir := range folders {
		r := running{points: -1}
		if n, _, err := record.Progress(dir); err == nil {
			r.points = n
		}
		if info, err := os.Stat(filepath.Join(dir, record.InfoFile)); err == nil {
			r.ended = info.ModTime()
		}
		all = append(all, r)
	}
	return all
}

// changed waits for a while, and then until the folders are no longer as they were. It reports whether ctx is
// still valid.
func changed(ctx context.Context, folders []string, were []running, while time.Duration) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(while):
		}
		if !slices.Equal(runningIn(folders), were) {
			return true
		}
		while = reload
	}
}

// Follow returns a Read that waits while a run writes to the folders. It has each new form of the document
// written, whose page reloads itself, and returns the last form, of the run that has ended. The error is
// ctx's when ctx ends, or that of writing.
func Follow(ctx context.Context, write func(*Document) error) func(folders []string, o Options) (*Document, error) {
	return func(folders []string, o Options) (*Document, error) {
		begun := func(r running) bool { return r.points == 0 } // and nothing else yet
		for slices.ContainsFunc(runningIn(folders), begun) {
			if !changed(ctx, folders, runningIn(folders), time.Second/10) {
				return nil, ctx.Err()
			}
		}
		for {
			began, were := time.Now(), runningIn(folders)
			d, err := Read(folders, o)
			if err != nil || !d.part {
				return d, err
			}
			d.Reload = reload.Seconds()
			if err := write(d); err != nil {
				return nil, err
			}
			if !changed(ctx, folders, were, max(reload, writingShare*time.Since(began))) {
				return nil, ctx.Err()
			}
		}
	}
}
