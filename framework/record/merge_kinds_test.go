package record

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
)

// TestLongLinesAndDamage: a journal that does not fit into memory is read as one that does,
// with lines of any length, and says of the same lines that they are damaged.
func TestLongLinesAndDamage(t *testing.T) {
	dir := t.TempDir()
	long := testResult(1)
	long.Notes = []string{strings.Repeat("long ", 1<<20)}
	mustCreate(t, dir, testResult(0), long, testResult(2), testResult(3))
	path := filepath.Join(dir, JournalFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(text, []byte(`"result":`))
	before := bytes.LastIndex(text[:at], []byte(`"result":`))
	text[before+30] ^= 1 // in the result before the last
	whole, err := parseJournal(text)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	scanned, err := scanJournal(bytes.NewReader(text), int64(len(text)), func(content []byte, offset int64) (string, error) {
		var r Result
		if !bytes.HasPrefix(text[offset:], content) {
			t.Errorf("a result is said to begin at %d", offset)
		}
		err := json.Unmarshal(content, &r)
		keys = append(keys, r.Point.Key())
		return r.Point.Key(), err
	}, func(Info) {})
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, r := range whole.results {
		want = append(want, r.Point.Key())
	}
	if !slices.Equal(keys, want) || len(keys) != 3 || len(scanned.damaged) != 1 || len(whole.damaged) != 1 || scanned.damaged[0].number != whole.damaged[0].number ||
		whole.damaged[0].number != 1+bytes.Count(text[:before], []byte("\n")) || scanned.lines != whole.lines || scanned.whole != whole.whole || whole.whole != int64(len(text)) {
		t.Errorf("%q of %q; %+v, %+v", keys, want, scanned.damaged, whole.damaged)
	}
	if key := testResult(3).Point.Key(); len(scanned.later) != 1 || !scanned.later[key] {
		t.Errorf("behind the damage: %v, want %s", scanned.later, key)
	}
}

// TestJournalBeforeIsKept where it has results, or what may have been one, or both.
func TestJournalBeforeIsKept(t *testing.T) {
	for name, c := range map[string]struct {
		results []Result
		damage  bool // of the last
		want    bool
	}{
		"nothing": {nil, false, false}, "a result": {[]Result{testResult(0)}, false, true}, "damage": {[]Result{testResult(0)}, true, true},
		"a result and damage": {[]Result{testResult(0), testResult(1)}, true, true},
	} {
		dir := t.TempDir()
		mustCreate(t, dir, c.results...)
		path := filepath.Join(dir, JournalFile)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.damage {
			text[bytes.LastIndex(text, []byte(`"result":`))+30] ^= 1
			text = append(text, text[:bytes.IndexByte(text, '\n')+1]...) // it is not the last line
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		mustCreate(t, dir)
		kept, err := os.ReadFile(filepath.Join(dir, PreviousJournalFile))
		if (err == nil) != c.want || c.want && !bytes.Equal(kept, text) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPublishedRunsAreMerged, from their files alone: launches and power are in the merged
// run where a part has them.
func TestPublishedRunsAreMerged(t *testing.T) {
	dir := t.TempDir()
	publish := func(name string, r Result) string {
		info := board(1, 64).sessions[0]
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, NewRun(info, "fft", []plan.Axis{{Name: "N", Count: 1}}, []Result{r})); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rich, plain, other := testResult(0), testResult(1), testResult(2)
	rich.Energy = &measure.Energy{Window: 2, Runs: 10, Channels: []measure.ChannelEnergy{{Sensor: "s", Channel: "c", Role: framework.Total, Power: 5, Energy: 10}},
		Samples: []measure.PowerSample{{Sensor: "s", Channel: "c", Time: 0.125, Value: 2}}}
	rich.Counters = &Counters{Source: "libcupti", Values: map[string]float64{"x": 3}, Launches: []LaunchCounters{{Kernel: "k", Values: map[string]float64{"x": 3}}}}
	a, b, c := publish("a", rich), publish("b", plain), publish("c", other)
	for _, x := range []struct {
		dirs []string
		has  bool
	}{{[]string{a, b}, true}, {[]string{b, c}, false}} {
		out, m := merged(t, MergeOptions{}, x.dirs...)
		run, err := Read(out)
		if err != nil || m.Rows != 2 {
			t.Fatalf("%+v, %v", m, err)
		}
		m.Folder.Close()
		power, err := ReadPowerSamples(out, run)
		if err != nil {
			t.Fatal(err)
		}
		kernels, err := ReadKernelCounters(out, run)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadSamples(out, run)
		samples := read.List()
		if err != nil || len(samples) != 6 || samples[0].Time != 1e-3 || samples[5].Time != 0.9e-3 {
			t.Errorf("%+v, %v", samples, err)
		}
		if (len(power) == 1 && power[0].Value.Float() == 2 && power[0].Time.Float() == 0.125) != x.has || (len(kernels) == 1 && kernels[0].Kernel == "k") != x.has {
			t.Errorf("%v: %+v, %+v", x.dirs, power, kernels)
		}
		for _, f := range []string{powerSamplesCSV, kernelsCSV} {
			if _, err := os.Stat(filepath.Join(out, "fft_"+f)); (err == nil) != x.has {
				t.Errorf("%v: %s: %v", x.dirs, f, err)
			}
		}
	}
}

// TestMixedToolsAreSaidOnce, and a board that went on after a pause has each device once,
// with what was measured first.
func TestMixedToolsAreSaidOnce(t *testing.T) {
	dir := t.TempDir()
	var dirs []string
	for i, version := range []string{"1", "2", "3"} {
		j := board(1, int64(64<<i))
		j.header.Version, j.sessions[0].Tool.Version, j.sessions[0].Name = version, version, "m"+version
		again := j.sessions[0]
		again.Started = again.Started.Add(time.Hour)
		again.Devices = []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 2e10}}}
		j.sessions, j.results = append(j.sessions, again), append(j.results, nil)
		dirs = append(dirs, j.write(t, filepath.Join(dir, version)))
	}
	out, _ := merged(t, MergeOptions{MixTools: true}, dirs...)
	run, err := Read(out)
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, w := range run.Info.Warnings {
		if strings.Contains(w, "was measured by") {
			said++
		}
	}
	if said != 1 || len(run.Info.Devices) != 3 || run.Info.Tool.Version != "1" || len(run.Info.EarlierTools) != 2 {
		t.Errorf("%d times in %q; devices %+v", said, run.Info.Warnings, run.Info.Devices)
	}
	for _, d := range run.Info.Devices {
		if d.Ceilings.Copy != 1e10 {
			t.Errorf("%+v", d)
		}
	}
}

// TestJournalsBeforeFiles: of one point that a part has in its journal and another in files
// alone, the journal's is kept, in any order; of none left out nothing is said.
func TestJournalsBeforeFiles(t *testing.T) {
	dir := t.TempDir()
	j := board(1, 64)
	j.results[0][0].Status, j.results[0][0].Reason = Failed, "by the journal"
	journal := j.write(t, filepath.Join(dir, "journal"))
	files := filepath.Join(dir, "files")
	if err := os.Mkdir(files, 0o755); err != nil {
		t.Fatal(err)
	}
	published := board(2, 64, 128)
	if err := Write(files, NewRun(published.sessions[0], "fft", []plan.Axis{{Name: "N", Count: 2}}, published.results[0])); err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]string{{journal, files}, {files, journal}} {
		var parts []Part
		for _, d := range order {
			parts = append(parts, Part{Name: "m", Dir: d})
		}
		out := filepath.Join(t.TempDir(), "merged")
		m, err := Merge(parts, out, MergeOptions{})
		if err != nil || m.Rows != 2 {
			t.Fatalf("%+v, %v", m, err)
		}
		m.Folder.Close()
		run, err := Read(out)
		if err != nil || run.Rows[0].Status != Failed || run.Rows[0].Reason != "by the journal" || run.Rows[1].Status != OK {
			t.Errorf("%v: %+v, %v", order, run.Rows, err)
		}
		if !slices.ContainsFunc(run.Info.Warnings, func(w string) bool { return strings.HasPrefix(w, "1 result left out") }) {
			t.Errorf("%q", run.Info.Warnings)
		}
	}
	out, _ := merged(t, MergeOptions{}, journal)
	run, err := Read(out)
	if err != nil || slices.ContainsFunc(run.Info.Warnings, func(w string) bool { return strings.Contains(w, "left out") }) {
		t.Errorf("%q, %v", run.Info.Warnings, err)
	}
}

