package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
)

// journal is one to be merged.
type journal struct {
	header   Header
	sessions []Info
	results  [][]Result // by session
}

// write writes it to a folder.
func (j journal) write(t *testing.T, dir string) string {
	t.Helper()
	log, err := CreateJournal(dir, j.header)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range j.sessions {
		if err := log.Begin(s); err != nil {
			t.Fatal(err)
		}
		for _, r := range j.results[i] {
			if _, err := log.Start(r.Point); err != nil {
				t.Fatal(err)
			}
			if err := log.Append(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// board is a run of a board's CPU: points of these sizes, in this order.
func board(seconds float64, sizes ...int64) journal {
	j := journal{header: Header{Config: "fft.json", ConfigHash: "ab", Seed: 1, Version: "1", Prefix: "fft", Total: len(sizes),
		Axes: []plan.Axis{{Name: "N", Unit: "points", Count: len(sizes)}}}}
	j.sessions = []Info{{Tool: Tool{Version: "1"}, Config: ConfigFile{Path: "fft.json", Hash: "ab", Text: "{}"}, Seed: 1, Started: testResult(0).Started,
		Machine: machine.Facts{Board: "Jetson", CPU: "A57"}, Devices: []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 1e10}}}, Warnings: []string{"loaded"}}}
	var list []Result
	for id, n := range sizes {
		r := testResult(id)
		r.Point.Params["N"] = framework.IntValue(n)
		r.Hot.Samples = []float64{seconds * float64(n), seconds * 1.1 * float64(n), seconds * 0.9 * float64(n)}
		list = append(list, r)
	}
	j.results = [][]Result{list}
	return j
}

// merged merges folders and returns the merged run's.
func merged(t *testing.T, opt MergeOptions, dirs ...string) (string, *Merged) {
	t.Helper()
	var parts []Part
	for _, d := range dirs {
		parts = append(parts, Part{Dir: d})
	}
	out := filepath.Join(t.TempDir(), "merged")
	m, err := Merge(parts, out, opt)
	if err != nil {
		t.Fatal(err)
	}
	m.Folder.Close()
	return out, m
}

// contents are a folder's files by name.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	return files
}

// keys are the rows of a run: device, size and status.
func keys(r *Run) (list []string) {
	for _, w := range r.Rows {
		list = append(list, fmt.Sprint(w.Device, " ", w.Params.Get("N"), " ", w.Status))
	}
	return list
}

