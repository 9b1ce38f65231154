package command_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/framework/record"
)

// mostMemory is far above what reading a small run takes, and far below what the files here
// would fill. A line of a journal may have 256 MiB, which take twice that and more while it is
// put together.
const (
	mostMemory     = 700 << 20
	mostForJournal = 1500 << 20
)

// members is compressed text of several GB: head, then one block again and again, each a member
// of the file.
func members(t *testing.T, head, unit string) string {
	t.Helper()
	var file bytes.Buffer
	pack := func(text string) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	file.Write(pack(head))
	block := pack(strings.Repeat(unit, (4<<20)/len(unit)))
	for range 1000 {
		file.Write(block)
	}
	return file.String()
}

// sparse makes a file of 6 GB of zeros behind what it holds.
func sparse(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(6 << 30); err != nil {
		t.Fatal(err)
	}
}

// Small files that unpack to gigabytes, and large ones of nothing, end with a line that names
// the file and the bound, and take little memory.
func TestBombs(t *testing.T) {
	t.Parallel()
	run := foreignRun()
	good := filepath.Join(t.TempDir(), "good")
	if err := record.Write(good, run); err != nil {
		t.Fatal(err)
	}
	const samples = "point,instance,version,mode,index,time_s\n"
	compare, row := []string{"compare", "d", "--by", "version"}, "0,0,stockham,hot,0,1\n"
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string) // in the folder above d, a copy of the run
		args []string
		want string // in the one line
	}{
		"cell":        {bomb("d/r_samples.csv.gz", samples+"\"", "a"), compare, "d/r_samples.csv.gz: line 2: a row has more than 1 MiB"},
		"header":      {bomb("d/r_samples.csv.gz", "point", ",a"), compare, "d/r_samples.csv.gz: line 1: a row has more than 1 MiB"},
		"blank lines": {bomb("d/r_samples.csv.gz", samples, "\n"), compare, "d/r_samples.csv.gz: line 1002: more than 1000 blank lines"},
		"rows":        {bomb("d/r_samples.csv.gz", samples+row, row), compare, "d/r_samples.csv.gz: line 3: sample 0 of point 0, hot, want sample 1"},
		"power":       {bomb("d/r_power_samples.csv.gz", "point,version,time_s,sensor,channel,value\n", "0,a,1,b,c,1\n"), []string{"export", "d", "--to", "csv", "--out", "x"}, ""},
		"table":       {nothing("d/r_time.csv"), compare, "d/r_time.csv: line 10: a row has more than 1 MiB"},
		"run.json":    {nothing("d/run.json"), compare, "d/run.json: has more than 64 MiB"},
		"journal": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "d", record.InfoFile)); err != nil {
				t.Fatal(err)
			}
			sparse(t, filepath.Join(dir, "d", record.JournalFile))
		}, compare, "d/journal.jsonl: line 1: it has more than 256 MiB"},
		"journal of blank lines": {func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "d", record.InfoFile)); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "d", record.JournalFile), strings.Repeat("\n", 200_000))
		}, compare, "d/journal.jsonl: beyond what is read: more than 100000 lines cannot be read"},
		"space":             {bomb("s.csv.gz", "x,time_ms,status\n\"", "a"), []string{"replay", "s.csv.gz", "--strategy", "random"}, "s.csv.gz: line 2: a row has more than 1 MiB"},
		"space, blank":      {bomb("s.csv.gz", "x,time_ms,status\n", "\n"), []string{"replay", "s.csv.gz", "--strategy", "random"}, "s.csv.gz: line 1002: more than 1000 blank lines"},
		"space, rows":       {bomb("s.csv.gz", "x,time_ms,status\n", "1,1,valid\n"), []string{"replay", "s.csv.gz", "--strategy", "random"}, "s.csv.gz: line 4194306: more than 4194304 points"},
		"manifest":          {nothing("manifest.json"), []string{"replay", "manifest.json", "--manifest", "manifest.json"}, "manifest.json: has more than 64 MiB"},
		"history":           {nothing("h.jsonl"), []string{"history", "show", "--file", "h.jsonl"}, "h.jsonl: line 1: it has more than 1 MiB"},
		"history, added to": {nothing("h.jsonl"), []string{"history", "add", "d", "--revision", "r", "--file", "h.jsonl"}, "h.jsonl: line 1: it has more than 1 MiB"},
		"history, blank": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "h.jsonl"), strings.Repeat("\n", 5000)) },
			[]string{"history", "show", "--file", "h.jsonl"}, "h.jsonl: line 1001: beyond what is read: more than 1000 blank lines"},
		"tune.json":       {nothing("e/tune.json"), []string{"report", "e", "-o", "x.html"}, "e/tune.json: has more than 64 MiB"},
		"ab.json":         {nothing("e/ab.json"), []string{"report", "e", "-o", "x.html"}, "e/ab.json: has more than 64 MiB"},
		"replay.csv":      {nothing("e/replay.csv"), []string{"report", "e", "-o", "x.html"}, "e/replay.csv: line 1: a row has more than 1 MiB"},
		"fleet.json":      {nothing("e/fleet.json"), []string{"fleet", "status", "e"}, "e/fleet.json: has more than 64 MiB"},
		"config":          {nothing("c.json"), []string{"validate", "c.json"}, "16 MiB"},
		"import":          {nothing("t1.json"), []string{"import", "t1.json", "--out", "x"}, "t1.json: has more than 1 GiB"},
		"import, packed":  {bomb("t1.json.gz", "{", " "), []string{"import", "t1.json.gz", "--out", "x"}, "t1.json.gz: unpacked, it has more than"},
		"wisdom":          {nothing("w.json"), []string{"plan", "c.json", "--wisdom", "w.json"}, "w.json: has more than 64 MiB"},
		"printed compare": {nothing("c.json"), []string{"report", "c.json", "-o", "x.html"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "d"), os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "c.json"), `{"algorithm": "fft", "sweep_arg": {"N": [64]}}`)
			c.make(t, dir)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // ends a hang
			defer cancel()
			cmd := exec.CommandContext(ctx, benchPath, c.args...)
			var said bytes.Buffer
			cmd.Dir, cmd.Stderr = dir, &said
			err := cmd.Run()
			var exit *exec.ExitError
			if ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if c.want != "" && (err == nil || !strings.Contains(said.String(), c.want) || strings.Count(said.String(), "\n") != 1) {
				t.Errorf("%v: %.1000s\nwant one line with %s", err, said.String(), c.want)
			}
			most := int64(mostMemory)
			if name == "journal" {
				most = mostForJournal
			}
			// A process begins with the most that its parent held, which is this test's; that
			// of a verb that does nothing is the control.
			control := exec.Command(benchPath, "version")
			if err := control.Run(); err != nil {
				t.Fatal(err)
			}
			most = max(most, control.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
			if took := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; took > most+most/8 {
				t.Errorf("it took %d MiB, at most %d are expected", took>>20, most>>20)
			}
		})
	}
}

func bomb(name, head, unit string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), members(t, head, unit)) }
}

func nothing(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		sparse(t, filepath.Join(dir, name))
	}
}
