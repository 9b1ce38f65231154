package command_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gocarina/gocsv"
)

// measured runs the faulty program's busy versions and returns the folder.
func measured(t *testing.T, dir, name, versions string) string {
	t.Helper()
	c := write(t, filepath.Join(dir, name+".json"), fmt.Sprintf(`{"algorithm": "faulty", "versions": [%s], "sensors": [],
		"sweep_arg": {"ms": [1, 2]}, "measure": {"ceilings": false, "min_samples": 60, "min_time_s": 0.02, "timeout_s": 3, "point_timeout_s": 120}}`, versions))
	status, out, errOut := execute(t, dir, madeUpPath, "run", c)
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	return filepath.Join(dir, "results", name)
}

// TestCompareEndToEnd compares 1 ms with 1.05 ms, in two runs and in one.
func TestCompareEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, both := measured(t, dir, "a", `"good"`), measured(t, dir, "both", `"good", "slower"`)
	comparedVersions(t, dir, both)
	comparedRuns(t, dir, a, both)
}

// comparedVersions compares good and slower of one run.
func comparedVersions(t *testing.T, dir, both string) {
	t.Helper()
	plots := filepath.Join(dir, "plots")
	status, out, errOut := execute(t, dir, faultyPath, "compare", both, "--by", "version", "--csv", "--plots", plots, "--gate", "1%")
	rows, err := gocsv.CSVToMaps(strings.NewReader(out))
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d lines, want 5: %v\n%s\n%s", len(rows), err, out, errOut)
	}
	for _, f := range []string{"compare_time.svg", "compare_time.png"} {
		if fi, err := os.Stat(filepath.Join(plots, f)); err != nil || fi.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, r := range rows {
		if samples, _ := strconv.Atoi(r["samples"]); samples < 60 {
			t.Errorf("%s samples, want the raw ones, at least 60", r["samples"])
		}
		ratio, err := strconv.ParseFloat(r["ratio"], 64)
		if r["level"] == "slower" && (err != nil || math.Abs(ratio-1.05) > 0.01 || r["verdict"] != "worse") {
			t.Errorf("slower: %v, want a ratio of 1.05 and worse", r)
		}
	}
	if status != 3 {
		t.Errorf("5 %% slower at a gate of 1 %%: status %d, want 3\n%s\n%s", status, out, errOut)
	}
}

