package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/tuning/recorded"
)

// twoVersions is a published run, of two versions and a library at one problem.
func twoVersions(t *testing.T) string {
	t.Helper()
	run, err := record.Read("../results/h200-bicubic")
	if err != nil {
		t.Fatal(err)
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(w record.Row) bool {
		return w.Params.Get("basis").String() != "hermite" || !slices.Contains([]string{"v2", "v5", "npp"}, w.Version)
	})
	dir := t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Where a comparison is asked why, it says so of what is known, and is otherwise as it is
// without; and a report does.
func TestReasons(t *testing.T) {
	t.Parallel()
	dir := twoVersions(t)
	arguments := []string{"compare", dir, "--by", "version", "--baseline", "v5", "--metric", "time"}
	status, plain, errOut := execute(t, dir, madeUpPath, arguments...)
	if status != 0 || strings.Contains(plain, "because") {
		t.Fatalf("status %d\n%s\n%s", status, plain, errOut)
	}
	status, out, errOut := execute(t, dir, madeUpPath, append(arguments, "--why")...)
	if strings.Contains(out, "no usable libnvrtc") {
		t.Skip("needs NVRTC")
	}
	for _, want := range []string{"v2: slower because: instructions of warps ", "not explained (a library's code is not known) at npp", "reasons are of the kernels as this build has them"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q\n%s\n%s", status, want, out, errOut)
		}
	}
	rest := slices.DeleteFunc(slices.Collect(strings.Lines(out)), func(l string) bool { return !strings.Contains(plain, l) })
	if strings.Join(rest, "") != plain {
		t.Errorf("with --why\n%s\nwithout\n%s", out, plain)
	}

	page := filepath.Join(dir, "page.html")
	if status, out, errOut = execute(t, dir, madeUpPath, "report", "--why", dir, "-o", page); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	text, err := os.ReadFile(page)
	for _, want := range []string{"what bounds each point", "Bound by ", "v2 is slower because: "} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%v: the page lacks %q", err, want)
		}
	}
}

// Without NVRTC a comparison is what it is, and says why it has no reasons.
func TestNoReasons(t *testing.T) {
	t.Parallel()
	dir := twoVersions(t)
	none := []string{"BENCH_NVRTC=" + filepath.Join(dir, "none.so")}
	status, out, errOut := executeWith(t, dir, none, madeUpPath, "compare", dir, "--by", "version", "--why", "--json")
	var c struct{ Notes []string }
	if err := json.Unmarshal([]byte(out), &c); status != 0 || err != nil || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.HasPrefix(n, "no reasons: ") }) {
		t.Errorf("status %d, %v: %q\n%s", status, err, c.Notes, errOut)
	}
	status, _, errOut = executeWith(t, dir, none, madeUpPath, "report", "--why", dir, "-o", filepath.Join(dir, "page.html"))
	if status != 1 || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, "--why: ") {
		t.Errorf("status %d\n%s", status, errOut)
	}
}

// Of a device of OpenCL comparison and report say what ceilings do, without NVRTC.
func TestReasonsOfOpenCL(t *testing.T) {
	t.Parallel()
	dir := twoVersions(t)
	run, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Rows {
		if run.Rows[i].Processor == framework.GPU {
			run.Rows[i].Device = "opencl:0"
		}
	}
	for i := range run.Info.Devices {
		if d := &run.Info.Devices[i]; d.Facts != nil {
			d.ID, d.Facts.OpenCL = "opencl:0", &gpu.OpenCL{}
		}
	}
	dir = t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	none := []string{"BENCH_NVRTC=" + filepath.Join(dir, "none.so")}
	status, out, errOut := executeWith(t, dir, none, madeUpPath, "compare", dir, "--by", "version", "--baseline", "v5", "--metric", "time", "--why")
	for _, want := range []string{"both need as much of what is measured, memory (the problem's bytes) for ", "OpenCL does not show what kernels execute", "not explained (a library's code is not known) at npp"} {
		if status != 0 || !strings.Contains(out, want) || strings.Contains(out, "PTX") {
			t.Errorf("status %d, want %q\n%s\n%s", status, want, out, errOut)
		}
	}
	page := filepath.Join(dir, "page.html")
	status, out, errOut = executeWith(t, dir, none, madeUpPath, "report", "--why", dir, "-o", page)
	text, err := os.ReadFile(page)
	for _, want := range []string{"Bound by ", "By the bytes and operations that the problem needs at least", "OpenCL does not show what kernels execute: shares"} {
		if status != 0 || err != nil || !strings.Contains(string(text), want) {
			t.Errorf("status %d, %v: the page lacks %q\n%s\n%s", status, err, want, out, errOut)
		}
	}
}