// TestAxesOfParts: those of the part that has most of them, of equal ones the first in the
// alphabet, whatever the order of the parts.
func TestAxesOfParts(t *testing.T) {
	dir := t.TempDir()
	part := func(name string, size int64, axes ...plan.Axis) string {
		j := board(1, size)
		j.header.Axes = axes
		return j.write(t, filepath.Join(dir, name))
	}
	a, b := part("a", 64, plan.Axis{Name: "N", Unit: "bytes"}), part("b", 128, plan.Axis{Name: "N", Unit: "points"})
	c := part("c", 256, plan.Axis{Name: "N", Unit: "steps"}, plan.Axis{Name: "precision"})
	for _, x := range []struct {
		dirs []string
		unit string
	}{{[]string{a, b}, "bytes"}, {[]string{b, a}, "bytes"}, {[]string{a, c, b}, "steps"}, {[]string{c, b}, "steps"}, {[]string{b, c}, "steps"}} {
		out, _ := merged(t, MergeOptions{}, x.dirs...)
		run, err := Read(out)
		if err != nil || run.Axes[0].Name != "N" || run.Axes[0].Unit != x.unit || run.Axes[0].Count != len(x.dirs) {
			t.Errorf("%v: %+v, %v", x.dirs, run.Axes, err)
		}
	}
}

// TestLaunchesOfJournals are in the merged run where a journal has them.
func TestLaunchesOfJournals(t *testing.T) {
	dir := t.TempDir()
	for _, launches := range []int{0, 2} {
		j := board(1, 64, 128)
		j.results[0][1].Counters = &Counters{Source: "libcupti", Values: map[string]float64{"x": 3}, Launches: make([]LaunchCounters, launches)}
		for i := range launches {
			j.results[0][1].Counters.Launches[i] = LaunchCounters{Kernel: "k", Values: map[string]float64{"x": float64(i)}}
		}
		out, _ := merged(t, MergeOptions{}, j.write(t, filepath.Join(dir, string(rune('a'+launches)))))
		run, err := Read(out)
		if err != nil || run.Rows[1].Counters["x"] != 3 {
			t.Fatalf("%+v, %v", run.Rows, err)
		}
		kernels, err := ReadKernelCounters(out, run)
		_, missing := os.Stat(filepath.Join(out, "fft_"+kernelsCSV))
		if err != nil || len(kernels) != launches || (missing == nil) != (launches > 0) {
			t.Errorf("%d launches: %+v, %v, %v", launches, kernels, err, missing)
		}
	}
}

// TestFirstLinesOfDevelopment are those of a format before the first.
func TestFirstLinesOfDevelopment(t *testing.T) {
	for format, want := range map[int]bool{-1: false, 0: false, 1: true, firstFormat - 1: true, firstFormat: false, firstFormat + 1: false} {
		text, err := json.Marshal(Header{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if got := developmentFormat(text); got != want {
			t.Errorf("format %d: %v", format, got)
		}
	}
}
