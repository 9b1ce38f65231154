package record

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// The limit of memory up to which garbage is left is of journals, not of runs whose rows are
// all in memory: above it nothing but collecting would be done.
func TestCollectLessIsOfJournals(t *testing.T) {
	journal, files := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(journal, JournalFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	before := debug.SetMemoryLimit(-1)
	for _, c := range []struct {
		parts   []Part
		limited bool
	}{
		{[]Part{{Dir: journal}}, true},
		{[]Part{{Dir: journal}, {Dir: files}}, false},
		{[]Part{{Dir: files}}, false},
	} {
		undo := collectLess(c.parts)
		limit := debug.SetMemoryLimit(-1)
		undo()
		if (limit != before) != c.limited {
			t.Errorf("%v: the limit is %d bytes, %d before", c.parts, limit, before)
		}
		if after := debug.SetMemoryLimit(-1); after != before {
			t.Errorf("%v: a limit of %d bytes is left", c.parts, after)
		}
	}
}
