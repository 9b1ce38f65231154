package fleet

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/safefile/safefiletest"
)

// What cannot be read is neither left out nor taken for nothing.
func TestJournalThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	f := &Fleet{dir: dir, folder: safefiletest.Hold(t, dir), Runs: []jobRun{{Prefix: "run"}}, Boards: []*Board{{Host: "b", Name: "b"}}}
	b := f.Boards[0]
	if parts, err := f.Results("run"); err != nil || len(parts) != 0 {
		t.Errorf("nothing has come: %v, %v", parts, err)
	}
	if got := f.progress(b, "run", 0); got != "0 results" {
		t.Errorf("nothing has come: %s", got)
	}
	clear(f.results)
	journal := filepath.Join(dir, f.journal(b, "run"))
	if err := os.MkdirAll(journal, 0o777); err != nil { // a folder cannot be read
		t.Fatal(err)
	}
	if got := f.progress(b, "run", 0); !strings.Contains(got, "not counted: read "+journal) {
		t.Errorf("a journal that cannot be read: %s", got)
	}
	if err := os.RemoveAll(journal); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, []byte(resultLine+"\n"+resultLine+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := f.progress(b, "run", 1); got != "2 results" {
		t.Errorf("counted again: %s", got)
	}
	if parts, err := f.Results("run"); err != nil || len(parts) != 1 {
		t.Errorf("%v, %v", parts, err)
	}
	run := filepath.Dir(journal)
	if err := os.RemoveAll(run); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(run, nil, 0o666); err != nil { // nothing below a file can be looked at
		t.Fatal(err)
	}
	if parts, err := f.Results("run"); err == nil {
		t.Errorf("a journal that cannot be looked at: %v", parts)
	}
	if _, err := f.watch(t.Context(), b, false); err == nil || !strings.Contains(err.Error(), "not a directory") {
		t.Errorf("a journal that cannot be looked at is followed: %v", err)
	}
}

// A task whose journal cannot be read is not left out of what is merged.
func TestTaskThatCannotBeRead(t *testing.T) {
	a := &Array{dir: t.TempDir(), Tasks: []task{{Prefix: "run"}}}
	if parts, err := a.Results("run"); err != nil || len(parts) != 0 {
		t.Errorf("nothing was measured: %v, %v", parts, err)
	}
	if err := os.MkdirAll(filepath.Join(a.folder(0), "journal.jsonl"), 0o777); err != nil {
		t.Fatal(err)
	}
	if parts, err := a.Results("run"); err == nil {
		t.Errorf("a journal that cannot be read: %v", parts)
	}
}

// A file of a config's that cannot be read is not left out, and words that name none are.
func TestSourceThatCannotBeRead(t *testing.T) {
	dir := files(t, map[string]string{"c.json": `{"source": "k.cu", "more": ["c.json/x", "` + strings.Repeat("x", 5000) + `", "a\u0000b", "none"]}`})
	if list, err := filesOf(filepath.Join(dir, "c.json")); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if err := os.Symlink("/proc/self/mem", filepath.Join(dir, "k.cu")); err != nil {
		t.Fatal(err)
	}
	if list, err := filesOf(filepath.Join(dir, "c.json")); err == nil || !strings.Contains(err.Error(), "k.cu") {
		t.Errorf("%v, %v", list, err)
	}
}
