package history

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/test/damage"
)

// lines are a history of a published run at three revisions.
func lines(f *testing.F) []byte {
	run, err := record.Read("../../results/h100-counters")
	if err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	for i, revision := range []string{"a", "b", "c"} {
		entries, err := Entries(run, revision)
		if err != nil {
			f.Fatal(err)
		}
		for _, e := range entries[:2] {
			e.Started = time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
			line, err := json.Marshal(e)
			if err != nil {
				f.Fatal(err)
			}
			b.Write(append(line, '\n'))
		}
	}
	return b.Bytes()
}

// FuzzHistory: a file of any content is refused in a line, or judged, shown and added to; each
// line of it is read or named.
func FuzzHistory(f *testing.F) {
	good := lines(f)
	f.Add(good, uint64(0))
	for seed := range 40 {
		f.Add(good, uint64(seed+1))
	}
	f.Add(append([]byte("\ufeff"), good...), uint64(0))
	f.Add([]byte("\xff\xfe{\x00"), uint64(0))
	f.Add(bytes.Replace(good, []byte(`"processor":"GPU",`), nil, 1), uint64(0))
	for _, long := range []string{`{"format":1,"started":"2026-01-02T00:` + strings.Repeat("x", 9000) + `"}`, `{"format":` + strings.Repeat("9", 9000) + `}`,
		`{"format":1,"status":"` + strings.Repeat("x", 9000) + `"}`, string(bytes.Replace(good, []byte(`"metrics":{`), []byte(`"metrics":{"`+strings.Repeat("x", 9000)+`":{"value":0},`), 1))} {
		f.Add([]byte(long), uint64(0))
	}
	path := filepath.Join(f.TempDir(), "h.jsonl")
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, "h.jsonl", text)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 64<<20+4000*len(text), func() {
			h, err := readAt(path, now)
			damage.CheckError(t, err)
			if err != nil {
				return
			}
			for _, line := range h.Damaged {
				damage.CheckLine(t, line)
			}
			c := h.Check(10)
			if c.Text() == "" || c.Markdown() == "" {
				t.Error("it is not judged in words")
			}
			c.Show()
			for i := range h.Entries {
				again, err := json.Marshal(h.Entries[i])
				if err != nil {
					t.Fatal(err)
				}
				if e, err := parse(again); err != nil || e.key() != h.Entries[i].key() {
					t.Errorf("%s is not read again: %v", again, err)
				}
			}
			if _, err := Append(path, h.Entries); err != nil {
				t.Error(err)
			}
		})
	})
}
