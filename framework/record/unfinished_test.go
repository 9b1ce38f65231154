package record

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// killed writes the journal that testRun's process leaves when it is killed in
// the middle of its last point.
func killed(t *testing.T, run *Run, total int) string {
	t.Helper()
	dir := t.TempDir()
	h := testHeader
	h.Prefix, h.Axes, h.Total = run.Prefix, run.Axes, total
	j, err := CreateJournal(dir, h)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(run.Info); err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Results {
		if err := j.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	f, err := os.OpenFile(j.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(`{"point":{"id":4,`); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The journal alone gives what the files of the same points would.
func TestReadUnfinishedRun(t *testing.T) {
	run := testRun()
	dir := killed(t, run, 15)
	journal, err := os.ReadFile(filepath.Join(dir, JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	const part = "4 of 15 points so far; if the run was interrupted, --resume goes on"
	if got.Unfinished() != part || !slices.Equal(got.Info.Warnings, []string{part}) {
		t.Errorf("%q, warnings %q", got.Unfinished(), got.Info.Warnings)
	}
	written := t.TempDir()
	if err := Write(written, run); err != nil {
		t.Fatal(err)
	}
	want, err := Read(written)
	if err != nil {
		t.Fatal(err)
	}
	if want.Unfinished() != "" {
		t.Errorf("a run with its files: %q", want.Unfinished())
	}
	for _, f := range append(want.Columns.files(), csvFile{"head", want.Columns.head()}) {
		table, wantTable := newTable(len(got.Rows)), newTable(len(want.Rows))
		if err := errors.Join(table.add(f.sections, got.Rows), wantTable.add(f.sections, want.Rows)); err != nil || !reflect.DeepEqual(table, wantTable) {
			t.Errorf("%s: %v: %v\nwant %v", f.kind, err, table, wantTable)
		}
	}
	got.Info.Warnings, got.Info.Ended = nil, want.Info.Ended
	if !reflect.DeepEqual(got.Info, want.Info) || got.Prefix != want.Prefix || !reflect.DeepEqual(got.Axes, want.Axes) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	read, err := ReadSamples(dir, got)
	samples := read.List()
	wantSamples, err2 := ReadSamples(written, want)
	if err != nil || err2 != nil || len(samples) == 0 || !slices.Equal(samples, wantSamples.List()) {
		t.Errorf("samples %v, %v\nwant %v, %v", samples, err, wantSamples, err2)
	}
	power, err := ReadPowerSamples(dir, got)
	wantPower, err2 := ReadPowerSamples(written, want)
	if err != nil || err2 != nil || len(power) == 0 || !slices.Equal(power, wantPower) {
		t.Errorf("power samples %v, %v\nwant %v, %v", power, err, wantPower, err2)
	}
	if after, err := os.ReadFile(filepath.Join(dir, JournalFile)); err != nil || string(after) != string(journal) {
		t.Error("reading changed the journal")
	}
}

func TestReadUnfinishedRefuses(t *testing.T) {
	none := testRun()
	none.Results = nil
	for _, c := range []struct{ dir, want string }{
		{killed(t, none, 3), "none of 3 points, interrupted; --resume goes on"},
		{killed(t, testRun(), 0), "it is the journal of a search: bench tune --resume goes on"}, // a search's
		{t.TempDir(), "holds no results: there is no run.json and no journal of a run"},
	} {
		if _, err := Read(c.dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.dir) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// Two processes had a part in the run: what the first said holds for its points.
func TestReadUnfinishedAfterResume(t *testing.T) {
	first := testRun()
	dir := killed(t, first, 5)
	_, _, j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	second := first.Info
	second.Command = []string{"bench", "run", "--resume"}
	second.Devices = []Device{{ID: "cuda:0"}, {ID: "cpu"}}
	if err := j.Begin(second); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(testResult(4)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 5 || len(got.Info.Devices) != 2 || got.Info.Devices[0].Ceilings != testCeilings || len(got.Info.Command) != 3 {
		t.Errorf("%d rows, %+v", len(got.Rows), got.Info)
	}
}

// A run that wrote its files was resumed and killed: what the journal has more is
// not lost to who reads.
func TestReadPrefersTheLongerJournal(t *testing.T) {
	run := testRun()
	dir := killed(t, run, 15)
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(dir); err != nil || len(got.Rows) != 4 || got.Results != nil || got.Unfinished() != "" {
		t.Errorf("as many results in both: %+v, %v", got, err)
	}
	_, _, j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(testResult(4)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	got, err := Read(dir)
	if err != nil || len(got.Rows) != 5 || got.Unfinished() != "5 of 15 points so far; if the run was interrupted, --resume goes on" {
		t.Errorf("a result more in the journal: %d rows, %q, %v", len(got.Rows), got.Unfinished(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, JournalFile), []byte("no journal\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(dir); err != nil || len(got.Rows) != 4 || got.Unfinished() != "" {
		t.Errorf("a journal that cannot be read: %+v, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, run.file("time.csv"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.HasSuffix(err.Error(), dir+" is incomplete: there is no fft_time.csv beside run.json") {
		t.Errorf("a file is missing: %v", err)
	}
}
