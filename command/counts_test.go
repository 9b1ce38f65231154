package command

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bench/algorithms"
	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/plan"
)

// Every GPU version that is not a library's has a problem to be counted at.
func TestCountedPointsOfEveryVersion(t *testing.T) {
	for _, f := range algorithms.All() {
		x, err := experiment.Open(t.Context(), experiment.Named(f), experiment.Options{Processor: "GPU", Facts: plan.AnyGPU(), For: experiment.Profile})
		if err != nil {
			t.Fatal(err)
		}
		x.Close()
		have := map[string]string{}
		for _, p := range x.Plan.Points {
			have[p.Version] = pointText(p)
			t.Log(p.Key())
		}
		for _, v := range f.Versions {
			if v.Processor == framework.GPU && !v.Peer && have[v.Name] == "" {
				t.Errorf("%s %s has no point", f.Name, v.Name)
			}
		}
	}
}

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
	got, err := parseProfile([]byte(profileText(
		kernelRow("fill(float*)", "7", "7", "7", "7", "7", "7", "7", "7", "7"), // before the first run
		kernelRow(beginKernel),
		kernelRow("one(const float *, float *)", "1", "10", "100", "1,000", "10,000", "100,000", "3", "5", "11"),
		kernelRow("two", "0", "0", "1", "0", "0", "0", "1,000,000,000", "0", "1"),
		kernelRow(endKernel),
		kernelRow("check", "7"),
		kernelRow(beginKernel),
		kernelRow(endKernel),
		kernelRow(beginKernel),
		kernelRow("one", "9"), // and there the process ended
	)))
	want := []profile{{2, 1 + 10 + 200 + 1000 + 10000 + 200000 + 2, 1000000008, 12}, {}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

func TestProfileRefuses(t *testing.T) {
	table := profileText(kernelRow(beginKernel), kernelRow("one", "1"), kernelRow(endKernel))
	for want, text := range map[string]string{
		"no column":             strings.Replace(table, "op_ffma_pred_on", "op_hfma_pred_on", 1),
		`want a number`:         strings.Replace(table, `"one","1"`, `"one","n/a"`, 1),
		"begin within another":  profileText(kernelRow(beginKernel), kernelRow(beginKernel)),
		"end that did not":      profileText(kernelRow(endKernel)),
		"the profiler's table:": table + "\"cut",
	} {
		if _, err := parseProfile([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestCountsWithinBounds(t *testing.T) {
	at := func(flops, loads, stores int64) counted {
		return counted{work: framework.Work{FLOPs: flops, LoadBytes: loads, StoreBytes: stores}, profiled: profile{1, 1000, 1000, 1000}}
	}
	for _, c := range []struct {
		c    counted
		want bool
	}{
		{at(1000, 1000, 1000), true},
		{at(1019, 951, 1049), true},
		{at(1021, 1000, 1000), false},
		{at(979, 1000, 1000), false},
		{at(1000, 1051, 1000), false},
		{at(1000, 1000, 949), false},
		{at(0, 1000, 1000), false},
		{counted{work: framework.Work{FLOPs: 1}}, false}, // the profiler saw none
		{counted{}, true},
		{counted{failed: "lost"}, false},
	} {
		if c.c.ok() != c.want {
			t.Errorf("%+v: ok is %v", c.c, c.c.ok())
		}
	}
}

func TestCountsJoinPointsWithRuns(t *testing.T) {
	points := []plan.Point{{ID: 0, Version: "a"}, {ID: 1, Version: "b"}, {ID: 2, Version: "c"}, {ID: 3, Version: "d"}}
	replies := map[int]countReply{
		0: {ID: 0, Ran: true, Work: framework.Work{FLOPs: 5}},
		1: {ID: 1, Error: "does not compile"},
		2: {ID: 2, Ran: true, Work: framework.Work{FLOPs: 7}},
	}
	text := []byte(profileText(
		kernelRow(beginKernel), kernelRow("one", "5"), kernelRow(endKernel),
		kernelRow(beginKernel), kernelRow("two", "8"), kernelRow(endKernel)))
	list, err := joinCounts(points, replies, text, errors.New("ncu: killed"))
	if err != nil || len(list) != 4 {
		t.Fatalf("%v, %v", list, err)
	}
	if !list[0].ok() || list[2].ok() || list[2].profiled.flops != 8 {
		t.Errorf("a %+v, c %+v", list[0], list[2])
	}
	if list[1].failed != "does not compile" || list[3].failed != "ncu: killed" {
		t.Errorf("b %q, d %q", list[1].failed, list[3].failed)
	}
	var out strings.Builder
	(&app{out: &out}).printCounts("x", list)
	for _, want := range []string{"-12.50 %", "+0.00 %", "OFF", "does not compile"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table lacks %q:\n%s", want, out.String())
		}
	}
	if _, err := joinCounts(points[:1], replies, text, nil); err == nil {
		t.Error("a run more than points is no error")
	}
	delete(replies, 0)
	if _, err := joinCounts(points, replies, []byte(profileText()), nil); err == nil {
		t.Error("a run less than points is no error")
	}
}

func TestCountsNeedAProfiler(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	toolkit := filepath.Join(dir, "cuda", "ncu")
	if p, err := findProfiler(toolkit); err == nil || !strings.Contains(err.Error(), "Nsight Compute") {
		t.Errorf("found %q, %v", p, err)
	}
	for _, path := range []string{toolkit, filepath.Join(dir, "ncu")} { // the latter in PATH
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		if p, err := findProfiler(toolkit); err != nil || p != path {
			t.Errorf("found %q, %v; want %s", p, err, path)
		}
	}
	var out, errOut strings.Builder
	a := &app{registry: framework.NewRegistry(algorithms.All(), nil), out: &out, err: &errOut}
	if status := a.run(t.Context(), []string{"verify", "--counts", "--device", "sim", "scan"}); status != exitUsage || !strings.Contains(errOut.String(), "on a GPU") {
		t.Errorf("status %d, %q", status, errOut.String())
	}
}

// What Nsight Compute 2025.3 wrote of three FFTs on an NVIDIA H200, the last
// of two kernels.
func TestProfileAsRecorded(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "ncu-fft.csv"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseProfile(text)
	want := []profile{{1, 174063616, 54525952, 33554432}, {1, 256638976, 47185920, 33554432}, {2, 398983168, 73769504, 67108864}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