// TestMergeIsTheSameInAnyOrder: shuffled parts, and the threads at work, change no byte.
// The parts overlap, one is damaged, one has GPUs, power and rates.
func TestMergeIsTheSameInAnyOrder(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for i := range 9 {
		j := board(1e-6*float64(1+i), 64, 128, int64(256<<i))
		dirs = append(dirs, j.write(t, filepath.Join(dir, fmt.Sprintf("b%d", i))))
	}
	full := board(1, 64)
	r := filled()
	r.Point.Instance = 0
	full.results[0] = append(full.results[0], r)
	dirs = append(dirs, full.write(t, filepath.Join(dir, "full")))
	path := filepath.Join(dirs[3], JournalFile)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[bytes.Index(b, []byte(`"result":`))+20] ^= 1
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	out, m := merged(t, MergeOptions{Workers: 1}, dirs...)
	want := contents(t, out)
	if m.Rows != 28 || len(m.Devices) != 11 || len(m.Notes) != 1 || !strings.Contains(m.Notes[0], "is lost") {
		t.Errorf("%+v", m)
	}
	g := rand.New(rand.NewPCG(1, 2))
	for range 10 {
		g.Shuffle(len(dirs), func(i, k int) { dirs[i], dirs[k] = dirs[k], dirs[i] })
		out, _ := merged(t, MergeOptions{Workers: 1 + g.IntN(4)}, dirs...)
		got := contents(t, out)
		for name, text := range want {
			if got[name] != text {
				t.Fatalf("%s differs:\n%s\nwant\n%s", name, got[name], text)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d files, want %d", len(got), len(want))
		}
	}
	run, err := Read(out)
	if err != nil || run.Total != 0 {
		t.Fatalf("%+v, %v", run, err)
	}
	if err := Write(filepath.Join(dir, "again"), mustReadJournal(t, out)); err != nil {
		t.Fatal(err)
	}
	// What the merged journal holds is what the files hold; rails are in another order there.
	for name, text := range contents(t, filepath.Join(dir, "again")) {
		if strings.HasSuffix(name, ".csv") && name != "fft_power.csv" && name != "fft_energy.csv" && text != want[name] {
			t.Errorf("%s of the merged journal:\n%s\nwant\n%s", name, text, want[name])
		}
	}
}

func mustReadJournal(t *testing.T, dir string) *Run {
	t.Helper()
	r, err := ReadJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMergeJoinsSweeps: runs of one machine with other values of --set are one sweep;
// what differs between them alone becomes an axis.
func TestMergeJoinsSweeps(t *testing.T) {
	dir := t.TempDir()
	a, b := board(1e-6, 256, 64), board(1e-6, 128)
	a.header.Set, b.header.Set = []string{"N=256,64"}, []string{"N=128", "precision=double"}
	a.sessions[0].Config.Set, b.sessions[0].Config.Set = a.header.Set, b.header.Set
	b.results[0][0].Point.Params["precision"] = framework.TextValue("double")
	parts := []Part{{"tx2", a.write(t, filepath.Join(dir, "a"))}, {"tx2", b.write(t, filepath.Join(dir, "b"))}}
	out := filepath.Join(dir, "out")
	m, err := Merge(parts, out, MergeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m.Folder.Close()
	r, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	if got := keys(r); !slices.Equal(got, []string{"tx2:cpu 64 ok", "tx2:cpu 128 ok", "tx2:cpu 256 ok"}) {
		t.Errorf("%q", got)
	}
	want := []plan.Axis{{Name: "N", Unit: "points", Geometric: true, Count: 3}, {Name: "precision", Count: 2}}
	if !slices.Equal(r.Axes, want) || r.Info.Config.Set != nil || len(r.Info.Merged) != 2 || !slices.Equal(r.Info.Merged[0].Set, b.header.Set) {
		t.Errorf("%+v, %+v", r.Axes, r.Info)
	}
	if got := r.Info.Machine.Board; got != "Jetson" || r.Info.Devices[0].Machine.CPU != "A57" || r.Info.Limits("tx2:cpu", "").Copy != 1e10 {
		t.Errorf("%+v", r.Info.Devices)
	}
	// A merged run merges on.
	parts[0] = Part{Dir: out}
	c := board(2e-6, 64)
	parts[1] = Part{Dir: c.write(t, filepath.Join(dir, "orin"))}
	again := filepath.Join(dir, "again")
	if m, err = Merge(parts, again, MergeOptions{}); err != nil {
		t.Fatal(err)
	}
	m.Folder.Close()
	if r, err = Read(again); err != nil || !slices.Equal(keys(r), []string{"orin:cpu 64 ok", "tx2:cpu 64 ok", "tx2:cpu 128 ok", "tx2:cpu 256 ok"}) || len(r.Info.Merged) != 3 {
		t.Errorf("%q, %v", keys(r), err)
	}
}

// TestMergeKeepsOne: of several results of a point a good one is kept, then a later one.
func TestMergeKeepsOne(t *testing.T) {
	dir := t.TempDir()
	early, late, failed := board(1e-6, 64), board(3e-6, 64), board(2e-6, 64)
	late.results[0][0].Started = late.results[0][0].Started.Add(1e9)
	failed.results[0][0].Started = failed.results[0][0].Started.Add(2e9)
	failed.results[0][0].Status, failed.results[0][0].Reason = Failed, "killed"
	var parts []Part
	for name, j := range map[string]journal{"early": early, "late": late, "failed": failed} {
		parts = append(parts, Part{"tx1", j.write(t, filepath.Join(dir, name))})
	}
	out := filepath.Join(dir, "out")
	m, err := Merge(parts, out, MergeOptions{})
	if err != nil || m.Twice != 2 || m.Rows != 1 {
		t.Fatalf("%+v, %v", m, err)
	}
	m.Folder.Close()
	r, err := Read(out)
	if err != nil || r.Rows[0].Status != OK || r.Rows[0].Time.Median.Float() != 64*3e-6 {
		t.Errorf("%+v, %v", r.Rows, err)
	}
	if !slices.ContainsFunc(r.Info.Warnings, func(w string) bool { return strings.HasPrefix(w, "2 results left out") }) {
		t.Errorf("%q", r.Info.Warnings)
	}
}

// TestMergeOfMisdated: a run of a board whose clock was wrong neither dates the merged run nor
// decides which of two results is the later.
func TestMergeOfMisdated(t *testing.T) {
	right := testResult(0).Started
	for _, wrong := range []time.Time{time.Unix(60, 0).UTC(), time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC)} {
		for _, first := range []string{"a", "z"} { // in either order
			dir := t.TempDir()
			good, bad := board(1e-6, 64), board(3e-6, 64)
			bad.results[0][0].Started, bad.sessions[0].Started = wrong, wrong
			parts := []Part{{"tx1", good.write(t, filepath.Join(dir, "good"))}, {"tx1", bad.write(t, filepath.Join(dir, first))}}
			if first == "a" {
				slices.Reverse(parts)
			}
			out := filepath.Join(dir, "out")
			if _, err := Merge(parts, out, MergeOptions{}); err != nil {
				t.Fatal(err)
			}
			r, err := Read(out)
			if err != nil || r.Rows[0].Time.Median.Float() != 64*1e-6 || !r.Info.Started.Equal(right) {
				t.Errorf("%v: %+v, begun %v, %v", wrong, r.Rows, r.Info.Started, err)
			}
			if !slices.ContainsFunc(r.Info.Warnings, func(w string) bool { return strings.HasPrefix(w, "tx1: dated "+wrong.Format(time.DateOnly)) }) {
				t.Errorf("%v: %q", wrong, r.Info.Warnings)
			}
		}
	}
}

// gpus is a cluster's job, whose every process sees its GPU as the first.
func gpus(uuids ...string) journal {
	j := board(1e-6)
	j.sessions, j.results = nil, nil
	j.header.Total = len(uuids)
	for i, id := range uuids {
		s := Info{Tool: Tool{Version: "1"}, Seed: 1, Name: "node1", Config: ConfigFile{Hash: "ab"}, Started: testResult(i).Started,
			Devices: []Device{{ID: "cuda:0", Facts: &gpu.Facts{Name: "H200", UUID: id}}}, Sensors: []Sensor{{Name: "ina3221", Device: "cuda:0"}}}
		r := gpuResult(i, int64(64<<i))
		r.Point.PowerMode = ""
		j.sessions, j.results = append(j.sessions, s), append(j.results, []Result{r})
	}
	return j
}

// TestMergeKnowsGPUsByUUID: a GPU is itself in every job, whatever the job calls it, and
// two of one name are two.
func TestMergeKnowsGPUsByUUID(t *testing.T) {
	dir := t.TempDir()
	one, two := gpus("GPU-a", "GPU-b"), gpus("GPU-b", "GPU-a")
	out, m := merged(t, MergeOptions{}, one.write(t, filepath.Join(dir, "1")), two.write(t, filepath.Join(dir, "2")))
	if !slices.Equal(m.Devices, []string{"node1:cuda:0 a", "node1:cuda:0 b"}) {
		t.Errorf("%q", m.Devices)
	}
	r, err := Read(out)
	if err != nil || !slices.Equal(keys(r), []string{"node1:cuda:0 a 64 ok", "node1:cuda:0 a 128 ok", "node1:cuda:0 b 64 ok", "node1:cuda:0 b 128 ok"}) {
		t.Errorf("%q, %v", keys(r), err)
	}
	if s := r.Info.Sensors; len(s) != 2 || s[0].Device != "node1:cuda:0 a" || s[0].Period == 0 {
		t.Errorf("%+v", s)
	}
}

// TestMergeFiles: runs without a journal are merged by their files.
func TestMergeFiles(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	run := testRun()
	for i := range run.Rows {
		run.Rows[i].PowerMode = ""
	}
	if err := Write(a, run); err != nil {
		t.Fatal(err)
	}
	b := board(1e-6, 64)
	b.header.Seed, b.sessions[0].Tool, b.header.Version = 7, ThisTool(), ThisTool().Version
	out, m := merged(t, MergeOptions{}, a, b.write(t, filepath.Join(dir, "b")))
	r, err := Read(out)
	if err != nil || m.Rows != len(run.Rows)+1 {
		t.Fatalf("%+v, %v", m, err)
	}
	if _, err := os.Stat(filepath.Join(out, JournalFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a journal without the results of the files: %v", err)
	}
	read, err := ReadSamples(out, r)
	samples := read.List()
	before := eachOf(run.Results, Result.samples)
	if err != nil || len(samples) != len(before)+3 {
		t.Errorf("%d samples, %v", len(samples), err)
	}
	power, err := ReadPowerSamples(out, r)
	if err != nil || len(power) != 2 {
		t.Errorf("%d readings, %v", len(power), err)
	}
}

// TestMergeRefuses what does not belong together, and says why.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	with := func(name string, change func(*journal)) string {
		j := board(1e-6, 64)
		change(&j)
		return j.write(t, filepath.Join(dir, name))
	}
	good := with("good", func(*journal) {})
	empty := filepath.Join(dir, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	for want, bad := range map[string]string{
		"merge runs of one config": with("config", func(j *journal) { j.header.ConfigHash = "cd" }),
		"--mix-tools":              with("tool", func(j *journal) { j.header.Version = "2" }),
		"the journal of a search":  with("search", func(j *journal) { j.header.Total = 0 }),
		"given twice":              good + "/",
		"holds no results":         empty,
		"no such folder":           filepath.Join(dir, "nowhere"),
	} {
		out := filepath.Join(dir, "out")
		_, err := Merge([]Part{{Dir: good}, {Dir: bad}}, out, MergeOptions{})
		if err == nil || !strings.Contains(err.Error(), want) || errors.Is(err, ErrNotWritten) {
			t.Errorf("%s: %v", want, err)
		}
		if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: something was written: %v", want, err)
		}
	}
	tool := filepath.Join(dir, "tool")
	if _, m := merged(t, MergeOptions{MixTools: true}, good, tool); m.Rows != 2 {
		t.Errorf("%+v", m)
	}
	// The same sources on another platform are one method.
	a := with("amd64", func(j *journal) { j.header.Fingerprint, j.header.Sources, j.header.Program = "1", "s", "1" })
	b := with("arm64", func(j *journal) { j.header.Fingerprint, j.header.Sources, j.header.Program = "2", "s", "2" })
	if _, m := merged(t, MergeOptions{}, a, b); m.Rows != 2 {
		t.Errorf("%+v", m)
	}
}

// TestMergeLeavesNothingHalf: where the folder cannot be written, none is left.
func TestMergeLeavesNothingHalf(t *testing.T) {
	dir := t.TempDir()
	good := board(1e-6, 64).write(t, filepath.Join(dir, "good"))
	out := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(out, "other"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge([]Part{{Dir: good}}, out, MergeOptions{}); !errors.Is(err, ErrNotWritten) {
		t.Errorf("%v", err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 2 {
		t.Errorf("%v, %v", list, err)
	}
}
