package board_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.org/bench/command/board"
	"example.org/bench/framework/record"
)

// swap replaces a text of a file, which must be there.
func swap(t *testing.T, files map[string][]byte, name, old, by string) {
	t.Helper()
	if !bytes.Contains(files[name], []byte(old)) {
		t.Errorf("%s has no %q", name, old)
	}
	files[name] = bytes.Replace(files[name], []byte(old), []byte(by), 1)
}

// cell returns a row's cell of a run's CSV file.
func cell(t *testing.T, csv []byte, column string) string {
	t.Helper()
	lines := strings.Split(string(csv), "\n")
	for i, name := range strings.Split(lines[0], ",") {
		if name == column {
			return strings.Split(lines[1], ",")[i]
		}
	}
	t.Fatalf("no column %s in %s", column, lines[0])
	return ""
}

// anew changes the parts of a run in a file, with journal, files and sums to match.
func anew(t *testing.T, files map[string][]byte, run string, change func(part any)) {
	t.Helper()
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	for name, text := range files {
		if base, ok := strings.CutPrefix(name, "runs/"+run+"/"); ok {
			write(t, filepath.Join(from, base), string(text))
		}
	}
	if err := record.Copy(from, to, change); err != nil {
		t.Fatal(err)
	}
	var err error
	for name := range files {
		if base, ok := strings.CutPrefix(name, "runs/"+run+"/"); ok {
			if files[name], err = os.ReadFile(filepath.Join(to, base)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// elsewhere makes a run of a file one of another machine.
func elsewhere(t *testing.T, files map[string][]byte, run string) {
	t.Helper()
	anew(t, files, run, func(part any) {
		if i, ok := part.(*record.Info); ok {
			i.Machine.Board, i.Machine.MemoryBytes = "NVIDIA Jetson Nano", 4<<30
		}
	})
}

// refusals tries files that do not fit.
func refusals(t *testing.T, file string) {
	dir := t.TempDir()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const csv = "runs/scan/scan_time.csv"
	took := cell(t, entries(t, file)[csv], "time_s")
	forged := func(anew bool, change func(files map[string][]byte)) []byte {
		text, err := board.Forged(file, anew, change)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	// madeUp is the file with points of scan that say something else, in all its parts.
	madeUp := func(change func(r *record.Result)) []byte {
		return forged(true, func(f map[string][]byte) {
			anew(t, f, "scan", func(part any) {
				if r, ok := part.(*record.Result); ok {
					change(r)
				}
			})
		})
	}
	var first *record.Result
	bomb := func() []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, _ := z.Create("board.json")
		for range 300 {
			w.Write(make([]byte, 1<<20)) //nolint:errcheck // to memory
		}
		z.Close()
		return b.Bytes()
	}
	named := func(name string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		z.Create(name) //nolint:errcheck // to memory
		z.Close()
		return b.Bytes()
	}
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"cut":          {whole[:len(whole)/2], "is no whole zip archive"},
		"a bit flips":  {append(append(bytes.Clone(whole[:200]), whole[200]^1), whole[201:]...), ""},
		"no archive":   {[]byte("results"), "is no whole zip archive"},
		"foreign":      {named("data.txt"), "it has no board.json, so it is no file of bench board"},
		"leads out":    {named("../board.json"), `the name "../board.json" leads out of a folder`},
		"bomb":         {bomb(), "unpacked it has more than "},
		"newer":        {forged(true, func(f map[string][]byte) { swap(t, f, "board.json", `"format": 1`, `"format": 2`) }), "its format is 2, this bench reads format 1"},
		"removed":      {forged(false, func(f map[string][]byte) { delete(f, "machine/proc/meminfo") }), "machine/proc/meminfo is missing"},
		"added":        {forged(false, func(f map[string][]byte) { f["runs/scan/more.csv"] = nil }), "runs/scan/more.csv was added"},
		"figure":       {forged(false, func(f map[string][]byte) { swap(t, f, csv, took, "1e-9") }), csv + " was changed"},
		"exchanged":    {forged(false, func(f map[string][]byte) { f["runs/scan/run.json"] = f["runs/pattern/run.json"] }), "runs/scan/run.json was changed"},
		"sums":         {forged(false, func(f map[string][]byte) { f["SHA256SUMS"] = append([]byte("x"), f["SHA256SUMS"]...) }), ""},
		"figure, anew": {forged(true, func(f map[string][]byte) { swap(t, f, csv, took, "1e-9") }), "column time_s of point 0"},
		"samples, anew": {forged(true, func(f map[string][]byte) {
			z, _ := gzip.NewReader(bytes.NewReader(f["runs/scan/scan_samples.csv.gz"]))
			text, _ := io.ReadAll(z)
			rows := strings.Split(string(text), "\n")
			rows[1] = rows[1][:strings.LastIndex(rows[1], ",")+1] + "1e-9"
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			w.Write([]byte(strings.Join(rows, "\n"))) //nolint:errcheck // to memory
			w.Close()
			f["runs/scan/scan_samples.csv.gz"] = b.Bytes()
		}), "scan_samples.csv.gz: sample 0 is not the journal's"},
		"journal, anew":   {forged(true, func(f map[string][]byte) { swap(t, f, "runs/scan/journal.jsonl", `"status":"ok"`, `"status":"OK"`) }), "journal.jsonl: line"},
		"run.json, anew":  {forged(true, func(f map[string][]byte) { swap(t, f, "runs/scan/run.json", `"memory_bytes": `, `"memory_bytes": 9`) }), "run.json says another machine than the journal"},
		"foreign file":    {forged(true, func(f map[string][]byte) { f["install.sh"] = nil }), "install.sh does not belong to it"},
		"exchanged, anew": {forged(true, func(f map[string][]byte) { f[csv] = f["runs/pattern/pattern_time.csv"] }), ""},
		"no run":          {forged(true, func(f map[string][]byte) { swap(t, f, "board.json", `"scan"`, `"qr"`) }), "does not belong to it"},
		"two boards":      {forged(true, func(f map[string][]byte) { elsewhere(t, f, "pattern") }), "is of another machine than runs/"},
		"other machine": {forged(true, func(f map[string][]byte) {
			for _, run := range []string{"scan", "pattern"} {
				elsewhere(t, f, run)
			}
		}), "machine/ is of another machine than the runs"},
		"made up: longer than the point": {madeUp(func(r *record.Result) { r.Hot.Samples[0] = 100 }), "samples and window take"},
		"made up: no machine does it": {madeUp(func(r *record.Result) {
			for i := range r.Hot.Samples {
				r.Hot.Samples[i] *= 1e-5
			}
		}), "which the processor cannot"},
		"made up: no answer":   {madeUp(func(r *record.Result) { r.Checks = nil }), "no answer was checked"},
		"made up: wrong":       {madeUp(func(r *record.Result) { r.Checks[0].Error = 2 * r.Checks[0].Bound }), "beyond the bound"},
		"made up: no samples":  {madeUp(func(r *record.Result) { r.Hot = nil }), "no samples"},
		"made up: at one time": {madeUp(func(r *record.Result) { r.Started = time.Unix(1.7e9, 0) }), "one runs at a time"},
		"made up: less work":   {madeUp(func(r *record.Result) { r.Work.NominalBytes -= int64(r.Point.Instance) }), "another version of the problem"},
		"made up: one instance thrice": {madeUp(func(r *record.Result) {
			if first == nil {
				first = r
			}
			r.Hot, r.Elapsed = first.Hot, max(r.Elapsed, first.Elapsed)
			r.Started = r.Started.Add(time.Duration(r.Point.ID) * time.Minute)
		}), "its samples are those of"},
		"made up: another config": {forged(true, func(f map[string][]byte) {
			anew(t, f, "scan", func(part any) {
				if i, ok := part.(*record.Info); ok {
					i.Config.Text = record.Experiment(strings.Replace(string(i.Config.Text), "4194304", "1024", 1))
				}
			})
		}), "its config's SHA-256 is"},
		"other tree": {forged(true, func(f map[string][]byte) {
			swap(t, f, "machine/proc/meminfo", "MemTotal:", "MemTotal: 1 kB\nX:")
		}), "machine/ is of another machine than the runs: its memory is"},
	} {
		bad := filepath.Join(dir, "bad.zip")
		write(t, bad, string(c.text))
		status, out, fault := bench(t, dir, nil, "board", bad)
		if status != 2 || out != "" || strings.Count(fault, "\n") != 1 || !strings.Contains(fault, c.want) || !strings.Contains(fault, "bad.zip") {
			t.Errorf("%s: status %d, want 2 and a line with %q\n%s%s", name, status, c.want, out, fault)
		}
	}
}
