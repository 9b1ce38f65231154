package profile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// profileText is a profile in the form that ncu 2025.3 writes: a row a kernel,
// each cell quoted, after a row of units, among lines of its own.
func profileText(kernels ...[]string) string {
	header := append([]string{"ID", "Kernel Name"}, metricNames()...)
	units := append([]string{"", ""}, slices.Repeat([]string{"inst"}, 6)...)
	units = append(units, "byte", "byte", "byte")
	var b strings.Builder
	b.WriteString("==PROF== Connected to process 4711\n==PROF== Profiling \"scan\" - 0: 0%....100% - 9 passes\n")
	for _, row := range append([][]string{header, units}, kernels...) {
		b.WriteString(`"` + strings.Join(row, `","`) + "\"\n")
	}
	return b.String()
}

func kernelRow(name string, counts ...string) []string {
	row := append([]string{"0", name}, counts...)
	return append(row, slices.Repeat([]string{"0"}, len(metricNames())+2-len(row))...)
}

func TestProfileSumsTheKernelsOfEachRun(t *testing.T) {
	got, err := counted([]byte(profileText(
		kernelRow("fill(float*)", "7", "7", "7", "7", "7", "7", "7", "7", "7"), // before the first run
		kernelRow(engine.BeginKernel),
		kernelRow("one(const float *, float *)", "1", "10", "100", "1,000", "10,000", "100,000", "3", "5", "11"),
		kernelRow("two", "0", "0", "1", "0", "0", "0", "1,000,000,000", "0", "1"),
		kernelRow(engine.EndKernel),
		kernelRow("check", "7"),
		kernelRow(engine.BeginKernel),
		kernelRow(engine.EndKernel),
		kernelRow(engine.BeginKernel),
		kernelRow("one", "9"), // and there the process ended
	)))
	want := []Run{{2, 1 + 10 + 200 + 1000 + 10000 + 200000 + 2, 1000000008, 12, 0}, {}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestProfileRefuses(t *testing.T) {
	table := profileText(kernelRow(engine.BeginKernel), kernelRow("one", "1"), kernelRow(engine.EndKernel))
	for want, text := range map[string]string{
		"no column":             strings.Replace(table, "op_ffma_pred_on", "op_hfma_pred_on", 1),
		`want a number`:         strings.Replace(table, `"one","1"`, `"one","n/a"`, 1),
		"begin within another":  profileText(kernelRow(engine.BeginKernel), kernelRow(engine.BeginKernel)),
		"end that did not":      profileText(kernelRow(engine.EndKernel)),
		"the profiler's table:": table + "\"cut",
	} {
		if _, err := counted([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestCountsWithinBounds(t *testing.T) {
	at := func(flops, loads, stores int64) Counted {
		return Counted{Work: framework.Work{FLOPs: flops, LoadBytes: loads, StoreBytes: stores}, Profiled: Run{1, 1000, 1000, 1000, 0}}
	}
	for _, c := range []struct {
		c    Counted
		want bool
	}{
		{at(1000, 1000, 1000), true},
		{at(1019, 951, 1049), true},
		{at(1021, 1000, 1000), false},
		{at(979, 1000, 1000), false},
		{at(1000, 1051, 1000), false},
		{at(1000, 1000, 949), false},
		{at(0, 1000, 1000), false},
		{Counted{Work: framework.Work{FLOPs: 1}}, false}, // the profiler saw none
		{Counted{}, true},
		{Counted{Failed: "lost"}, false},
	} {
		if c.c.OK() != c.want {
			t.Errorf("%+v: ok is %v", c.c, c.c.OK())
		}
	}
}

func TestCountsJoinPointsWithRuns(t *testing.T) {
	points := []plan.Point{{Version: "a"}, {Version: "b"}, {Version: "c"}, {Version: "d"}, {Version: "e"}}
	ran := func(flops int64, status record.Status, reason string) engine.Profiled {
		return engine.Profiled{Ran: true, Result: record.Result{Status: status, Reason: reason, Work: framework.Work{FLOPs: flops}}}
	}
	runs := []engine.Profiled{ran(5, record.OK, ""),
		{Result: record.Result{Status: record.Failed, Reason: "does not compile"}},
		ran(7, record.OK, "")}
	text := []byte(profileText(
		kernelRow(engine.BeginKernel), kernelRow("one", "5"), kernelRow(engine.EndKernel),
		kernelRow(engine.BeginKernel), kernelRow("two", "8"), kernelRow(engine.EndKernel)))
	list, err := joined(points, runs, text, errors.New("ncu: killed"))
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	if !Counted(list[0]).OK() || Counted(list[2]).OK() || list[2].Profiled.FLOPs != 8 {
		t.Errorf("a %+v, c %+v", list[0], list[2])
	}
	if list[1].Failed != "does not compile" || list[3].Failed != "ncu: killed" {
		t.Errorf("b %q, d %q", list[1].Failed, list[3].Failed)
	}
	if none, err := joined(points[3:], nil, nil, nil); err != nil || len(none) != 1 || none[0].Failed != "the profiled process did not come to it" {
		t.Errorf("no answer at all: %v, %v", none, err)
	}
	wrong, err := joined(points[:2], []engine.Profiled{ran(5, record.OK, ""), ran(8, record.Wrong, "x is above y")}, text, nil)
	if err != nil || len(wrong) != 2 || Counted(wrong[1]).OK() || wrong[1].Failed != "wrong under the profiler: x is above y" {
		t.Errorf("a wrong answer: %v, %v", wrong, err)
	}
	if _, err := joined(points[:1], runs[:1], text, nil); err == nil {
		t.Error("a run more than points is not an error")
	}
	if _, err := joined(points[:1], runs[:1], []byte(profileText()), nil); err == nil {
		t.Error("a run less than points is not an error")
	}
}

func TestCountsNeedAProfiler(t *testing.T) {
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

// What Nsight Compute 2025.3 wrote of three FFTs on an NVIDIA H200, the last
// of two kernels.
func TestProfileAsRecorded(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "ncu-fft.csv"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := counted(text)
	want := []Run{{1, 174063616, 54525952, 33554432, 0}, {1, 256638976, 47185920, 33554432, 0}, {2, 398983168, 73769504, 67108864, 0}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func counted(text []byte) ([]Run, error) { return runsOf(text, metricNames(), (*Run).add) }

func joined(points []plan.Point, runs []engine.Profiled, text []byte, ended error) ([]Seen[Run], error) {
	return table[Run]{metrics: metricNames(), add: (*Run).add}.join(points, runs, text, ended)
}
