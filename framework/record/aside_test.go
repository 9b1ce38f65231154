package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMoveAsideKeepsEveryRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if to, err := MoveAside(dir); to != "" || err != nil {
		t.Errorf("no folder: %q, %v", to, err)
	}
	var kept []string
	for range 3 {
		j, err := CreateJournal(dir, Header{Config: "a.json"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := MoveAside(dir); err == nil || !strings.Contains(err.Error(), "another bench run writes to "+dir) {
			t.Errorf("a running one: %v", err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		to, err := MoveAside(dir)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, to)
	}
	for _, k := range kept {
		if _, err := os.Stat(filepath.Join(k, JournalFile)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

// A published run has no journal, and results of another kind have their own file.
func TestMoveAsideWithoutJournal(t *testing.T) {
	for _, file := range []string{InfoFile, "ab.json"} {
		dir := filepath.Join(t.TempDir(), "run")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		to, err := MoveAside(dir+"/./", "ab.json")
		if _, missing := os.Stat(filepath.Join(to, file)); err != nil || missing != nil || !strings.HasPrefix(to, dir+"-") {
			t.Errorf("%s: moved to %q: %v, %v", file, to, err, missing)
		}
	}
}

func TestMoveAsideOfLink(t *testing.T) {
	base := t.TempDir()
	real, link := filepath.Join(base, "real"), filepath.Join(base, "link")
	if err := os.Mkdir(real, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(real, InfoFile), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	to, err := MoveAside(link)
	if err != nil || !strings.HasPrefix(to, real+"-") {
		t.Fatalf("moved to %q: %v", to, err)
	}
	if left, err := os.ReadDir(link); err != nil || len(left) != 0 {
		t.Errorf("behind the link: %v, %v; want an empty folder", left, err)
	}
}

func TestMoveAsideOfWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(InfoFile, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("below", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{".", "below/.."} {
		if _, err := MoveAside(dir); err == nil || !strings.Contains(err.Error(), "this is the working directory") {
			t.Errorf("%s: %v", dir, err)
		}
	}
}
