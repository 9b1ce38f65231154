package record

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"example.org/bench/internal/safefile"
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

// Of runs that start at once in a folder one has it, and none writes to a folder
// that another has moved aside.
func TestManyStartsAtOnce(t *testing.T) {
	base := t.TempDir()
	for round := range 60 {
		dir := filepath.Join(base, "run")
		if round%3 == 0 { // a published run has no journal
			dir = filepath.Join(base, fmt.Sprint("published", round))
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, InfoFile), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var ready, done sync.WaitGroup
		begin, held := make(chan struct{}), make(chan *Journal, 8)
		for range 8 {
			ready.Add(1)
			done.Add(1)
			go func() {
				defer done.Done()
				ready.Done()
				<-begin
				if _, err := MoveAside(dir); err != nil {
					return
				}
				if j, err := CreateJournal(dir, testHeader); err == nil {
					held <- j
				}
			}()
		}
		ready.Wait()
		close(begin)
		done.Wait()
		close(held)
		var list []*Journal
		for j := range held {
			list = append(list, j)
			mine, err := j.file.(*os.File).Stat()
			if err != nil {
				t.Fatal(err)
			}
			if now, err := os.Stat(j.Path()); err != nil || !os.SameFile(mine, now) {
				t.Errorf("round %d: a journal is no longer at its path: %v", round, err)
			}
		}
		if len(list) > 1 {
			t.Errorf("round %d: %d runs hold the folder", round, len(list))
		}
		for _, j := range list {
			j.Close()
		}
	}
}

// A mount point cannot be renamed.
func TestMoveAsideOfMountPoint(t *testing.T) {
	dir := t.TempDir()
	mustCreate(t, dir, testResult(0))
	was := rename
	rename = func(_ *safefile.Folder, from, to string) error {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EBUSY}
	}
	t.Cleanup(func() { rename = was })
	_, err := MoveAside(dir)
	if want := dir + " holds an earlier run and cannot be renamed, as another file system is mounted there: name a folder below it with --out"; err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
}
