package diskcache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// age writes a file that was used so long ago.
func age(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("code"), 0o666); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-ago)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}

func TestUnusedIsRemoved(t *testing.T) {
	const day = 24 * time.Hour
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder, err := Folder("kernels")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(os.Getenv("XDG_CACHE_HOME"), "bench", "kernels"); folder != want {
		t.Errorf("folder %s, want %s", folder, want)
	}
	age(t, filepath.Join(folder, "new"), time.Hour)
	age(t, filepath.Join(folder, "old"), 29*day)
	age(t, filepath.Join(folder, "unused"), 31*day)
	age(t, filepath.Join(folder, "used"), 31*day)
	age(t, filepath.Join(folder, "recent"), 2*day)
	age(t, filepath.Join(folder, "compile-1", "left"), time.Hour)
	then := time.Now().Add(-40 * day)
	if err := os.Chtimes(filepath.Join(folder, "compile-1"), then, then); err != nil {
		t.Fatal(err)
	}
	if !Use(filepath.Join(folder, "used")) || Use(filepath.Join(folder, "absent")) {
		t.Error("Use does not tell what is there")
	}
	Use(filepath.Join(folder, "recent"))
	if info, err := os.Stat(filepath.Join(folder, "recent")); err != nil || time.Since(info.ModTime()) > day {
		t.Errorf("%v, %v: a use is not noted", info.ModTime(), err)
	}
	if _, err := Folder("kernels"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, folder), "compile-1 new old recent trimmed unused used"; got != want {
		t.Errorf("within a day: %s, want %s", got, want)
	}
	age(t, filepath.Join(folder, trimmed), 25*time.Hour)
	if _, err := Folder("kernels"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, folder), "new old recent trimmed used"; got != want {
		t.Errorf("a day later: %s, want %s", got, want)
	}
}

func TestNoFolder(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/proc/self/none")
	if _, err := Folder("kernels"); err == nil || !strings.Contains(err.Error(), "/proc/self/none") {
		t.Errorf("error %v: want one that names the folder", err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if _, err := Folder("kernels"); err == nil || !strings.Contains(err.Error(), "set HOME or XDG_CACHE_HOME") {
		t.Errorf("error %v: want one that says what to set", err)
	}
}
