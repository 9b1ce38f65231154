package command_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// abFile is what the tests look at in ab.json.
type abFile struct {
	folder string
	Pairs  []struct {
		Name    string
		Failure string
		Result  *struct {
			Control, Treatment *struct {
				Value, Low, High float64
				Ratios           []float64
			}
			Smallest float64 `json:"smallest_difference"`
			Effect   *struct{ Verdict string }
		}
	}
}

func ab(t *testing.T, program string, args ...string) (status int, out, errOut string, result abFile) {
	t.Helper()
	dir := t.TempDir()
	result.folder = filepath.Join(dir, "ab")
	status, out, errOut = executeWith(t, dir, drawing, program, append([]string{"ab", "--out", "ab"}, args...)...)
	b, err := os.ReadFile(filepath.Join(dir, "ab", "ab.json"))
	if err == nil {
		err = json.Unmarshal(b, &result)
	}
	if status == 0 && err != nil {
		t.Fatal(err)
	}
	if status == 0 {
		rows := table(t, filepath.Join(dir, "ab", "ab.csv"))
		want := 0
		for _, p := range result.Pairs {
			want += len(p.Result.Control.Ratios)
			if p.Result.Treatment != nil {
				want += len(p.Result.Treatment.Ratios)
			}
		}
		if len(rows) != want || want == 0 {
			t.Errorf("%d rows in ab.csv, want %d", len(rows), want)
		}
		for _, f := range []string{"figures/ab.svg", "figures/ab.png", "ab_samples.csv.gz"} {
			if fi, err := os.Stat(filepath.Join(dir, "ab", f)); err != nil || fi.Size() == 0 {
				t.Errorf("%s: %v", f, err)
			}
		}
	}
	return status, out, errOut, result
}

const busy = `{"algorithm": "faulty", "sensors": [], "measure": {"ceilings": false, "min_samples": 20, "min_time_s": 0.02, "timeout_s": 3, "point_timeout_s": 120}}`

// TestABFindsFivePercent: a loop of 1 ms against one of 1.05 ms.
func TestABFindsFivePercent(t *testing.T) {
	t.Parallel()
	c := write(t, filepath.Join(t.TempDir(), "busy.json"), busy)
	status, out, errOut, r := ab(t, madeUpPath, c, "--versions", "good,slower", "--repeats", "5")
	if status != 0 || len(r.Pairs) != 1 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	p := r.Pairs[0].Result
	if p.Effect.Verdict != "worse" || math.Abs(p.Treatment.Value-1.05) > 0.01 || !strings.Contains(out, "slower is slower") {
		t.Errorf("1.05 ms against 1 ms:\n%s", out)
	}
}

func TestABControlAlone(t *testing.T) {
	t.Parallel()
	c := write(t, filepath.Join(t.TempDir(), "busy.json"), busy)
	status, out, errOut, r := ab(t, madeUpPath, c, "--versions", "good,good", "--repeats", "4")
	if status != 0 || len(r.Pairs) != 1 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	p := r.Pairs[0].Result
	if p.Treatment != nil || len(p.Control.Ratios) != 4 || !(p.Smallest > 0) {
		t.Fatalf("%+v", p)
	}
	if want := math.Max(p.Control.High, 1/p.Control.Low) - 1; math.Abs(p.Smallest-want) > 1e-12 {
		t.Errorf("smallest difference %g, want the further end of the control, %g", p.Smallest, want)
	}
	if math.Abs(p.Control.Value-1) > 0.01 {
		t.Errorf("1 ms against itself: a ratio of %v", p.Control.Value)
	}
}

// rests is the algorithm "rest", whose versions first and second rest for a
// millisecond in C: what looks at anything but times then takes no processor.
func rests(t *testing.T, dir string) (algorithm string) {
	write(t, filepath.Join(dir, "rest.c"), `#include <time.h>
static void rest(double *y, int n) {
  struct timespec t = {0, 1000000};
  nanosleep(&t, 0);
  for (int i = 0; i < n; i++) y[i] = i;
}
void first(double *y, int n) { rest(y, n); }
void second(double *y, int n) { rest(y, n); }
void right(double *y, int n) { for (int i = 0; i < n; i++) y[i] = i; }
`)
	return `{"cuda": {"name": "rest", "params": [{"name": "N", "default": 8}, {"name": "M", "default": 1}],
		"arguments": [{"name": "y", "type": "f64", "size": "N", "use": "output"}, {"name": "n", "type": "i32", "value": "N"}],
		"versions": [{"name": "first", "c": {"source": "rest.c", "function": "first"}}, {"name": "second", "c": {"source": "rest.c", "function": "second"}}],
		"verify": {"c": {"source": "rest.c", "function": "right"}}}}`
}

// Two versions, each of a config of its own. (TestABRefusesMixedCaches has built-in ones.)
func TestABOfConfigs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	algorithm := rests(t, dir)
	measure := `"measure": {"ceilings": false, "min_samples": 6, "min_time_s": 0.005, "timeout_s": 1, "point_timeout_s": 120}`
	one := write(t, filepath.Join(dir, "one.json"), `{"algorithm": `+algorithm+`, "processor": "CPU", "versions": ["first"], "static_args": {"N": 64}, `+measure+`}`)
	two := write(t, filepath.Join(dir, "two.json"), `{"algorithm": `+algorithm+`, "processor": "CPU", "versions": ["second"], "static_args": {"N": 64}, `+measure+`}`)
	if status, out, errOut, r := ab(t, benchPath, one, two, "--repeats", "3"); status != 0 || len(r.Pairs) != 1 || r.Pairs[0].Result.Treatment == nil {
		t.Errorf("two configs: status %d\n%s\n%s", status, out, errOut)
	}
}

