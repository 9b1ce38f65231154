package command

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
)

// Every journal ever written can be exported; those of each kind can be drawn and written
// as CSVs. What their members are, by number of journal, pictures do not show.
func TestFrozenJournalsAreExported(t *testing.T) {
	const frozen = "../framework/record/testdata/journals"
	list, err := os.ReadDir(frozen)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d journals, %v", len(list), err)
	}
	for _, e := range list {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join(frozen, e.Name(), "journal.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), e.Name())
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), text, 0o666); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(e.Name(), "3-members-") {
				isDrawn(t, dir)
			}
			for _, format := range []string{"csv", "json", "parquet", "benchfmt"} {
				out := filepath.Join(t.TempDir(), format)
				status, _, errOut := runIn(t, "export", "--to", format, dir, "--out", out)
				files, err := os.ReadDir(out)
				if status != exitGood || err != nil || len(files) != 1 {
					t.Errorf("export --to %s %s: status %d, %v, %v, %s", format, e.Name(), status, files, err, errOut)
				}
			}
		})
	}
}

// isDrawn sees that plot --csv makes tables and pictures of the journal in dir.
func isDrawn(t *testing.T, dir string) {
	t.Helper()
	if status, _, errOut := runIn(t, "plot", "--csv", dir); status != exitGood {
		t.Errorf("plot --csv %s: status %d, %s", dir, status, errOut)
	}
	for _, files := range []string{"*.csv", "figures/*.png"} {
		if list, err := filepath.Glob(filepath.Join(dir, files)); err != nil || len(list) == 0 {
			t.Errorf("plot --csv %s: %d of %s, %v", dir, len(list), files, err)
		}
	}
}

// What the first version wrote is read: its config, run, search, wisdom and history, with the figures that it wrote. docs/compatibility.md
// promises so. The files stay as they are; a change that breaks this test breaks what users have.
func TestFrozenFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/frozen")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "again"), os.DirFS("testdata/frozen/run")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	// The wisdom becomes this machine's: how well it fits then is the same everywhere.
	wisdom, err := os.ReadFile("wisdom.json")
	if err != nil {
		t.Fatal(err)
	}
	facts, _ := machine.Live.Facts()
	text := strings.NewReplacer("AMD EPYC", facts.CPU, "amd64", runtime.GOARCH).Replace(string(wisdom))
	if err := os.WriteFile("wisdom.json", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	times, err := os.ReadFile("run/saxpy_time.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(times)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(rows, err)
	}
	at := slices.Index(rows[0], "time_s")
	medians := []string{rows[1][at], rows[2][at]}
	for _, c := range []struct {
		args string
		want []string // what it prints, or what its file holds
		file string
	}{
		{"validate saxpy.json", []string{"good, 2 points"}, ""},
		{"plan saxpy.json --wisdom wisdom.json", []string{"UNROLL=4", "UNROLL=2", "wisdom, exact size"}, ""},
		{"export --to csv run --out out", medians, "out/run.csv"},
		{"export --to kernel-tuner tune --out tuner", []string{"UNROLL"}, "tuner/saxpy_loop_N_1000.kernel-tuner.json"},
		{"compare run again", []string{"finding: "}, ""},
		{"report run tune history.jsonl --out all.html", []string{"saxpy"}, "all.html"},
		{"plot run", nil, "run/figures/saxpy_time.png"},
		{"history show --file history.jsonl", []string{"saxpy", "loop"}, ""},
	} {
		status, out, errOut := runIn(t, strings.Fields(c.args)...)
		if status != exitGood {
			t.Errorf("bench %s: status %d, %s%s", c.args, status, out, errOut)
			continue
		}
		if c.file != "" {
			text, err := os.ReadFile(c.file)
			if err != nil || len(text) == 0 {
				t.Errorf("bench %s: %v", c.args, err)
			}
			out = string(text)
		}
		for _, w := range c.want {
			if !strings.Contains(out+errOut, w) {
				t.Errorf("bench %s: want %q in\n%.2000s", c.args, w, out+errOut)
			}
		}
	}
	tablesKeepTheirColumns(t, "run")
	// Tables without their journal are read too.
	if err := os.Remove("again/journal.jsonl"); err != nil {
		t.Fatal(err)
	}
	if status, out, errOut := runIn(t, "export", "--to", "csv", "again", "--out", "alone"); status != exitGood {
		t.Errorf("export of tables alone: status %d, %s%s", status, out, errOut)
	}
	alone, err := os.ReadFile("alone/again.csv")
	for _, median := range medians {
		if err != nil || !strings.Contains(string(alone), median) {
			t.Errorf("export of tables alone lacks %s, %v", median, err)
		}
	}
}

// tablesKeepTheirColumns sees that the tables that are made of a run's journal now have the columns and cells of those that were made first.
func tablesKeepTheirColumns(t *testing.T, first string) {
	t.Helper()
	read := func(path string) [][]string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(path, err)
		}
		return rows
	}
	journal, err := os.ReadFile(filepath.Join(first, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const dir = "made"
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), journal, 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errOut := runIn(t, "plot", "--csv", dir); status != exitGood {
		t.Fatalf("plot --csv: status %d, %s", status, errOut)
	}
	list, err := filepath.Glob(filepath.Join(first, "*.csv"))
	if err != nil || len(list) < 6 {
		t.Errorf("%d tables in %s, %v", len(list), first, err)
	}
	for _, path := range list {
		then, now := read(path), read(filepath.Join(dir, filepath.Base(path)))
		if len(now) != len(then) {
			t.Errorf("%s has %d lines, %d in the first version", filepath.Base(path), len(now), len(then))
			continue
		}
		for c, name := range then[0] {
			at := slices.Index(now[0], name)
			for r := range then {
				if at < 0 || now[r][at] != then[r][c] {
					t.Errorf("%s: column %s, line %d: it was %q in the first version", filepath.Base(path), name, r+1, then[r][c])
					break
				}
			}
		}
	}
}
