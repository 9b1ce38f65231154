package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"example.org/bench/internal/safefile"
)

// MoveAside renames a folder that holds a run, or the named file of results, to its
// name and the time of that run, so that a new run there loses nothing. It returns
// the new name, or nothing if dir holds no run. The target of a link is renamed and
// replaced by an empty folder. A folder that another run still writes to, and the
// working folder, are errors.
func MoveAside(dir string, also ...string) (moved string, err error) {
	when, found, err := runTime(dir, append(also, JournalFile, InfoFile))
	if err != nil || !found {
		return "", err
	}
	// Published runs have no journal; one holds the lock until the folder has moved.
	journal, lock, err := lockedJournal(dir, openFolder, os.O_CREATE)
	switch {
	case err == nil:
		defer journal.Close()
		defer func() {
			if fi, statErr := lock.Stat(); statErr == nil && fi.Size() == 0 && moved != "" {
				journal.folder.Remove(JournalFile)
			}
		}()
	case errors.Is(err, os.ErrNotExist): // another run has moved the folder
		return "", nil
	case !errors.Is(err, os.ErrPermission): // which renaming it needs, too
		return "", err
	}
	dir = filepath.Clean(dir)
	link := false
	if fi, err := os.Lstat(dir); err == nil && fi.Mode()&os.ModeSymlink != 0 {
		link = true
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return "", fmt.Errorf("keep the earlier run: %w", err)
		}
	}
	if inside(dir) {
		return "", fmt.Errorf("%s holds an earlier run and cannot be renamed, as this is the working directory: name another folder with --out", dir)
	}
	above, err := safefile.OpenFolder(filepath.Dir(dir))
	if err != nil {
		return "", fmt.Errorf("keep the earlier run: %w", err)
	}
	defer above.Close()
	name := filepath.Base(dir)
	base := name + "-" + when.Format("20060102-150405")
	to := base
	for n := 2; ; n++ {
		if _, err := above.Lstat(to); errors.Is(err, os.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s.%d", base, n)
	}
	err = rename(above, name, to)
	if err == nil && link {
		var empty *safefile.Folder
		if empty, err = above.Make(name); err == nil {
			err = empty.Close()
		}
	}
	if errors.Is(err, syscall.EBUSY) || errors.Is(err, syscall.EXDEV) {
		return "", fmt.Errorf("%s holds an earlier run and cannot be renamed, as another file system is mounted there: name a folder below it with --out", dir)
	}
	if err != nil {
		return "", fmt.Errorf("keep the earlier run: %w", err)
	}
	return above.Path(to), nil
}

var rename = (*safefile.Folder).Rename // a test has it fail as at a mount point

// runTime is when the last of the files that show a run was written.
func runTime(dir string, files []string) (last time.Time, found bool, err error) {
	for _, f := range files {
		fi, err := os.Stat(filepath.Join(dir, f))
		switch {
		case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // CreateJournal says what is wrong with the folder
		case err != nil:
			return last, false, fmt.Errorf("look for an earlier run: %w", err)
		case fi.ModTime().After(last):
			last, found = fi.ModTime(), true
		}
	}
	return last, found, nil
}

// inside reports whether the process works in the folder or below it.
func inside(dir string) bool {
	wd, err := os.Getwd()
	if err != nil {
		return false
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return false
	}
	return strings.HasPrefix(wd+"/", strings.TrimRight(dir, "/")+"/")
}
