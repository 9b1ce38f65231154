package ncu

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// profileText is a profile in the form that ncu 2025.3 writes: a row a kernel,
// each cell quoted, after a row of units, among lines of its own.
func profileText(kernels ...[]string) string {
	header := append([]string{"ID", "Kernel Name"}, speedMetrics()...)
	units := []string{"", "", "%", "%", "%", "%", "%", "ns", "byte", "sector", "inst", "%"}
	var b strings.Builder
	b.WriteString("==PROF== Connected to process 4711\n==PROF== Profiling \"scan\" - 0: 0%....100% - 9 passes\n")
	for _, row := range append([][]string{header, units}, kernels...) {
		b.WriteString(`"` + strings.Join(row, `","`) + "\"\n")
	}
	return b.String()
}

func kernelRow(name string, counts ...string) []string {
	row := append([]string{"0", name}, counts...)
	return append(row, slices.Repeat([]string{"0"}, len(speedMetrics())+2-len(row))...)
}

func TestProfileSumsTheKernelsOfEachRun(t *testing.T) {
	got, err := runsOf([]byte(profileText(
		kernelRow("fill(float*)", "7", "7", "7", "7", "7", "7", "7", "7", "7", "7"), // before the first run
		kernelRow(engine.BeginKernel),
		kernelRow("one(const float *, float *)", "80", "40", "30", "20", "10", "1,000", "10,000", "100,000", "3", "50"),
		kernelRow("two", "20", "80", "70", "60", "50", "3,000", "1,000,000,000", "1", "4", "10"),
		kernelRow(engine.EndKernel),
		kernelRow("check", "7"),
		kernelRow(engine.BeginKernel),
		kernelRow(engine.EndKernel),
		kernelRow(engine.BeginKernel),
		kernelRow("one", "9"), // and there the process ended
	)))
	if err != nil || len(got) != 2 || got[1] != (Speed{}) {
		t.Fatalf("%+v, %v", got, err)
	}
	// Shares are each kernel's by its time: a quarter of the first, three of the second.
	near := func(x, want float64) bool { return math.Abs(x/want-1) < 1e-9 }
	if r := got[0]; r.Kernels != 2 || !near(r.Seconds, 4e-6) || !near(r.Compute, 0.35) || !near(r.Memory, 0.7) || !near(r.DRAM, 0.6) || !near(r.L2, 0.5) ||
		!near(r.L1, 0.4) || !near(r.Warps, 0.2) || r.DRAMBytes != 1000010000 || r.L2Sectors != 100001 || r.Instructions != 7 {
		t.Errorf("%+v", r)
	}
}

func TestProfileRefuses(t *testing.T) {
	table := profileText(kernelRow(engine.BeginKernel), kernelRow("one", "1"), kernelRow(engine.EndKernel))
	for want, text := range map[string]string{
		"no column":             strings.Replace(table, "dram__bytes.sum", "dram__byte.sum", 1),
		`want a number`:         strings.Replace(table, `"one","1"`, `"one","n/a"`, 1),
		"begin within another":  profileText(kernelRow(engine.BeginKernel), kernelRow(engine.BeginKernel)),
		"end that did not":      profileText(kernelRow(engine.EndKernel)),
		"the profiler's table:": table + "\"cut",
	} {
		if _, err := runsOf([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestPointsJoinRuns(t *testing.T) {
	points := []plan.Point{{Version: "a"}, {Version: "b"}, {Version: "c"}, {Version: "d"}, {Version: "e"}}
	ran := func(status record.Status, reason string) engine.Profiled {
		return engine.Profiled{Ran: true, Result: record.Result{Status: status, Reason: reason}}
	}
	runs := []engine.Profiled{ran(record.OK, ""), {Result: record.Result{Status: record.Failed, Reason: "does not compile"}}, ran(record.OK, "")}
	text := []byte(profileText(
		kernelRow(engine.BeginKernel), kernelRow("one", "50"), kernelRow(engine.EndKernel),
		kernelRow(engine.BeginKernel), kernelRow("two", "80"), kernelRow("two", "80"), kernelRow(engine.EndKernel)))
	list, err := join(points, runs, text, errors.New("ncu: killed"))
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	if list[0].Speed.Kernels != 1 || list[2].Speed.Kernels != 2 || list[0].Failed+list[2].Failed != "" {
		t.Errorf("a %+v, c %+v", list[0], list[2])
	}
	if list[1].Failed != "does not compile" || list[3].Failed != "ncu: killed" {
		t.Errorf("b %q, d %q", list[1].Failed, list[3].Failed)
	}
	if none, err := join(points[3:], nil, nil, nil); err != nil || len(none) != 1 || none[0].Failed != "the profiled process did not come to it" {
		t.Errorf("no answer at all: %v, %v", none, err)
	}
	wrong, err := join(points[:2], []engine.Profiled{ran(record.OK, ""), ran(record.Wrong, "x is above y")}, text, nil)
	if err != nil || len(wrong) != 2 || wrong[1].Failed != "wrong under the profiler: x is above y" {
		t.Errorf("a wrong answer: %v, %v", wrong, err)
	}
	if _, err := join(points[:1], runs[:1], text, nil); err == nil {
		t.Error("a run more than points is not an error")
	}
	if _, err := join(points[:1], runs[:1], []byte(profileText()), nil); err == nil {
		t.Error("a run less than points is not an error")
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	toolkit := filepath.Join(dir, "cuda", "ncu")
	if p, err := Find(toolkit); err == nil || !strings.Contains(err.Error(), "Nsight Compute") {
		t.Errorf("found %q, %v", p, err)
	}
	for _, path := range []string{toolkit, filepath.Join(dir, "ncu")} { // the latter in PATH
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		if p, err := Find(toolkit); err != nil || p != path {
			t.Errorf("found %q, %v; want %s", p, err, path)
		}
	}
}
