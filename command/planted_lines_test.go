package command_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/command"
	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// plantedLines are texts that would make lines of their own, which the log of a forge obeys.
var plantedLines = []string{"x\n::error::PWN\r::stop-commands::PWN\u2028::error::PWN\u2029##[error]PWN\r\n  ::add-mask::PWN", "::error::PWN##[error]##vso[task]"}

// ownLine finds a line that the first of them begins, also where the command in it is broken.
var ownLine = regexp.MustCompile(`(?m)^[ \t]*:`)

// obeyed finds what would be obeyed, or was not there but for what is planted.
var obeyed = regexp.MustCompile(`(?m)^[ \t]*::|##(vso)?\[|[\r\x{2028}\x{2029}]`)

// foreignRun is a run as somebody sends it: two versions, one point failed.
func foreignRun() *record.Run {
	var results []record.Result
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range 8 {
		version := []string{"stockham", "fftw"}[i%2]
		r := record.Result{Point: plan.Point{ID: i, Algorithm: "fft", Version: version, Processor: framework.CPU, Device: "cpu", PowerMode: "MAXN",
			Params: framework.Values{"N": framework.IntValue(int64(64 << (i / 2)))}, ParamOrder: []string{"N"}},
			Status: record.OK, Verification: framework.FastVerification, Checks: []framework.Check{{Metric: "relative L2 error", Error: 1e-7, Bound: 1e-6}},
			Work: framework.Work{NominalFLOPs: 1e6, NominalBytes: 1e6, Items: 64}, Energy: &measure.Energy{Absent: "no sensor"}, Notes: []string{"a note"},
			Started: began.Add(time.Duration(i) * time.Second), Elapsed: 0.5}
		r.Hot = &measure.Series{Batch: 1, Converged: true, Stop: "noise below 0.5 %"}
		for k := range 12 {
			r.Hot.Samples = append(r.Hot.Samples, 1e-6*float64(i+1)*(1+0.001*float64(k)))
		}
		if i == 7 {
			r.Status, r.Reason, r.Hot = record.Failed, "it crashed", nil
		}
		results = append(results, r)
	}
	return record.NewRun(record.Info{Tool: record.Tool{Version: "v1"}, Config: record.ConfigFile{Path: "a.json", Hash: "0", Text: "{}"}, Seed: 1, Started: began,
		Ended: began.Add(time.Hour), Warnings: []string{"a warning"}, LeftOut: []string{"a point"}, Devices: []record.Device{{ID: "cpu"}}}, "r", []plan.Axis{{Name: "N", Count: 4}}, results)
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// plantCell puts a text behind every cell of a column, or in place of it; false where no file has it.
func plantCell(t *testing.T, dir, column, text string) bool {
	had := false
	files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		rows, err := csv.NewReader(strings.NewReader(readText(t, name))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(rows[0], column)
		if at < 0 {
			continue
		}
		had = true
		for _, row := range rows[1:] {
			if column == "version" { // which are to stay apart
				row[at] = text + row[at]
			} else {
				row[at] = text
			}
		}
		var b bytes.Buffer
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		write(t, name, b.String())
	}
	return had
}

// plantColumn renames a column likewise.
func plantColumn(t *testing.T, dir, column, text string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.csv"))
	for _, name := range files {
		write(t, name, strings.Replace(readText(t, name), ","+column+",", ",\""+text+"\",", 1))
	}
	return true
}

// plantJSON sets a value of run.json.
func plantJSON(t *testing.T, dir string, value any, keys ...string) bool {
	path := filepath.Join(dir, record.InfoFile)
	var v map[string]any
	if err := json.Unmarshal([]byte(readText(t, path)), &v); err != nil {
		t.Fatal(err)
	}
	at := v
	for _, k := range keys[:len(keys)-1] {
		if at[k] == nil {
			at[k] = map[string]any{}
		}
		at = at[k].(map[string]any)
	}
	at[keys[len(keys)-1]] = value
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(text))
	return true
}

