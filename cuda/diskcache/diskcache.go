// Package diskcache keeps compiled code in files below the user's cache folder
// (os.UserCacheDir), and removes files that are no longer used.
package diskcache

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const (
	// keep is how long an unused file stays.
	keep = 30 * 24 * time.Hour
	// trimmed is the file whose time says when the folder was last trimmed.
	trimmed = "trimmed"
	// interval is the time between two trims, and the precision of a file's last
	// use.
	interval = 24 * time.Hour
)

// Folder returns bench/NAME below the user's cache folder and creates it if it is
// missing. Once a day it removes the files and folders in it that were neither
// made nor used within 30 days, among them those that killed processes left.
func Folder(name string) (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for compiled code: %w; set HOME or XDG_CACHE_HOME", err)
	}
	folder := filepath.Join(base, "bench", name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("folder for compiled code: %w", err)
	}
	trim(folder, time.Now())
	return folder, nil
}

// Use reports whether the file exists and, if so, keeps it for the next 30
// days.
func Use(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > interval {
		_ = os.Chtimes(path, now, now) // else it is compiled again some day
	}
	return true
}

// trim ignores files that it cannot remove: another process may have removed
// them.
func trim(folder string, now time.Time) {
	mark := filepath.Join(folder, trimmed)
	if info, err := os.Stat(mark); err == nil && now.Sub(info.ModTime()) < interval {
		return
	}
	if os.WriteFile(mark, nil, 0o600) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > keep {
			_ = os.RemoveAll(filepath.Join(folder, e.Name()))
		}
	}
}
