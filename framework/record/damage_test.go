package record

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// threePoints is a journal of a header, a session and three points.
func threePoints(t *testing.T) (dir string, want []Result) {
	t.Helper()
	dir = t.TempDir()
	h := testHeader
	h.Prefix, h.Total = "fft", 4
	j, err := CreateJournal(dir, h)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Begin(Info{Seed: 7}); err != nil {
		t.Fatal(err)
	}
	for id := range 3 {
		r := testResult(id)
		if _, err := j.Start(r.Point); err != nil {
			t.Fatal(err)
		}
		if err := j.Append(r); err != nil {
			t.Fatal(err)
		}
		want = append(want, r)
	}
	return dir, want
}

// Any single wrong bit costs one point at most, which is named; no result is
// altered.
func TestEveryWrongBitOfAJournal(t *testing.T) {
	dir, want := threePoints(t)
	path := filepath.Join(dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for at := range whole {
		b := bytes.Clone(whole)
		b[at] ^= 1 << (at % 8)
		c, err := parseJournal(b)
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		missing := ""
		for _, w := range want {
			found := false
			for _, got := range c.results {
				if got.Point.ID == w.Point.ID {
					if found = true; !reflect.DeepEqual(got, w) {
						t.Fatalf("byte %d alters a result: %+v", at, got)
					}
				}
			}
			if !found {
				if missing != "" {
					t.Fatalf("byte %d costs more than one point", at)
				}
				missing = w.Point.Key()
			}
		}
		notes := strings.Join(c.notes(path), "\n")
		last := c.whole < int64(len(b)) // cut off as unfinished
		if missing != "" {
			if lost++; !last && !strings.Contains(notes, "the result of "+missing+" is lost; --resume measures it again") {
				t.Fatalf("byte %d costs %s; said is %q", at, missing, notes)
			}
		}
		if notes == "" && !last {
			t.Fatalf("byte %d goes unnoticed", at)
		}
		for key, n := range c.starts {
			if n > 1 || n < 0 {
				t.Fatalf("byte %d: %d starts of %s", at, n, key)
			}
		}
	}
	if lost < 1000 {
		t.Errorf("only %d of %d bits cost a point: the journal has no results", lost, len(whole))
	}
}

// A block of zeros, as of a disk that lost one, costs the points that it touches.
func TestZerosInAJournal(t *testing.T) {
	dir, _ := threePoints(t)
	path := filepath.Join(dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.Index(whole, []byte(`"result":{"point":{"id":1`))
	end := second + bytes.IndexByte(whole[second:], '\n')
	copy(whole[end-100:], make([]byte, 150)) // the line's end, and the next one's begin
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	_, results, j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	notes := strings.Join(j.Notes(), "\n")
	if len(results) != 2 || results[0].Point.ID != 0 || results[1].Point.ID != 2 || len(j.Notes()) != 1 ||
		!strings.Contains(notes, "line 7 cannot be read, it is damaged, by its checksum: the result of "+testResult(1).Point.Key()+" is lost") {
		t.Errorf("%d results, notes %q", len(results), notes)
	}
	if err := j.Append(testResult(1)); err != nil {
		t.Fatal(err)
	}
	run, err := Read(dir)
	if err != nil || len(run.Rows) != 3 || len(run.Notes) != 1 || !strings.Contains(run.Notes[0], "its point was measured again") {
		t.Errorf("%+v, %v", run, err)
	}
}

// A point of which two starts left no result is refused a third; a start that was
// withdrawn, or whose result was damaged, is none of them.
func TestStartsWithoutAResult(t *testing.T) {
	dir := t.TempDir()
	p, other := testResult(0).Point, testResult(1).Point
	header := testHeader
	header.Total = 2
	start := func(j *Journal, err error) *Journal {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	resume := func() *Journal {
		t.Helper()
		j, _, err := ResumeJournal(dir, header)
		return start(j, err)
	}
	started := func(j *Journal, want bool) {
		t.Helper()
		refusal, err := j.Start(p)
		if err != nil || (refusal == "") != want {
			t.Errorf("refusal %q, %v", refusal, err)
		}
		if refusal != "" && !strings.HasPrefix(refusal, "it was started 2 times and left no result") {
			t.Error(refusal)
		}
	}
	j := start(CreateJournal(dir, header))
	for range 3 { // interrupted
		started(j, true)
		if err := j.Withdraw(p); err != nil {
			t.Fatal(err)
		}
		j.Close()
		j = resume()
	}
	started(j, true) // killed
	j.Close()
	j = resume()
	started(j, true)
	j.Close()
	j = resume()
	started(j, false)
	if refusal, err := j.Start(other); refusal != "" || err != nil {
		t.Errorf("another point: %q, %v", refusal, err)
	}
	if err := j.Append(testResult(0)); err != nil {
		t.Fatal(err)
	}
	started(j, true)
	j.Close()
}

// Another build goes on if its algorithms and measuring are the same, and says so.
func TestResumeByAnotherBuild(t *testing.T) {
	dir := t.TempDir()
	old := testHeader
	old.Program, old.Fingerprint, old.Total, old.Prefix = strings.Repeat("1", 64), "ffff", 2, "fft"
	j, err := CreateJournal(dir, old)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(Info{Tool: Tool{Version: "v1.0"}}); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(testResult(0)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	next := old
	next.Version, next.Program, next.Fingerprint = "v2.0", strings.Repeat("2", 64), "eeee"
	if _, _, err := ResumeJournal(dir, next); err == nil ||
		!strings.Contains(err.Error(), "of bench version v1.0 (program 111111111111), this is bench version v2.0 (program 222222222222), whose algorithms or measuring method are others") {
		t.Errorf("another fingerprint: %v", err)
	}
	// What is there can be read all the same.
	run, err := Read(dir)
	if err != nil || len(run.Rows) != 1 || len(run.Notes) != 1 || !strings.Contains(run.Notes[0], "is of bench version v1.0 (program 111111111111), this is bench version") {
		t.Errorf("%+v, %v", run, err)
	}
	next.Fingerprint = old.Fingerprint
	j, results, err := ResumeJournal(dir, next)
	if err != nil || len(results) != 1 || len(j.Notes()) != 1 || !strings.HasSuffix(j.Notes()[0], "whose algorithms and measuring method are the same") {
		t.Fatalf("%d results, %v", len(results), err)
	}
	info := Info{Tool: Tool{Version: "v2.0"}}
	if info.Resume(j.Sessions()); !reflect.DeepEqual(info.EarlierTools, []Tool{{Version: "v1.0"}}) {
		t.Errorf("%+v", info.EarlierTools)
	}
	j.Close()
	// The same program needs no fingerprint.
	old.Fingerprint = ""
	if j, _, err = ResumeJournal(dir, old); err != nil || len(j.Notes()) != 0 {
		t.Fatalf("%v", err)
	}
	j.Close()
}

// A search's journal is not a run, but its trials can be read.
func TestReadJournalOfASearch(t *testing.T) {
	dir := killed(t, testRun(), 0)
	run, err := ReadJournal(dir)
	if err != nil || len(run.Rows) != 4 || run.Unfinished() != "" || run.Prefix == "" {
		t.Fatalf("%+v, %v", run, err)
	}
	if err := Write(dir, run); err != nil {
		t.Error(err)
	}
}

// TestColumnWithAnotherName: a table without a column that each row needs is refused; its rows
// would have no status.
func TestColumnWithAnotherName(t *testing.T) {
	run, err := ReadJournal("testdata/journals/3-every-member")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, run.file(timeCSV))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"algorithm", "version", "status"} {
		if err := os.WriteFile(path, bytes.Replace(good, []byte(column), []byte("x"), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.HasSuffix(err.Error(), run.file(timeCSV)+": line 1: column "+column+" is missing") {
			t.Errorf("%s: %v", column, err)
		}
	}
}

// TestEmptyCells: a row without its status, version or algorithm is refused; a comparison would
// have a level without a name.
func TestEmptyCells(t *testing.T) {
	run := NewRun(Info{}, "p", nil, alike(3, 8))
	dir := t.TempDir()
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, run.file(timeCSV))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(good)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"algorithm", "version", "status"} {
		at := slices.Index(rows[0], column)
		had := rows[2][at]
		rows[2][at] = ""
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		rows[2][at] = had
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.HasSuffix(err.Error(), run.file(timeCSV)+": line 3: column "+column+" is empty") {
			t.Errorf("%s: %v", column, err)
		}
	}
}
