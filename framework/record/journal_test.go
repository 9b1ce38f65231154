package record

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

var testHeader = Header{Config: "configs/fft.json", ConfigHash: strings.Repeat("ab", 32), Seed: 7, Version: "v1.0"}

func testResult(id int) Result {
	return Result{
		Point: plan.Point{
			ID: id, Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu",
			Params:     framework.Values{"N": framework.IntValue(64 << id), "precision": framework.TextValue("single")},
			ParamOrder: []string{"N", "precision"},
		},
		Status:  OK,
		Checks:  []framework.Check{{Metric: "relative L2 error", Error: 1e-7, Bound: 1e-6}},
		Work:    framework.Work{NominalFLOPs: 1920, NominalBytes: 1024},
		Hot:     &measure.Series{Samples: []float64{1e-3, 1.1e-3, 0.9e-3}, Batch: 4, Converged: true, Stop: "noise below 0.5 %"},
		Started: time.Date(2025, 3, 1, 12, 0, id, 0, time.UTC),
		Elapsed: 0.5,
	}
}

func mustCreate(t *testing.T, dir string, results ...Result) {
	t.Helper()
	j, err := CreateJournal(dir, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if err := j.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// readJournal reads the journal in dir without locking or changing anything.
func readJournal(dir string) (Header, []Result, error) {
	b, err := os.ReadFile(filepath.Join(dir, JournalFile))
	if err != nil {
		return Header{}, nil, err
	}
	c, err := parseJournal(b)
	if err != nil {
		return Header{}, nil, err
	}
	return c.headers[0], c.results, nil
}

func TestJournalGoesOnWhereItStopped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results", "fft")
	mustCreate(t, dir, testResult(0), testResult(1))
	h, results, j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.CanResume(testHeader); err != nil {
		t.Errorf("the same run is refused: %v", err)
	}
	if want := []Result{testResult(0), testResult(1)}; !reflect.DeepEqual(results, want) {
		t.Errorf("results = %+v\nwant %+v", results, want)
	}
	if len(j.Notes()) != 0 {
		t.Errorf("notes on a whole journal: %q", j.Notes())
	}
	if err := j.Append(testResult(2)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	_, results, err = readJournal(dir)
	if err != nil || len(results) != 3 || results[2].Point.ID != 2 {
		t.Errorf("after going on: %d results, %v", len(results), err)
	}
}

func mustEncode(t *testing.T, k kind, content any) []byte {
	t.Helper()
	b, err := encodeLine(k, content)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A run may be killed at any byte of its last line; the lines before must
// survive.
func TestJournalTornAtEveryByte(t *testing.T) {
	dir := t.TempDir()
	mustCreate(t, dir, testResult(0), testResult(1))
	path := filepath.Join(dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lastLine := strings.LastIndexByte(strings.TrimSuffix(string(whole), "\n"), '\n') + 1
	for cut := lastLine + 1; cut < len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		_, results, j, err := OpenJournal(dir)
		if err != nil {
			t.Fatalf("cut at %d of %d: %v", cut, len(whole), err)
		}
		if len(results) != 1 {
			t.Fatalf("cut at %d: %d results, want 1", cut, len(results))
		}
		if n := j.Notes(); len(n) != 1 || !strings.Contains(n[0], "unfinished") {
			t.Fatalf("cut at %d: notes %q", cut, n)
		}
		if err := j.Append(testResult(1)); err != nil {
			t.Fatal(err)
		}
		j.Close()
		if again, _ := os.ReadFile(path); string(again) != string(whole) {
			t.Fatalf("cut at %d: after the point ran again the journal differs", cut)
		}
	}
}

func TestJournalTornTail(t *testing.T) {
	for name, tail := range map[string]string{
		"zeros after a power cut": strings.Repeat("\x00", 4096),
		"zeros and a line end":    strings.Repeat("\x00", 100) + "\n",
		"half a line":             `{"point":{"id":1`,
	} {
		dir := t.TempDir()
		mustCreate(t, dir, testResult(0))
		path := filepath.Join(dir, JournalFile)
		before, _ := os.ReadFile(path)
		os.WriteFile(path, append(before, tail...), 0o666)
		_, results, j, err := OpenJournal(dir)
		if err != nil || len(results) != 1 {
			t.Errorf("%s: %d results, %v", name, len(results), err)
			continue
		}
		j.Close()
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s: the tail is still there", name)
		}
	}
}

func TestJournalDamaged(t *testing.T) {
	for name, c := range map[string]struct{ content, want string }{
		"empty":            {"", "start without --resume"},
		"header torn":      {`{"crc32c":"00`, "start without --resume"},
		"no header":        {"{}\n", "start without --resume"},
		"no headers":       {"hello\n{}\nhello\n", "its headers are damaged: start without --resume"},
		"of development":   {"{\"journal_format\":2,\"config\":\"a.json\"}\n{}\n", "a development version's format, which is read no more: start without --resume"},
		"of a later bench": {string(mustEncode(t, headerLine, Header{Format: journalFormat + 1})), "a later bench wrote it: use that one (format 4, this one reads 3 to 3)"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, JournalFile)
		os.WriteFile(path, []byte(c.content), 0o666)
		_, _, _, err := OpenJournal(dir)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want it to name %s and %q", name, err, path, c.want)
		}
		if after, _ := os.ReadFile(path); string(after) != c.content {
			t.Errorf("%s: the refused journal was changed", name)
		}
	}
}

func TestOpenJournalWithoutOne(t *testing.T) {
	_, _, _, err := OpenJournal(t.TempDir())
	if !errors.Is(err, ErrNoJournal) || !strings.Contains(err.Error(), "without --resume") {
		t.Errorf("error %v", err)
	}
}

func TestCanResumeRefusesAnotherRun(t *testing.T) {
	h := testHeader
	h.Program, h.Fingerprint = "1111", "ffff"
	for what, change := range map[string]func(*Header){
		"config":        func(n *Header) { n.ConfigHash = "cd" },
		"seed":          func(n *Header) { n.Seed++ },
		"bench version": func(n *Header) { n.Program, n.Fingerprint = "2222", "eeee" },
		"--set":         func(n *Header) { n.Set = []string{"N=64"} },
		"selection":     func(n *Header) { n.Selection = "--power-modes 1" },
		"other points":  func(n *Header) { n.Points = "ef" },
	} {
		had, next := h, h
		change(&next)
		err := had.CanResume(next)
		if err == nil || !strings.Contains(err.Error(), "of "+what) || strings.Contains(err.Error(), "\n") {
			t.Errorf("another %s: error %v, want one line that names it", what, err)
		}
	}
}

func TestCreateJournalKeepsTheOneBefore(t *testing.T) {
	dir := t.TempDir()
	mustCreate(t, dir, testResult(0))
	before, _ := os.ReadFile(filepath.Join(dir, JournalFile))
	mustCreate(t, dir) // only a header: replaces nothing worth keeping next time
	kept, err := os.ReadFile(filepath.Join(dir, PreviousJournalFile))
	if err != nil || string(kept) != string(before) {
		t.Errorf("kept %q (%v), want %q", kept, err, before)
	}
	mustCreate(t, dir)
	if kept, _ = os.ReadFile(filepath.Join(dir, PreviousJournalFile)); string(kept) != string(before) {
		t.Error("a journal without results replaced one with results")
	}
	if _, results, err := readJournal(dir); err != nil || len(results) != 0 {
		t.Errorf("new journal: %d results, %v", len(results), err)
	}
}

func TestJournalLocksItsFolder(t *testing.T) {
	dir := t.TempDir()
	first, err := CreateJournal(dir, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Append(testResult(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateJournal(dir, testHeader); err == nil || !strings.Contains(err.Error(), "another bench run") {
		t.Errorf("second run in the folder: error %v", err)
	}
	if _, _, _, err := OpenJournal(dir); err == nil || !strings.Contains(err.Error(), "another bench run") {
		t.Errorf("resume beside a run: error %v", err)
	}
	first.Close()
	_, results, j, err := OpenJournal(dir)
	if err != nil || len(results) != 1 {
		t.Fatalf("after the first run ended: %d results, %v", len(results), err)
	}
	j.Close()
}

func TestCreateJournalUnwritableFolder(t *testing.T) {
	occupied := filepath.Join(t.TempDir(), "results")
	os.WriteFile(occupied, nil, 0o666)
	for _, dir := range []string{occupied, filepath.Join(occupied, "fft")} {
		_, err := CreateJournal(dir, testHeader)
		if err == nil || !strings.Contains(err.Error(), occupied) || strings.Contains(err.Error(), "\n") {
			t.Errorf("CreateJournal(%s): error %v, want one line that names the folder", dir, err)
		}
	}
}

func TestJournalOnFullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	j, err := CreateJournal(dir, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Append(testResult(0)); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(j.Path())
	fullDisk(t, len(before)+100, func() { err = j.Append(testResult(1)) })
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), JournalFile) {
		t.Errorf("error %v, want one line that names the journal", err)
	}
	if after, _ := os.ReadFile(j.Path()); string(after) != string(before) {
		t.Errorf("the failed line left %d bytes behind", len(after)-len(before))
	}
	if err := j.Append(testResult(1)); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if _, results, err := readJournal(dir); err != nil || len(results) != 2 {
		t.Errorf("%d results, %v, want 2", len(results), err)
	}
}

// A kernel that says no to every write, as /dev/full does, must not be taken
// for success.
func TestJournalOnFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	j := &Journal{file: full, path: "/dev/full"}
	if err := j.Append(testResult(0)); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("error %v, want no space left", err)
	}
}

// TestJournalSurvivesKill kills a process that appends without pause.
func TestJournalSurvivesKill(t *testing.T) {
	if dir := os.Getenv("BENCH_TEST_APPEND_TO"); dir != "" {
		j, err := CreateJournal(dir, testHeader)
		for i := 0; err == nil; i++ {
			r := testResult(0)
			r.Point.ID = i
			err = j.Append(r)
		}
		t.Fatal(err)
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestJournalSurvivesKill$")
	child.Env = append(os.Environ(), "BENCH_TEST_APPEND_TO="+dir)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(2 * time.Minute)
	for {
		if _, results, err := readJournal(dir); err == nil && len(results) >= 5 {
			break
		}
		if time.Now().After(deadline) {
			t.Error("the child wrote nothing")
			break
		}
		time.Sleep(time.Millisecond)
	}
	child.Process.Kill()
	child.Wait()
	_, results, j, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if len(results) < 5 {
		t.Errorf("%d results survived, want at least 5", len(results))
	}
	for i, r := range results {
		if r.Point.ID != i {
			t.Fatalf("result %d is of point %d", i, r.Point.ID)
		}
	}
}