// undisturbed takes from runs what others had of the machine: these versions take their
// time by the clock, whatever else runs.
func undisturbed(t *testing.T, runs ...string) {
	t.Helper()
	for _, run := range runs {
		files, err := filepath.Glob(filepath.Join(run, "*_time.csv"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %q, %v", run, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range rows[0] {
			if name == "others_load" || name == "steal_share" || name == "worker_waiting" {
				for _, r := range rows[1:] {
					r[i] = ""
				}
			}
		}
		var b strings.Builder
		if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		write(t, files[0], b.String())
	}
}

// comparedRuns compares run against run.
func comparedRuns(t *testing.T, dir, a, both string) {
	t.Helper()
	undisturbed(t, a, both)
	// The other way round the baseline's points are missing.
	if status, out, _ := execute(t, dir, faultyPath, "compare", both, a, "--gate", "20%"); status != 4 {
		t.Errorf("with baseline points missing: status %d, want 4\n%s", status, out)
	}
	status, out, _ := execute(t, dir, faultyPath, "compare", a, both, "--json")
	var parsed struct {
		Tables []struct{ Cells []map[string]any }
	}
	if err := json.Unmarshal([]byte(out), &parsed); status != 0 || err != nil || len(parsed.Tables) != 1 || len(parsed.Tables[0].Cells) != 4 {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
	// The versions of the second run that the first lacks are named, and count as
	// no worsening.
	status, out, errOut := execute(t, dir, faultyPath, "compare", a, both, "--gate", "20%")
	if !strings.Contains(out, "without partner: a is not there at version slower") {
		t.Errorf("%s", out)
	}
	if status != 0 || !strings.Contains(out, "gate 20 %: no worse") {
		t.Errorf("1 ms against 1 ms at a gate of 20 %%: status %d\n%s\n%s", status, out, errOut)
	}
}

// TestCompareSides: runs of one side are one level.
func TestCompareSides(t *testing.T) {
	t.Parallel()
	literature, err := filepath.Abs("../results/literature")
	if err != nil {
		t.Fatal(err)
	}
	mode := func(n int) string { return filepath.Join(literature, fmt.Sprintf("tx2-mode%d", n)) }
	status, out, errOut := execute(t, t.TempDir(), benchPath, "compare", "--metric", "time", mode(0), mode(2), "--", mode(1), mode(3), mode(4))
	if status != 0 || !strings.Contains(out, "by run: tx2-mode0 to tx2-mode2, tx2-mode1 to tx2-mode4; baseline tx2-mode0 to tx2-mode2") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
}

func TestCompareLiterature(t *testing.T) {
	t.Parallel()
	literature, err := filepath.Abs("../results/literature")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"compare", "--by", "power_mode", "--markdown"}
	for mode := range 5 {
		args = append(args, filepath.Join(literature, fmt.Sprintf("tx2-mode%d", mode)))
	}
	status, out, errOut := execute(t, t.TempDir(), benchPath, args...)
	if status != 0 || !strings.Contains(out, "| 4 | 8.240 ms | 7.600 W | 62.60 mJ | * |") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	if status, out, _ = execute(t, t.TempDir(), benchPath, append(args, "--gate", "5%")...); status != 4 {
		t.Errorf("a gate over figures without samples: status %d, want 4\n%s", status, out)
	}
}

// A run with cold caches against one with hot ones: the comparison, and a gate, refuse
// unless told.
func TestCompareRefusesMixedCaches(t *testing.T) {
	dir := t.TempDir()
	for name, measure := range map[string]string{"cold": `, "cpu_caches": "cold"`, "hot": ""} {
		c := write(t, filepath.Join(dir, name+".json"), `{"algorithm": "fft", "processor": "CPU", "sensors": [], "versions": ["stockham"],
			"static_args": {"batch_elements": 4096, "N": 64}, "measure": {"ceilings": false, "min_samples": 6, "min_time_s": 0.005, "timeout_s": 1, "flush_bytes": 65536`+measure+`}}`)
		if status, out, errOut := execute(t, dir, benchPath, "run", c); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
	}
	args := []string{"compare", "results/cold", "results/hot"}
	for _, more := range [][]string{nil, {"--gate", "5%"}, {"--metric", "time"}} {
		status, _, errOut := execute(t, dir, benchPath, append(args, more...)...)
		if status != 2 || !strings.Contains(errOut, "times with cold caches (cold) meet times with hot caches (hot)") || !strings.Contains(errOut, "--mix-caches") {
			t.Errorf("%v: status %d\n%s", more, status, errOut)
		}
	}
	status, out, errOut := execute(t, dir, benchPath, append(args, "--mix-caches")...)
	if status != 0 || !strings.Contains(out, "times with cold caches (cold) meet") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
}

func TestCompareUsage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	literature, _ := filepath.Abs("../results/literature/tx2-mode0")
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no run":           {[]string{}, "RUN is missing"},
		"no such folder":   {[]string{"nowhere", "there"}, "there is no such folder"},
		"one folder":       {[]string{literature}, "--by version"},
		"unknown by":       {[]string{literature, "--by", "size"}, "power_mode"},
		"unknown metric":   {[]string{literature, "--by", "version", "--metric", "speed"}, "efficiency"},
		"bad gate":         {[]string{literature, literature, "--gate", "lots"}, "5%"},
		"one version":      {[]string{literature, "--by", "version"}, "nothing to compare"},
		"flag behind --":   {[]string{literature, "--", literature, "--gate", "5%"}, "give flags before it"},
		"no second side":   {[]string{literature, "--"}, "no run on one side"},
		"sides by version": {[]string{"--by", "version", literature, "--", literature}, "compares no sides"},
		"one run twice":    {[]string{literature, "--", literature}, "given twice"},
		"two ways to tell": {[]string{literature, literature, "--csv", "--json"}, "--json does not go with --csv"},
	} {
		status, _, errOut := execute(t, dir, benchPath, append([]string{"compare"}, test.args...)...)
		if status != 2 || !strings.Contains(errOut, test.want) {
			t.Errorf("%s: status %d, %q; want 2 and %q", name, status, errOut, test.want)
		}
	}
}
