package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
)

// entry is one of a run, measured n hours after the first.
func entry(n int, seconds float64) Entry {
	return Entry{
		Format: 1, Started: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * time.Hour), Revision: fmt.Sprintf("r%d", n), Tool: "v1",
		Config: "fft.json", ConfigHash: "c0ffee", Machine: "ab12", MachineName: "a CPU", Algorithm: "fft", Version: "stockham", Processor: framework.CPU, Device: "cpu",
		Params: framework.Values{"N": framework.IntValue(64)}, Surroundings: map[string]string{"kernel": "6.1"}, Status: "ok",
		Metrics: map[string]Estimate{"time": {Value: seconds, Low: 0.999 * seconds, High: 1.001 * seconds}},
	}
}

// steady are n runs around a time with 1 % noise; change may change each.
func steady(n int, change func(i int, e *Entry)) *File {
	g := rand.New(rand.NewPCG(4, 4))
	f := &File{Path: "h"}
	for i := range n {
		e := entry(i, 1e-3*(1+0.01*g.NormFloat64()))
		if change != nil {
			change(i, &e)
		}
		f.Entries = append(f.Entries, e)
	}
	return f
}

func scaleTime(e *Entry, factor float64) {
	m := e.Metrics["time"]
	e.Metrics = map[string]Estimate{"time": {m.Value * factor, m.Low * factor, m.High * factor}}
}

func TestVerdicts(t *testing.T) {
	from := func(at int, f func(e *Entry)) func(int, *Entry) {
		return func(i int, e *Entry) {
			if i >= at {
				f(e)
			}
		}
	}
	slower := func(e *Entry) { scaleTime(e, 1.2) }
	for _, c := range []struct {
		name   string
		file   *File
		want   Verdict
		gate   Verdict
		phrase string
	}{
		{"constant", steady(60, nil), NoChange, GateNoWorse, "no change in 60 runs, noise "},
		{"slower", steady(36, from(30, slower)), Worse, GateWorse, "% from r30 on (between r29 and r30); found in r3"},
		{"faster", steady(36, from(30, func(e *Entry) { scaleTime(e, 0.8) })), Better, GateNoWorse, "faster by "},
		{"slower long ago", steady(60, from(30, slower)), NoChange, GateNoWorse, "no change"},
		{"drift", steady(100, func(i int, e *Entry) { scaleTime(e, 1+0.002*float64(i)) }), NoChange, GateNoWorse, ""},
		{"few", steady(12, nil), Unknown, GateInconclusive, "unknown: 12 runs, 13 are needed"},
		{"one outlier", steady(36, func(i int, e *Entry) {
			if i == 35 {
				scaleTime(e, 3)
			}
		}), NoChange, GateNoWorse, ""},
		{"other kernel", steady(36, from(30, func(e *Entry) { slower(e); e.Surroundings = map[string]string{"kernel": "6.2"} })), Surroundings, GateInconclusive, "not judged against the old level: kernel 6.1 → 6.2; 6 runs since, 13 are needed"},
		{"other kernel and back", steady(36, func(i int, e *Entry) {
			if i >= 15 && i < 20 {
				slower(e)
				e.Surroundings = map[string]string{"kernel": "6.2"}
			}
		}), NoChange, GateNoWorse, "no change in 31 runs"},
		{"failed", steady(36, from(35, func(e *Entry) { e.Status, e.Reason, e.Metrics = "wrong", "error 2", nil })), Failed, GateWorse, "failed: wrong: error 2"},
		{"same revision", steady(36, from(25, func(e *Entry) {
			e.Revision = "r25"
			if e.Started.Hour() >= 6 { // from run 30 on
				slower(e)
			}
		})), NotTheCode, GateInconclusive, "revision r25 is on both sides"},
		{"clock", steady(36, func(i int, e *Entry) {
			e.Clock = 2e9
			if i >= 30 {
				e.Clock = 1.6e9
				scaleTime(e, 1.25)
			}
		}), NotTheCode, GateInconclusive, "the SM clock changed with it, from 2000 to 1600 MHz"},
		{"a shared GPU", steady(36, from(30, func(e *Entry) {
			if e.Started.Hour() < 11 { // the last is run 35
				slower(e)
				e.Shared = "python3 (pid 30)"
			}
		})), NoChange, GateNoWorse, "no change in 31 runs"},
		{"a shared GPU in the last run", steady(36, from(35, func(e *Entry) { slower(e); e.Shared = "python3 (pid 30)" })), Unknown, GateInconclusive, "unknown: others used the GPU in the last run: python3 (pid 30)"},
		{"always a shared GPU", steady(36, func(_ int, e *Entry) { e.Shared = "python3 (pid 30)" }), Unknown, GateInconclusive, "others used the GPU in the last run"},
		{"tool", steady(36, from(30, func(e *Entry) { slower(e); e.Tool = "v2"; e.ConfigHash = "other" })), Worse, GateWorse, "with it changed bench v1 → v2, the config's text"},
	} {
		check := c.file.Check(10)
		if c.name == "drift" {
			j := check.Series[0]
			if len(j.Changes) == 0 || !j.Changes[0].Drift || !strings.HasPrefix(j.Sentence(j.Changes[0]), "drift: slower by ") {
				t.Errorf("drift: %+v", j.Changes)
			}
			continue
		}
		if len(check.Series) != 1 || check.Series[0].Verdict != c.want || check.Verdict != c.gate || !strings.Contains(check.Series[0].Text(), c.phrase) {
			t.Errorf("%s: %s, %+v\n%s", c.name, check.Verdict, check.Series[0].Verdict, check.Show())
		}
	}
}

