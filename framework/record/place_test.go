package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJournalThatIsLost is noticed at the next point, or at the end; nothing is written over what
// has its name then, and what was measured is elsewhere.
func TestJournalThatIsLost(t *testing.T) {
	for what, change := range map[string]func(dir string) error{
		"removed":      os.RemoveAll,
		"file removed": func(dir string) error { return os.Remove(filepath.Join(dir, JournalFile)) },
		"replaced": func(dir string) error {
			path := filepath.Join(dir, JournalFile)
			return errors.Join(os.Remove(path), os.WriteFile(path, []byte("another's"), 0o666))
		},
		"a link": func(dir string) error {
			path := filepath.Join(dir, JournalFile)
			return errors.Join(os.Rename(path, path+".old"), os.Symlink(path+".old", path))
		},
		"truncated": func(dir string) error { return os.Truncate(filepath.Join(dir, JournalFile), 0) },
		"grown": func(dir string) error {
			f, err := os.OpenFile(filepath.Join(dir, JournalFile), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("another's")
			return errors.Join(err, f.Close())
		},
	} {
		for _, atEnd := range []bool{false, true} {
			t.Setenv("TMPDIR", t.TempDir())
			dir := filepath.Join(t.TempDir(), "run")
			j, err := CreateJournal(dir, testHeader)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Append(testResult(0)); err != nil {
				t.Error(err)
			}
			if err := change(dir); err != nil {
				t.Fatal(err)
			}
			journal, _ := os.ReadFile(filepath.Join(dir, JournalFile))
			if !atEnd {
				if err := j.Append(testResult(1)); !errors.Is(err, ErrLost) || !strings.Contains(err.Error(), JournalFile+" was removed or replaced while the run wrote to it") {
					t.Errorf("%s: %v", what, err)
				}
			}
			place, err := j.Place()
			if again, err2 := j.Place(); again != place || err2 != err {
				t.Errorf("%s: another place", what)
			}
			if !errors.Is(err, ErrLost) || place == nil || !strings.HasSuffix(err.Error(), ": what it measured is in "+place.String()) {
				t.Fatalf("%s: %v, %v", what, place, err)
			}
			if inside := strings.HasPrefix(place.String(), dir+"/kept-"); inside == (what == "removed") {
				t.Errorf("%s: kept in %s", what, place)
			}
			_, results, kept, err := OpenJournal(place.String())
			if cut := what == "truncated" || what == "grown"; cut && !errors.Is(err, ErrNoJournal) || !cut && (err != nil || len(results) != 1) {
				t.Errorf("%s: kept %d results, %v", what, len(results), err)
			}
			if err == nil {
				kept.Close()
			}
			if err := WriteIn(place, NewRun(Info{}, "fft", nil, []Result{testResult(0), testResult(1)})); err != nil {
				t.Error(err)
			}
			if r, err := Read(place.String()); err != nil || len(r.Rows) != 2 {
				t.Errorf("%s: %v", what, err)
			}
			if _, err := os.Stat(filepath.Join(dir, InfoFile)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: files are in the folder: %v", what, err)
			}
			if now, _ := os.ReadFile(filepath.Join(dir, JournalFile)); string(now) != string(journal) {
				t.Errorf("%s: the journal has become %q", what, now)
			}
			j.Close()
		}
	}
}

// TestFolderThatIsRenamed keeps the run that was begun in it.
func TestFolderThatIsRenamed(t *testing.T) {
	above := t.TempDir()
	dir, moved := filepath.Join(above, "run"), filepath.Join(above, "moved")
	j, err := CreateJournal(dir, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	mustCreate(t, dir, testResult(5))
	if err := j.Append(testResult(0)); err != nil {
		t.Fatal(err)
	}
	place, err := j.Place()
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteIn(place, NewRun(Info{}, "fft", nil, []Result{testResult(0)})); err != nil {
		t.Fatal(err)
	}
	if now := place.Now(); now != moved || place.String() != dir {
		t.Errorf("the folder %s is %s", place, now)
	}
	for _, path := range []string{dir, moved} {
		r, err := ReadJournal(path)
		if want := map[string]int{dir: 5, moved: 0}[path]; err != nil || len(r.Rows) != 1 || r.Rows[0].Point != want {
			t.Errorf("%s: %+v, %v", path, r, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, InfoFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("another run's folder has files: %v", err)
	}
}
