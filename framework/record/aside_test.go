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