// A new machine is not judged by another's level, and a series that is measured no more
// is named.
// TestLongSeries: of a series of many runs the last ones are judged, so that its length costs no
// more than reading it.
func TestLongSeries(t *testing.T) {
	f := steady(1200, func(i int, e *Entry) {
		for _, step := range []int{600, 1190} {
			if i >= step {
				scaleTime(e, 1.2)
			}
		}
	})
	c := f.Check(10)
	j := c.Series[0]
	if j.Verdict != Worse || len(j.Changes) != 1 || j.Changes[0].Revision != "r1190" || j.Alike != mostJudged || j.Runs != 1200 {
		t.Errorf("%s, %+v, %d of %d", j.Verdict, j.Changes, j.Alike, j.Runs)
	}
	if want := "1200 runs, 1200 with the last one's surroundings, of which the last 500 are judged\n"; !strings.Contains(c.Show(), want) {
		t.Errorf("%s\nwant %s", c.Show(), want)
	}
	if j := f.Check(400).Series[0]; j.Alike != 800 || len(j.Changes) != 2 {
		t.Errorf("with --recent 400: %d judged, %+v", j.Alike, j.Changes)
	}
}

func TestMachinesAndPoints(t *testing.T) {
	f := steady(60, func(i int, e *Entry) {
		if i%2 == 1 && i > 40 {
			e.Machine, e.MachineName = "cd34", "another"
			scaleTime(e, 2)
		}
		if i < 40 && i%2 == 1 {
			e.Params = framework.Values{"N": framework.IntValue(128)}
		}
	})
	c := f.Check(10)
	if len(c.Series) != 2 || c.Series[0].Verdict != Unknown || c.Series[0].Reason != "new machine: 10 runs, 13 are needed" || c.Series[1].Verdict != NoChange {
		t.Errorf("%s", c.Show())
	}
	if len(c.Gone) != 1 || !strings.Contains(c.Gone[0], "fft/stockham N=128 on cpu, time") {
		t.Errorf("%q", c.Gone)
	}
}

