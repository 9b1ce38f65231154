package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/prometheus/procfs"

	"example.org/bench/internal/linux"
)

const (
	// folderBytes is what the temporary folder of a confined worker and its keeper may hold. The
	// worker can remove nothing there, so that all of it can be counted.
	folderBytes = 1 << 30
	// entryBytes is the least that a file or a folder counts for: file systems run out of names too.
	entryBytes = 64 << 10
	// countedEvery is how often the folder is counted.
	countedEvery = 250 * time.Millisecond
)

// watch ends the worker once its folder, if it has one, holds more than most bytes or cannot be
// counted, or once it has more than mostThreads.
func (p *process) watch(folder string, most int64) {
	tick := time.NewTicker(countedEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.exited:
			return
		case <-tick.C:
		}
		why := ""
		if threadsOf(p.group) > mostThreads {
			why = fmt.Sprintf("it has more than %d threads", mostThreads)
		} else if bytes, err := heldBy(folder); err != nil {
			why = fmt.Sprintf("its temporary folder cannot be counted: %v", err)
		} else if bytes > most {
			why = fmt.Sprintf("its temporary folder holds more than %d MiB, or %d files", most>>20, most/entryBytes)
		}
		if why != "" {
			p.why.Store(&why)
			p.end()
			return
		}
	}
}

// threadsOf returns the number of threads of a process; 0 if it has ended.
func threadsOf(pid int) int {
	process, err := procfs.NewProc(pid)
	if err != nil {
		return 0
	}
	stat, _ := process.Stat() // an error: it has ended
	return stat.NumThreads
}

// heldBy returns the bytes that a folder takes of its file system, entryBytes at least for each
// entry. What is removed meanwhile does not count.
func heldBy(folder string) (sum int64, err error) {
	err = filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
		sum += max(entryBytes, linux.Taken(info))
		return nil
	})
	return sum, err
}
