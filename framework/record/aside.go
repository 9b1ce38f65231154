package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// MoveAside renames a folder that holds a run, to its name and the time of
// the run's last point, so that a new run there loses nothing. It returns the
// new name, or nothing where dir holds no run. A folder that another run still
// writes to is an error.
func MoveAside(dir string) (string, error) {
	fi, err := os.Stat(filepath.Join(dir, JournalFile))
	if err != nil {
		return "", nil // CreateJournal says what is wrong with the folder
	}
	_, lock, err := lockedJournal(dir, 0)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	base := strings.TrimRight(dir, "/") + "-" + fi.ModTime().Format("20060102-150405")
	to := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s.%d", base, n)
	}
	if err := os.Rename(dir, to); err != nil {
		return "", fmt.Errorf("keep the earlier run: %w", err)
	}
	return to, nil
}
