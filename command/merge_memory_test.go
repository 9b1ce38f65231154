package command

import (
	"path/filepath"
	"runtime/debug"
	"testing"

	"bench/framework/record"
)

// The limit of memory up to which garbage is left is of journals, not of runs whose rows are
// all in memory: above it nothing but collecting would be done.
func TestCollectLessIsOfJournals(t *testing.T) {
	journal, files := t.TempDir(), t.TempDir()
	write(t, filepath.Join(journal, record.JournalFile), "")
	before := debug.SetMemoryLimit(-1)
	for _, c := range []struct {
		parts   []record.Part
		limited bool
	}{
		{[]record.Part{{Dir: journal}}, true},
		{[]record.Part{{Dir: journal}, {Dir: files}}, false},
		{[]record.Part{{Dir: files}}, false},
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