// The model's times of tunables that were never measured are a space that teaches a search.
func TestModelSpaces(t *testing.T) {
	t.Parallel()
	run, err := record.Read("../results/h100-weakness/classes/gemm.zip")
	if err != nil {
		t.Fatal(err)
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(w record.Row) bool { return w.Params.Get("N").Int() != 512 })
	run.Info.Config.Text = record.Experiment(strings.Replace(string(run.Info.Config.Text), `"sweep_arg"`, `"tunables": { "X": [8, 32], "Y": [1, 8] }, "sweep_arg"`, 1))
	dir := t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, "..", madeUpPath, "why", dir, "--space", dir)
	if strings.Contains(errOut, "no usable libnvrtc") {
		t.Skip("needs NVRTC")
	}
	file := filepath.Join(dir, "gemm_naive-NVIDIA_H100_80GB_HBM3-model.csv.gz")
	if status != 0 || !strings.Contains(out, "naive: 4 of 4 points, the best takes ") || !strings.Contains(out, file) {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	model, err := recorded.Open(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	measured, err := recorded.Open("../results/h100-features/gemm/gemm_naive_N_512-NVIDIA_H100_80GB_HBM3.csv.gz", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][]float64{{8, 1}, {8, 8}, {32, 1}, {32, 8}} {
		m, k := model.Costs[model.Space.FindValues(at)], measured.Costs[measured.Space.FindValues(at)]
		if !(m > k/2) || !(m < 2*k) {
			t.Errorf("X = %g, Y = %g: %g s by the model, %g measured", at[0], at[1], m, k)
		}
	}
	status, out, errOut = execute(t, "..", madeUpPath, "replay", "results/h100-features/gemm/gemm_naive_N_512-NVIDIA_H100_80GB_HBM3.csv.gz", "--from", file, "--repeats", "2", "--json")
	if status != 0 || !strings.Contains(out, "standard1_evaluations") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, arguments := range [][]string{{dir, "--space", dir, "--json"}, {"results/h200-scan-single", "--versions", "cub", "--space", dir}} {
		if status, out, errOut = execute(t, "..", madeUpPath, append([]string{"why"}, arguments...)...); status != 2 || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%v: status %d\n%s\n%s", arguments, status, out, errOut)
		}
	}
}

// A run that somebody sent names no program that is started to explain it.
func TestWhyStartsNoProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mark, program := filepath.Join(dir, "mark"), filepath.Join(dir, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ntouch "+mark+"\necho '{\"time_s\": 1, \"flops\": 1, \"load_bytes\": 1, \"store_bytes\": 1}'\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	run, err := record.Read("../results/h100-counters")
	if err != nil {
		t.Fatal(err)
	}
	run.Info.Config = record.ConfigFile{Path: "evil.json", Text: record.Experiment(`{"executable": "` + program + `", "kernel_name": "evil", "processor": "GPU", "static_args": [],
		"sweep_arg": {"name": "N", "values": [1024]}, "run_arg": {"one": ["--runs", 1], "many": ["--runs", 5]}}`)}
	for i := range run.Rows {
		run.Rows[i].Algorithm, run.Rows[i].Version = "evil", "evil"
	}
	results := filepath.Join(dir, "results")
	if err := record.Write(results, run); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, dir, benchPath, "why", results)
	if strings.Contains(errOut, "no usable libnvrtc") {
		t.Skip("needs NVRTC")
	}
	if status != 0 || !strings.Contains(out, "it is a program's: its code is not known, and it is not started") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
	for _, args := range [][]string{{"report", results, "--why", "-o", "page.html"}, {"why", results, "--space", "model"}, {"compare", results, "--by", "N", "--why"}} {
		execute(t, dir, benchPath, args...)
	}
	if _, err := os.Stat(mark); !os.IsNotExist(err) {
		t.Errorf("the program was started: %v", err)
	}
}

// The class is the counters' where a run has those of the profiler's rule.
func TestClassByCounters(t *testing.T) {
	t.Parallel()
	run, err := record.Read("../results/h200-weakness/correcting/scatter.zip")
	if err != nil {
		t.Fatal(err)
	}
	share := func(unit string) string { return unit + "_throughput.avg.pct_of_peak_sustained_elapsed" }
	const elapsed, active = "sm__cycles_elapsed.max", "sm__cycles_active.max"
	for _, name := range []string{share("sm_"), share("gpu__compute_memory"), share("gpu__dram"), share("lts_"), share("l1tex_"), elapsed, active} {
		run.Columns.Counters = append(run.Columns.Counters, record.Column{Name: name, Column: name, Kind: "float"})
	}
	for i := range run.Rows {
		run.Rows[i].Counting = record.RareOf(record.Counting{Source: "libcupti"})
		run.Rows[i].Counters = map[string]float64{share("sm_"): 3, share("gpu__compute_memory"): 35, share("gpu__dram"): 27, share("lts_"): 35, share("l1tex_"): 16, elapsed: 1e6, active: 1e6}
	}
	dir := t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, "..", madeUpPath, "why", dir)
	if strings.Contains(errOut, "no usable libnvrtc") {
		t.Skip("needs NVRTC")
	}
	// By the model memory bounds the larger one, and is busy for more than 60 % of its time: the two are not sure together.
	for _, want := range []string{"latency, about ", "; class by counters\n", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed 27", "finding: bound by l"} {
		if status != 0 || !strings.Contains(out, want) || !strings.Contains(out, "class by counters; not sure") {
			t.Errorf("status %d, want %q\n%s\n%s", status, want, out, errOut)
		}
	}
}
