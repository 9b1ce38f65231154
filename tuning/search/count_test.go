package search

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
)

// Trials that are ok have the counters that the config asks for, read when nothing is
// measured any more; what is missing is said once.
func TestTrialsHaveCounters(t *testing.T) {
	y, dir := &toy{}, t.TempDir()
	o := y.options("exhaustive")
	o.Confirm = 0
	var notes []string
	o.Note = func(format string, args ...any) { notes = append(notes, format) }
	s := y.open(t, `"versions": ["real"], "counters": ["task-clock_s", "dram__bytes.sum"], "sweep_arg": {"N": [1]}`, o)
	if err := s.Run(t.Context(), journalIn(t, dir), nil, &show{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write(safefiletest.Hold(t, dir)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, TrialsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	last := len(table[0]) - 1
	if table[0][last] != "task-clock_s" || slices.Contains(table[0], "dram__bytes.sum") {
		t.Fatalf("columns %q", table[0])
	}
	status, ok := slices.Index(table[0], "status"), 0
	for _, row := range table[1:] {
		if counted := row[last] != ""; counted != (row[status] == string(record.OK)) {
			t.Errorf("%s: task-clock_s is %q", row[status], row[last])
		} else if counted {
			ok++
		}
	}
	if ok == 0 || len(notes) != 0 {
		t.Errorf("%d trials have counters; notes %s", ok, strings.Join(notes, "; "))
	}
}
