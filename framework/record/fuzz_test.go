package record

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// Lines of any content, with the right sums: none may panic. A journal that lost
// its last bytes lost no more results than lines.
func FuzzJournal(f *testing.F) {
	for _, path := range frozen(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) < 8<<10 { // what is long is mutated rarely in each place
			f.Add(string(text), uint16(1))
		}
	}
	f.Add(`{"crc32c":"00000000","header":{"journal_format":3,"total":1}}`+"\n"+`{"crc32c":"00000000","result":{"point":{"N":1}}}`+"\n", uint16(60))
	f.Fuzz(func(t *testing.T, text string, cut uint16) {
		var whole []byte
		for line := range strings.Lines(text) {
			whole = append(whole, summed(strings.TrimSuffix(line, "\n"))...)
		}
		run, err := unfinishedRun("fuzz", bytes.NewReader(whole), int64(len(whole)))
		if (run == nil) == (err == nil) {
			t.Fatalf("a run %v and error %v", run, err)
		}
		all, err := parseJournal(whole)
		if err != nil || int(cut) >= len(whole) {
			return
		}
		shorter := whole[:len(whole)-int(cut)]
		lost := bytes.Count(whole[len(shorter):], []byte("\n"))
		if had, err := parseJournal(shorter); err == nil && len(had.results) < len(all.results)-lost {
			t.Errorf("%d results of %d, and %d lines were lost", len(had.results), len(all.results), lost)
		}
	})
}

// summed is a journal's line with the sum of what it holds; what has not its form
// stays as it is.
func summed(line string) []byte {
	if len(line) <= bodyStart || !strings.HasPrefix(line, sumStart) || line[len(line)-1] != '}' {
		return []byte(line + "\n")
	}
	return encodeBody([]byte(line[bodyStart : len(line)-1]))
}