// A text of somebody else's results makes no line of its own, and no command of a forge, in what
// any verb prints of it.
func TestTextsOfOthersMakeNoLines(t *testing.T) {
	fields := map[string]func(t *testing.T, dir, text string) bool{
		"tool":     func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, text, "tool", "version") },
		"cpu":      func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, text, "machine", "cpu") },
		"prefix":   func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, text, "prefix") },
		"warnings": func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, []string{text}, "warnings") },
		"left out": func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, []string{text}, "left_out") },
		"device": func(t *testing.T, dir, text string) bool {
			return plantJSON(t, dir, []map[string]any{{"id": text}}, "devices") && plantCell(t, dir, "device", text)
		},
		"config": func(t *testing.T, dir, text string) bool { return plantJSON(t, dir, text, "config", "path") },
		"column": func(t *testing.T, dir, text string) bool {
			return plantJSON(t, dir, map[string]any{"params": []any{map[string]any{"name": text, "column": text, "kind": "int"}}}, "columns") && plantColumn(t, dir, "N", text)
		},
	}
	for _, column := range []string{"version", "reason", "notes", "power_mode", "status", "algorithm", "stop", "N", "verification"} {
		fields["cell "+column] = func(t *testing.T, dir, text string) bool { return plantCell(t, dir, column, text) }
	}
	run := foreignRun()
	good := filepath.Join(t.TempDir(), "good")
	if err := record.Write(good, run); err != nil {
		t.Fatal(err)
	}
	printed, had := 0, 0
	for name, plant := range fields {
		for _, text := range plantedLines {
			dir := t.TempDir()
			evil := filepath.Join(dir, "evil")
			if err := os.CopyFS(evil, os.DirFS(good)); err != nil {
				t.Fatal(err)
			}
			if !plant(t, evil, text) {
				t.Fatalf("no place for %s", name)
			}
			t.Chdir(dir)
			for _, args := range [][]string{{"compare", "evil", "--by", "version"}, {"compare", "evil", good, "--gate", "5%"}, {"compare", "evil", good, "--json"}, {"plot", "evil"}, {"report", "evil", "-o", "x.html"},
				{"history", "add", "evil", "--revision", "a", "--file", "h.jsonl"}, {"history", "show", "--file", "h.jsonl"}, {"export", "evil", "--to", "csv", "--out", "table"},
				{"merge", "m=evil", "--out", "merged", "--no-plots"}, {"why", "evil"}} {
				out, errOut := command.Printed(t, args...)
				printed++
				if strings.Contains(out+errOut, "PWN") {
					had++
				}
				if found := ownLine.FindString(out + "\n" + errOut); found != "" && text == plantedLines[0] {
					t.Errorf("%s, %s: what is planted begins a line:\n%.600s%.600s", name, args[0], out, errOut)
				}
				if found := obeyed.FindString(out + "\n" + errOut); found != "" {
					t.Errorf("%s, %s: prints %q:\n%.600s%.600s", name, args[0], found, out, errOut)
				}
			}
		}
	}
	if had < printed/10 {
		t.Errorf("what was planted is in %d of %d outputs: too few to show anything", had, printed)
	}
}

// So it is with the names of files and folders, which who made the folders has chosen, and all else
// that is on the command line.
func TestNamesMakeNoLines(t *testing.T) {
	t.Parallel()
	run := foreignRun()
	above := filepath.Join(t.TempDir(), "a"+plantedLines[0])
	dir := filepath.Join(above, "cwd")
	evil := plantedLines[0] + "evil"
	if err := record.Write(filepath.Join(dir, evil), run); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, evil+".csv"), "a,b,time_ms,status\n1,1,0.5,valid\n1,2,0.75,valid\n")
	write(t, filepath.Join(dir, evil+".json"), `{"algorithm": "fft", "processor": "CPU", "sweep_arg": {"N": [64]}, "x": 1}`)
	write(t, filepath.Join(dir, "lines.jsonl"), "{}\n")
	printed, had := 0, 0
	for _, args := range [][]string{
		{"compare", evil}, {"compare", evil, "--by", "version"}, {"compare", evil, "absent" + evil}, {"compare", evil, evil, "--gate", evil}, {"plot", evil}, {"plot", "absent" + evil},
		{"report", evil, "-o", evil + ".html"}, {"report", evil + ".csv", "-o", "absent" + evil + "/x.html"}, {"history", "add", evil, "--revision", evil, "--file", evil + ".jsonl"}, {"history", "show", "--file", evil + ".jsonl"},
		{"history", "check", "--file", "absent" + evil}, {"export", evil, "--to", "csv", "--out", evil + "/table"}, {"export", evil, "--to", evil}, {"merge", evil + "=" + evil, "--out", evil + "/m", "--no-plots"}, {"merge", evil, "b=" + evil, "--out", "m", "--no-plots"},
		{"why", evil}, {"transfer", evil + ".csv", evil}, {"replay", evil + ".csv", "--strategy", "random", "--budget", "2", "--repeats", "2", "--out", evil + "/r"}, {"replay", evil + ".csv", "--strategy", evil}, {"import", evil + ".csv", "--out", evil},
		{"validate", evil + ".json"}, {"validate", "x" + evil}, {"list", evil[:len(evil)-1]}, {"plan", evil + ".json"}, {"plan", "absent" + evil, "--set", evil + "=1"}, {"run", evil + ".json", "--out", evil}, {"run", "--" + evil}, {evil}, {"list", evil}, {"new", evil}, {"fleet", "status", evil}, {"fleet", "fetch", "absent" + evil},
		{"fleet", evil + ".json", "--hosts", evil, "--out", "f"}, {"fleet", evil + ".json", "--slurm", "--out", evil}, {"board", "follow", evil, "--once"}, {"energy", "--", "absent" + evil}, {"modes", "--root", evil}, {"sensors", "--root", "absent" + evil}, {"history", "show", "--file", "lines.jsonl"},
	} {
		_, out, errOut := execute(t, dir, benchPath, args...)
		printed++
		if strings.Contains(out+errOut, "PWN") {
			had++
		}
		if found := ownLine.FindString(out + "\n" + errOut); found != "" {
			t.Errorf("%.60q: what is planted begins a line:\n%.900s%.900s", args, out, errOut)
		}
		if found := obeyed.FindString(out + "\n" + errOut); found != "" {
			t.Errorf("%.60q: prints %q:\n%.900s%.900s", args, found, out, errOut)
		}
	}
	if had < printed/2 {
		t.Errorf("a name is in %d of %d outputs: too few to show anything", had, printed)
	}
}
