package history_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/history"
	"example.org/bench/framework/history/historytest"
)

// redated is a history of runs by factor, of which those that date gives a date have it.
func redated(t *testing.T, n int, factor func(int) float64, date func(run int) string) string {
	t.Helper()
	path := historytest.Grow(t, n, factor)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	for i := range n {
		d := date(i)
		if d == "" {
			continue
		}
		var e history.Entry
		if err := json.Unmarshal([]byte(lines[i]), &e); err != nil {
			t.Fatal(err)
		}
		if e.Started, err = time.Parse(time.DateOnly, d); err != nil {
			t.Fatal(err)
		}
		e.Started = e.Started.Add(time.Duration(i) * time.Minute)
		b, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = string(b) + "\n"
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func dated(from, to int, as string) func(int) string {
	return func(run int) string {
		if run >= from && run < to {
			return as
		}
		return ""
	}
}

// TestUndated: runs dated by a clock that was wrong are not ordered by it. Where they may be
// the last ones, no gate says that nothing is worse.
func TestUndated(t *testing.T) {
	steady := historytest.Step(99, 1)
	for _, c := range []struct {
		name   string
		factor func(int) float64
		date   func(int) string
		want   history.Verdict
		reason string // of the series
		left   int
	}{
		{"right dates", historytest.Step(35, 1.2), dated(0, 0, ""), history.GateWorse, "", 0},
		{"the slower runs of a board without a clock", historytest.Step(35, 1.2), dated(35, 45, "1970-01-01"), history.GateInconclusive, "10 runs that may be the last are left out: dated 1970-01-01", 10},
		{"the last alone", steady, dated(44, 45, "1970-01-01"), history.GateInconclusive, "1 run that may be the last is left out: dated 1970-01-01", 1},
		{"the date of the system", steady, dated(40, 45, "2018-02-11"), history.GateInconclusive, "5 runs that may be the last are left out", 5},
		{"in the future", steady, dated(44, 45, "2199-01-01"), history.GateInconclusive, "1 run that may be the last is left out", 1},
		{"just not the last ten", steady, dated(34, 35, "1970-01-01"), history.GateNoWorse, "", 1},
		{"just one of the last ten", steady, dated(35, 36, "1970-01-01"), history.GateInconclusive, "1 run that may be", 1},
		{"slower by the dated ones", historytest.Step(32, 1.2), dated(40, 41, "1970-01-01"), history.GateWorse, "", 1},
		{"all of them", steady, dated(0, 45, "1970-01-01"), history.GateInconclusive, "45 runs that may be the last are left out", 45},
	} {
		f, err := history.Read(redated(t, 45, c.factor, c.date))
		if err != nil {
			t.Fatal(err)
		}
		check := f.Check(10)
		if len(check.Series) != 1 || check.Verdict != c.want || check.Runs != 45-c.left || !strings.HasPrefix(check.Series[0].Reason, c.reason) || len(f.Undated) != c.left {
			t.Errorf("%s: %s, %d runs, %d left out, %+v", c.name, check.Verdict, check.Runs, len(f.Undated), check.Series)
			continue
		}
		told := slices.ContainsFunc(check.Notes, func(n string) bool { return strings.Contains(n, "left out, as the clock was wrong (dated ") })
		if told != (c.left > 0) {
			t.Errorf("%s: notes %q", c.name, check.Notes)
		}
		if c.reason != "" && !strings.Contains(check.Text()+check.Show()+check.Markdown(), c.reason) {
			t.Errorf("%s: not said", c.name)
		}
	}
}

// TestUndatedTwice: a line that merging left twice counts once, and one that was put right is
// dated.
func TestUndatedTwice(t *testing.T) {
	path := redated(t, 20, historytest.Step(99, 1), dated(19, 20, "1970-01-01"))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	twice := filepath.Join(t.TempDir(), "h.jsonl")
	if err := os.WriteFile(twice, []byte(string(text)+lines[19]), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := history.Read(twice)
	if err != nil || len(f.Undated) != 1 || len(f.Entries) != 19 {
		t.Errorf("%d undated, %d dated, %v", len(f.Undated), len(f.Entries), err)
	}
	if err := os.WriteFile(twice, []byte(strings.ReplaceAll(string(text), "1970-01-01", "2026-04-01")), 0o644); err != nil {
		t.Fatal(err)
	}
	if f, err = history.Read(twice); err != nil || len(f.Undated) != 0 || len(f.Entries) != 20 || f.Entries[19].Revision != "r19" {
		t.Errorf("put right: %d undated, %d dated, %v", len(f.Undated), len(f.Entries), err)
	}
}

// TestMisdated: what is added says that it will be left out.
func TestMisdated(t *testing.T) {
	now := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	good, bad, worse := history.Entry{Started: now}, history.Entry{Started: time.Unix(60, 0)}, history.Entry{Started: time.Unix(3*86400, 0)}
	for want, list := range map[string][]history.Entry{
		"": {good}, "1 result dated 1970-01-01, which cannot be": {good, bad}, "2 results dated 1970-01-01 to 1970-01-04, which cannot be": {worse, bad},
	} {
		if got := history.Misdated(list, now); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
