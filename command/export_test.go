package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const gridSpace = "x,y,time_ms,status\n1,1,4,valid\n2,1,1,valid\n2,2,2,valid\n"

// TestT1OfRecordedSpace has the manifest's constraints, and where there are
// none it is said that the space is a larger one.
func TestT1OfRecordedSpace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k-GPU.csv"), gridSpace)
	write(t, filepath.Join(dir, "m.json"), `{"k-GPU": {"kernel": "real", "device": "A", "parameters": {"x": [2, 1], "y": [0, 1, 2]}, "constraints": ["x % y == 0", "y > 0"], "configs": 3}}`)
	write(t, filepath.Join(dir, "words.json"), `{"k-GPU": {"parameters": {"x": [2, 1], "y": [0, 1, 2]}, "labels": {"y": ["none", "row", "column"]}, "constraints": ["y == 'row' or y == 'column' and x == 2"]}}`)
	for _, x := range []struct{ manifest, points, name, said string }{
		{"m.json", " 3 valid points", "real, 2 parameters, 2 conditions", ""},
		{"words.json", " 3 valid points", "y: none row column", ""},
		{"", " 4 valid points", "k, 2 parameters, 0 conditions", "k-GPU: the T1 file's space has 4 points, this one 3: a recorded space without --manifest has no constraints\n"},
	} {
		args := []string{"export", "--to", "t1", "k-GPU.csv", "--out", "t1"}
		if x.manifest != "" {
			args = append(args, "--manifest", x.manifest)
		}
		if status, out, errOut := execute(t, dir, benchPath, args...); status != 0 || errOut != x.said {
			t.Errorf("%s: status %d\n%s\n%s, want %q", x.manifest, status, out, errOut, x.said)
		}
		status, out, errOut := execute(t, dir, benchPath, "import", "t1/k-GPU.t1.json")
		if status != 0 || !strings.Contains(out, x.points) || !strings.Contains(out, x.name) {
			t.Errorf("%s: status %d\n%s\n%s", x.manifest, status, out, errOut)
		}
	}
}

// TestT1OfSearch has the sweep point's size instead of its name, and says
// what it cannot hold.
func TestT1OfSearch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, `, "sweep_arg": {"ms": [1, 2]}, "tunables": {"A": [1, 2, 3], "B": [1, 2, 4]},
		"tuning_constraints": ["A * B <= 6 and A + B > ms + 1", "(A - B) % 2 == 0"]`)
	if status, out, errOut := execute(t, dir, faultyPath, "tune", config, "--device", "cpu", "--wisdom", "none", "--confirm", "0", "--budget", "2", "--out", "search"); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	status, out, errOut := execute(t, dir, faultyPath, "export", "--to", "t1", "search")
	if status != 0 || !strings.Contains(errOut, "faulty_tuned_ms_2: not exported: not in Python: (A - B) % 2 == 0 (") || !strings.Contains(errOut, "the T1 file's space has 4 points, this one 2: what the version itself refuses is code") ||
		strings.Count(errOut, "\n") != 2 {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results", "export-search", "faulty_tuned_ms_2.t1.json"))
	if err != nil {
		t.Fatal(err)
	}
	var t1 struct {
		ConfigurationSpace struct{ Conditions []struct{ Expression string } }
	}
	if err := json.Unmarshal(text, &t1); err != nil {
		t.Fatal(err)
	}
	if c := t1.ConfigurationSpace.Conditions; len(c) != 2 || c[0].Expression != "A * B <= 6" || c[1].Expression != "A + B > 2 + 1" {
		t.Errorf("conditions %+v", c)
	}
}

// TestReplayManifest: parameters that the file has not are refused, what else
// differs from it is said.
func TestReplayManifest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.csv"), gridSpace)
	for text, want := range map[string]struct {
		status int
		said   string
	}{
		`{"k": {"parameters": {"x": [2, 1], "y": [1, 2]}}}`: {0, ""},
		`{"other": {}}`:                        {0, "k is not in the manifest"},
		`{"k": {"parameters": {"z": [2, 1]}}}`: {2, "z is not a column"},
		`{"k": {"configs": 4}}`:                {0, "configs is 4, and the file has 3 rows"},
		`{"k": {"constraints": ["x >"]}}`:      {0, `python "x >"`},
		`[{}]`:                                 {2, "the file holds a list"},
	} {
		write(t, filepath.Join(dir, "m.json"), text)
		status, out, errOut := execute(t, dir, benchPath, "replay", "k.csv", "--manifest", "m.json", "--strategy", "random", "--budget", "2", "--repeats", "2", "--json")
		if status != want.status || !strings.Contains(errOut, want.said) || (want.said == "") != (errOut == "") {
			t.Errorf("%s: status %d\n%s\n%s", text, status, out, errOut)
		}
	}
}

