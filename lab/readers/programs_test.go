package readers

import (
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/test/cells"
)

// benchstat runs the program on files and returns its table's rows.
func benchstat(t *testing.T, program string, args ...string) [][]string {
	t.Helper()
	cmd := exec.Command(program, append([]string{"-format", "csv"}, args...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	in := csv.NewReader(strings.NewReader(string(out)))
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return rows
}

func near(t *testing.T, cell string, want float64) bool {
	t.Helper()
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Error(err)
	}
	return math.Abs(x/want-1) < 1e-9
}

// benchstat makes its own statistics of two runs' samples: the second is 10 % slower,
// and the counts are the same.
func TestBenchstat(t *testing.T) {
	program := filepath.Join(t.TempDir(), "benchstat")
	if out, err := exec.Command("go", "build", "-o", program, "golang.org/x/perf/cmd/benchstat").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before, after := exported(t, cells.Run(t, 1), "benchfmt"), exported(t, cells.Run(t, 1.1), "benchfmt")
	found := map[string][]string{}
	unit := ""
	for _, row := range benchstat(t, program, before, after) {
		if len(row) > 2 && row[0] == "" {
			unit = row[1]
		} else if len(row) > 1 {
			found[row[0]+" "+unit] = row
		}
	}
	change := found["Fft/N=64/P=2.5/version=stockham/device=cpu sec/op"]
	if len(change) < 7 || !near(t, change[1], 1.0055e-3) || !near(t, change[3], 1.1*1.0055e-3) || change[5] != "+10.00%" || !regexp.MustCompile(`^p=0\.000 n=12$`).MatchString(change[6]) {
		t.Errorf("%q in\n%q", change, found)
	}
	if counts := found["Fft/N=64/version=fftw/device=cpu nominal-flop/op"]; len(counts) < 4 || counts[1] != "320" || counts[2] != "0%" || counts[3] != "320" {
		t.Errorf("%q in\n%q", counts, found)
	}
	if energy := found["Fft/N=64/P=2.5/version=stockham/device=cpu J/op"]; len(energy) < 4 || energy[1] != "0.06" {
		t.Errorf("%q in\n%q", energy, found)
	}
	versions := false
	for _, row := range benchstat(t, program, "-col", "/version", "-row", "/N", before) {
		versions = versions || len(row) > 3 && row[1] == "stockham" && row[3] == "fftw"
	}
	if !versions {
		t.Error("versions are no columns")
	}
}

// pandas reads the tables with their types, and numbers that are not there as missing.
func TestPandas(t *testing.T) {
	python := os.Getenv("BENCH_PANDAS")
	if python == "" {
		t.Skip("needs BENCH_PANDAS: run tools/fetch-test-env and source .cache/env.sh")
	}
	dir := cells.Run(t, 1)
	const script = `
import sys, pandas
a, b = pandas.read_csv(sys.argv[1]), pandas.read_json(sys.argv[2])
for t in a, b:
    print(list(t.N), t.time_s.dtype, t.time_s.round(7).tolist(), t.nominal_flops.tolist(), t.power_W.isna().sum(), t.error.isna().sum(), t.version.tolist(), repr(t.reason[1]), t.converged.tolist())
print(list(a.columns) == list(b.columns), a[a.status == "ok"].groupby("version").time_s.min().round(7).to_dict())
`
	out, err := exec.Command(python, "-c", script, exported(t, dir, "csv"), exported(t, dir, "json")).CombinedOutput()
	row := `[64, 1152921504606846976, 64] float64 [0.0010055, nan, 0.002011] [320, 5764607523034234880, 320] 2 3 ['stockham', 'a b/c', 'fftw'] '"NaN",\\nµ' [True, nan, True]` + "\n"
	want := row + strings.Replace(row, "[True, nan, True]", "[1.0, nan, 1.0]", 1) + "True {'fftw': 0.002011, 'stockham': 0.0010055}\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
