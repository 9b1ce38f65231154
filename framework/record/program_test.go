package record

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/bench/internal/linux"
)

// TestSumIsOfWhatTheFileHolds, whether it is kept or not; what is kept is used, and not
// for a file that is another, or was changed.
func TestSumIsOfWhatTheFileHolds(t *testing.T) {
	user, err := os.UserCacheDir() // one in /tmp is not trusted
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.MkdirTemp(user, "bench-test")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(cache)
	t.Setenv("XDG_CACHE_HOME", cache)
	kept := func() (files []string) {
		all, _ := filepath.Glob(filepath.Join(cache, "bench/programs/*"))
		for _, f := range all {
			if filepath.Base(f) != "trimmed" {
				files = append(files, f)
			}
		}
		return files
	}
	path := filepath.Join(t.TempDir(), "program")
	put := func(text string) string {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	// settle waits until the file's last change is long ago.
	settle := func() {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		at, _, known := linux.Change(info)
		if !known {
			t.Fatal("when the file changed is not known")
		}
		time.Sleep(time.Until(at.Add(settled + 10*time.Millisecond)))
	}
	one := put("one")
	settle()
	if got := sumOf(path); got != one || len(kept()) != 1 {
		t.Fatalf("%s, want %s; kept are %v", got, one, kept())
	}
	false1 := strings.Repeat("f", 64)
	if err := os.WriteFile(kept()[0], []byte(false1), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := sumOf(path); got != false1 {
		t.Errorf("%s, want the kept %s", got, false1)
	}
	if err := os.WriteFile(kept()[0], []byte("ff"), 0o600); err != nil { // cut off
		t.Fatal(err)
	}
	if got := sumOf(path); got != one {
		t.Errorf("%s, want %s", got, one)
	}
	// Of the same size and, once that is set, the same time of modification.
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	two := put("two")
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	if got := sumOf(path); got != two {
		t.Errorf("%s, want %s", got, two)
	}
	settle()
	if got := sumOf(path); got != two || len(kept()) != 2 {
		t.Errorf("%s, want %s; kept are %v", got, two, kept())
	}
	if got := sumOf(path + "2"); got != "" {
		t.Errorf("a file that is not there has the sum %s", got)
	}
}

// TestSumOfAFileThatJustChanged is not kept: it may change again at the same time.
func TestSumOfAFileThatJustChanged(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if kept := keptSum(f); kept != "" {
		info, _ := f.Stat()
		if at, _, _ := linux.Change(info); time.Since(at) < settled {
			t.Errorf("it would be kept at %s", kept)
		}
	}
}