// TestWhereFilesGo: --transfer writes its table where --out says, an export
// without --out below results.
func TestWhereFilesGo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), gridSpace)
	write(t, filepath.Join(dir, "b.csv"), "x,y,time_ms,status\n1,1,1,valid\n2,1,,invalid\n")
	if status, out, errOut := execute(t, dir, benchPath, "transfer", "--out", "new/table", "a.csv", "b.csv"); status != 0 || !strings.Contains(out, "does not run") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	text, err := os.ReadFile(filepath.Join(dir, "new", "table", "transfer.csv"))
	if want := "from,to,x,y,performance\na,b,2,1,0\nb,a,1,1,0.25\n"; err != nil || string(text) != want {
		t.Errorf("%s (%v), want %s", text, err, want)
	}
	for _, format := range []string{"kernel-tuner", "t1", "t4"} {
		if status, out, errOut := execute(t, dir, benchPath, "export", "--to", format, "a.csv"); status != 0 || !strings.Contains(out, "results/export-a/a."+format+".json") {
			t.Errorf("%s: status %d\n%s\n%s", format, status, out, errOut)
		}
		if _, err := os.Stat(filepath.Join(dir, "results", "export-a", "a."+format+".json")); err != nil {
			t.Error(err)
		}
	}
	if status, _, _ := execute(t, dir, benchPath, "export", "--to", "t4", "absent.json"); status != 2 {
		t.Errorf("status %d", status)
	}
	if _, err := os.Stat(filepath.Join(dir, "results", "export-absent")); err == nil {
		t.Error("a folder is left of an export that did not come about")
	}
}

// TestExportedRun: every format of a run's folder and of a search's, whose trials are
// its points; what a file cannot hold is said.
func TestExportedRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	published, err := filepath.Abs("../results/epyc-fft")
	if err != nil {
		t.Fatal(err)
	}
	config := tuneConfig(t, dir, `, "sweep_arg": {"ms": [1]}, "tunables": {"A": [1, 2, 3]}`)
	if status, out, errOut := execute(t, dir, faultyPath, "tune", config, "--device", "cpu", "--wisdom", "none", "--confirm", "0", "--budget", "2", "--out", "search"); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	for format, file := range map[string]string{"csv": ".csv", "json": ".json", "parquet": ".parquet", "benchfmt": ".bench.txt"} {
		for _, x := range []struct{ run, name string }{{published, "epyc-fft"}, {"search", "search"}} {
			where := filepath.Join("results", "export-"+x.name, x.name+file)
			status, out, errOut := execute(t, dir, benchPath, "export", "--to", format, x.run)
			if status != 0 || out != where+"\n" {
				t.Errorf("%s: status %d\n%s\n%s", format, status, out, errOut)
			}
			if info, err := os.Stat(filepath.Join(dir, where)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %v", where, err)
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "results", "export-search", "search.csv"))
	if err != nil || strings.Count(string(text), "\n") < 3 || !strings.Contains(string(text), ",A,") {
		t.Errorf("%v\n%s", err, text)
	}
	partition, err := filepath.Abs("../results/literature/rtx4080-partition")
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"rtx4080-partition","file":"x/rtx4080-partition.bench.txt","loss":"points of which no time is recorded are left out: 37 ok"}` + "\n"
	if status, out, errOut := execute(t, dir, benchPath, "export", "--to", "benchfmt", partition, "--json", "--out", "x"); status != 0 || out != want {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, x := range []struct {
		args []string
		said string
	}{
		{[]string{"csv", dir}, "holds no results"},
		{[]string{"zip", t.TempDir()}, "holds no results"},
		{[]string{"csv", published, published}, "would both be written as epyc-fft: export one at a time, each with --out"},
		{[]string{"parquet", published, "--manifest", "m.json"}, "--t1 and --manifest do not go with --to parquet"},
		{[]string{"xlsx", published}, `--to "xlsx" is none of benchfmt, csv, json, parquet, zip, kernel-tuner, t1, t4`},
	} {
		status, out, errOut := execute(t, dir, benchPath, append([]string{"export", "--out", "none", "--to"}, x.args...)...)
		if status != 2 || out != "" || !strings.Contains(errOut, x.said) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: status %d\n%s%s", x.args, status, out, errOut)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder is left of an export that did not come about")
	}
}