// The union of two files, in any order and with lines twice, says the same.
func TestUnion(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	f := steady(40, func(i int, e *Entry) {
		if i >= 33 {
			scaleTime(e, 1.3)
		}
	})
	if n, err := Append(path, f.Entries); n != 40 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := Append(path, f.Entries[10:20]); n != 0 || err != nil {
		t.Fatal(n, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	say := func(path string) string {
		f, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if f.Damaged != nil || f.Twice != 0 {
			t.Errorf("%q, %d twice", f.Damaged, f.Twice)
		}
		b, err := json.Marshal(f.Check(10).Series)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	lines := bytes.SplitAfter(bytes.TrimSpace(append(text, '\n')), []byte("\n"))
	lines[len(lines)-1] = append(lines[len(lines)-1], '\n')
	lines = append(lines, lines[5], lines[7])
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	other := filepath.Join(dir, "b.jsonl")
	if err := os.WriteFile(other, bytes.Join(lines, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if a, b := say(path), say(other); a != b || !strings.Contains(a, `"verdict":"worse"`) {
		t.Errorf("%s\n%s", a, b)
	}
}

// Damaged lines are named and the others read, also behind a line that was cut.
func TestDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "h.jsonl")
	good, err := json.Marshal(entry(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Replace(good, []byte(`"format":1`), []byte(`"format":9`), 1)
	text := "<<<<<<< ours\n" + string(newer) + "\n{}\n\n" + strings.Replace(string(good), `"value":1,`, `"value":-1,`, 1) + "\n" + string(good[:40])
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := Append(path, []Entry{entry(2, 1)}); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	f, err := Read(path)
	if err != nil || len(f.Entries) != 1 || len(f.Damaged) != 5 {
		t.Fatalf("%v %+v", err, f)
	}
	for i, want := range []string{"h.jsonl:1: not a line of a history", "h.jsonl:2: its format is 9", "h.jsonl:3: not a line", "h.jsonl:5: its time is -1", "h.jsonl:6: not a line"} {
		if !strings.Contains(f.Damaged[i], want) {
			t.Errorf("%q, want %q", f.Damaged[i], want)
		}
	}
	// Two results of one point and run, of different revisions: one counts, whatever the order.
	a, b := entry(1, 1), entry(1, 1)
	b.Revision = "other"
	for _, list := range [][]Entry{{a, b}, {b, a}} {
		path := filepath.Join(t.TempDir(), "h.jsonl")
		if _, err := Append(path, list); err != nil {
			t.Fatal(err)
		}
		if f, err := Read(path); err != nil || f.Twice != 1 || len(f.Entries) != 1 || f.Entries[0].Revision != "other" {
			t.Errorf("%v %+v", err, f)
		}
	}
}

// Names from results are no markup in a comment.
func TestMarkdown(t *testing.T) {
	f := steady(36, func(i int, e *Entry) {
		e.Version = "a|b<img src=x>`*"
		if i >= 30 {
			scaleTime(e, 1.2)
		}
	})
	text := f.Check(10).Markdown()
	if !strings.Contains(text, "### Performance: worse") || !strings.Contains(text, "slower by") || strings.Contains(text, "<img") || !slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool {
		return strings.Count(strings.ReplaceAll(l, `\|`, ""), "|") == 5 && strings.Contains(l, "slower by")
	}) {
		t.Error(text)
	}
}

// A new file is shown, too: one run has no noise, and a few may be equal or without an
// interval.
func TestFewRuns(t *testing.T) {
	for n := 1; n <= 14; n++ {
		for name, change := range map[string]func(int, *Entry){
			"noise": nil,
			"equal": func(_ int, e *Entry) { e.Metrics = map[string]Estimate{"time": {Value: 1e-3}} },
		} {
			c := steady(n, change).Check(10)
			text, err := json.Marshal(c)
			if err != nil || strings.Contains(c.Show(), "NaN") || strings.Contains(string(text), `"noise"`) != (n > 1 && name == "noise") {
				t.Errorf("%d runs, %s: %v\n%s\n%s", n, name, err, text, c.Show())
			}
		}
	}
}