// Configs of which one asks for cold caches and one for hot ones are not compared
// unless told to, and ab.csv says which were taken.
func TestABRefusesMixedCaches(t *testing.T) {
	dir := t.TempDir()
	config := func(name, version, measure string) string {
		return write(t, filepath.Join(dir, name+".json"), `{"algorithm": "fft", "processor": "CPU", "sensors": [], "versions": ["`+version+`"],
			"static_args": {"batch_elements": 4096, "N": 64}, "measure": {"min_samples": 6, "min_time_s": 0.005, "timeout_s": 1, "flush_bytes": 65536`+measure+`}}`)
	}
	cold, hot := config("cold", "stockham", `, "cpu_caches": "cold"`), config("hot", "reference", "")
	dirty := config("dirty", "stockham", `, "flush": "dirty"`)
	for _, args := range [][]string{{cold, hot}, {hot, dirty}} {
		status, _, errOut := execute(t, dir, benchPath, append([]string{"ab", "--repeats", "3"}, args...)...)
		if status != 2 || !strings.Contains(errOut, "--mix-caches") || strings.Contains(errOut, "1 of ") {
			t.Errorf("%v: status %d, want 2 and what would be right\n%s", args, status, errOut)
		}
	}
	status, _, errOut := execute(t, dir, benchPath, "ab", cold, hot, "--repeats", "3", "--mix-caches", "--out", "out")
	text, err := os.ReadFile(filepath.Join(dir, "out", "ab.csv"))
	if status != 0 || err != nil || strings.Count(string(text), ",cold,") != 6 {
		t.Errorf("status %d, %v\n%s\n%s", status, err, errOut, text)
	}
}

// What is refused of configs without running anything.
func TestABRefusesConfigs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	steps(t, dir, benchPath, "new p --template program", "new k")
	for _, c := range []struct{ args, want string }{
		{"p/p.json p/p.json", "times itself cannot take turns"},
		{"p/p.json --versions p,p", "times itself cannot take turns"},
		{"k/k.json k/k.json", "2 versions, want one in each config"},
		{"k/k.json --versions k,k --set rate_hz=10", "rate_hz: versions take turns back to back and alone; run both and compare the runs"},
		{"k/k.json --versions k,k --set beside=none,cpu:1", "beside: versions take turns"},
	} {
		status, _, errOut := execute(t, dir, benchPath, append([]string{"ab"}, strings.Fields(c.args)...)...)
		if status != 2 || !strings.Contains(errOut, c.want) || strings.Contains(errOut, "1 of ") {
			t.Errorf("%s: status %d, want 2 and %q\n%s", c.args, status, c.want, errOut)
		}
	}
}

// A second ab keeps the results of the first.
func TestABKeepsEarlierResults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "busy.json"), busy)
	for range 2 {
		if status, out, errOut := execute(t, dir, faultyPath, "ab", c, "--versions", "good,good", "--repeats", "3", "--out", "ab"); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
	}
	if files, err := filepath.Glob(filepath.Join(dir, "ab*", "ab.json")); err != nil || len(files) != 2 {
		t.Errorf("%v, %v; want two files", files, err)
	}
}

func TestABRefuses(t *testing.T) {
	t.Parallel()
	c := write(t, filepath.Join(t.TempDir(), "busy.json"), busy)
	for name, test := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no versions":     {nil, 2, "--versions A,B"},
		"one version":     {[]string{"--versions", "good"}, 2, "want two"},
		"unknown version": {[]string{"--versions", "good,better"}, 2, "slower"},
		"few repeats":     {[]string{"--versions", "good,good", "--repeats", "2"}, 2, "at least 3"},
		"no share":        {[]string{"--versions", "good,good", "--same", "much"}, 2, "--same"},
		"simulator":       {[]string{"--versions", "good,good", "--device", "sim"}, 2, "times nothing"},
		"wrong answer":    {[]string{"--versions", "good,wrong"}, 1, "wrong in repeat 1"},
		"crash":           {[]string{"--versions", "good,segfault"}, 1, "failed in repeat 1"},
		"unsupported":     {[]string{"--versions", "good,unsupported"}, 1, "no size is supported"},
	} {
		status, out, errOut, _ := ab(t, faultyPath, append([]string{c}, test.args...)...)
		if status != test.status || !strings.Contains(out+errOut, test.want) {
			t.Errorf("%s: status %d, want %d and %q\n%s\n%s", name, status, test.status, test.want, out, errOut)
		}
	}
}

// TestABOfSweep: the rows of the plot have the parameters that vary, the note has
// what they share.
func TestABOfSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "rest.json"), `{"algorithm": `+rests(t, dir)+`, "output_file_prefix": "rest", "sweep_arg": {"N": [64, 128], "M": [1024, 4096]},
		"measure": {"ceilings": false, "min_samples": 3, "min_time_s": 0.001, "noise": 0.5, "timeout_s": 5, "point_timeout_s": 120}}`)
	status, out, errOut, r := ab(t, benchPath, c, "--versions", "first,second", "--processor", "CPU", "--repeats", "3")
	if status != 0 || len(r.Pairs) != 4 || !strings.Contains(out, "rest N 64 M 1024 ") {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, p := range r.Pairs {
		if p.Result.Treatment == nil || p.Result.Treatment.Value <= 0 {
			t.Errorf("%s: %+v", p.Name, p.Result)
		}
	}
	b, err := os.ReadFile(filepath.Join(r.folder, "figures", "ab.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">N 64, M 1024:", ">N 128, M 4096:", "second / first<", ">rest; 3 repeats"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("ab.svg lacks %q", want)
		}
	}
	if strings.Contains(string(b), "precision") || strings.Contains(string(b), "rest N") || strings.Contains(string(b), "…") {
		t.Error("ab.svg has what all rows share in each, or a cut name")
	}
}
