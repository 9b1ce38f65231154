package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/record"
)

// A wrong answer's reason says which elements are wrong and which the version never
// writes, whatever they held; both arrays are written where that is asked for.
func TestWrongAnswersAreExplained(t *testing.T) {
	folder := t.TempDir()
	b := newBed(t, func(o *Options) { o.Dump = folder })
	r := b.results(t, pointOf("shown", 1))[0]
	const want = "error 2 is above 1: 2 of 3 elements wrong, 1 never written; first y[1] (row 1, col 0): got 8, want 7"
	if r.Status != record.Wrong || r.Reason != want {
		t.Errorf("%s (%s); want %s", r.Status, r.Reason, want)
	}
	path := filepath.Join(folder, "stand-in-shown-cpu-N=1.y")
	if notes := DumpNotes(&r); !slices.Equal(notes, []string{Dumped + path + ".got.npy, .want.npy"}) {
		t.Errorf("notes %q", notes)
	}
	for _, ending := range []string{".got.npy", ".want.npy"} {
		if _, err := os.Stat(path + ending); err != nil {
			t.Error(err)
		}
	}
	r = b.results(t, pointOf("not shown", 1))[0]
	if r.Status != record.Wrong || r.Reason != "error 2 is above 1" || !strings.Contains(strings.Join(r.Notes, "\n"), "where the answer is wrong is unknown: lost it") {
		t.Errorf("%s (%s), %q", r.Status, r.Reason, r.Notes)
	}
}
