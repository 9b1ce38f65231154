package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/command"
	"example.org/bench/sensors"
	"example.org/bench/test/faulty"
	"example.org/bench/test/inject"
)

// asProgram makes this program the one under test.
const asProgram = "TORTURE_TEST_PROGRAM"

func TestMain(m *testing.M) {
	inject.Launch()
	switch {
	case len(os.Args) > 2 && os.Args[1] == liarWord:
		liar(os.Args[2:])
	case os.Getenv(asProgram) != "":
		command.Main(append(algorithms.All(), faulty.Factory()), sensors.All())
	}
	os.Exit(m.Run())
}

func newTestHost(t *testing.T) *host {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for dir := folder; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil { // another user starts the program
			t.Fatal(err)
		}
	}
	return &host{program: self, self: self, root: root, folder: folder, env: []string{asProgram + "=1"}, patterns: map[string]*scene{}, outcomes: map[string]*outcome{}, calls: map[fault]string{}}
}

// The campaign's short form: a few trials of each kind.
func TestShortCampaign(t *testing.T) {
	h := newTestHost(t)
	c, err := open(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"kill", "damage", "limit", "twice", "lies"} {
		if err := c.once(h, kind, 1); err != nil {
			t.Error(err)
		}
	}
	for _, f := range c.Failures {
		t.Errorf("%s: %s", f.Trial, strings.Join(f.Faults, "\n"))
	}
}

// Each operation of a short verb fails once.
func TestEachOperationFails(t *testing.T) {
	h := newTestHost(t)
	v := verbNamed("validate")
	all, err := h.survey(v)
	if err != nil {
		t.Fatal(err)
	}
	list := distinct(all)
	statuses := map[string]int{}
	for _, f := range list {
		s, row, err := h.inflict(f, 0)
		if err != nil {
			t.Fatal(f, err)
		}
		for _, fault := range s.faults {
			t.Errorf("%s: %s\n%s", f, fault, strings.Join(s.said, "\n"))
		}
		statuses[row[5]]++
		s.remove()
	}
	if statuses["0"] == 0 || statuses["1"]+statuses["2"] == 0 {
		t.Errorf("statuses of %d failures are %v: want some that are told and some that are done without", len(list), statuses)
	}
}

// A call of the driver fails in a run: the point says which, and the run is
// completed.
func TestCallOfTheDriverFails(t *testing.T) {
	if os.Getenv("BENCH_NVRTC") == "" {
		t.Skip("needs BENCH_NVRTC: run tools/fetch-test-env nvrtc and source .cache/env.sh")
	}
	h := newTestHost(t)
	all, err := h.surveyCalls(verbNamed("gpu-run"))
	if err != nil {
		t.Fatal(err)
	}
	list := distinct(all)
	sites := map[string]int{}
	for _, f := range list {
		sites[f.place]++
	}
	if sites["cuMemAlloc"] < 2 || sites["cuLaunchKernel"] < 10 || len(list) > len(all)/2 {
		t.Errorf("of %d calls %d are distinct, of which %v", len(all), len(list), sites)
	}
	f := list[slices.IndexFunc(list, func(f fault) bool { return f.place == "cuMemcpyDtoH" })]
	s, row, err := h.inflict(f, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	if len(s.faults) > 0 || row[4] != "CUDA error 2" || row[5] != "1" {
		t.Errorf("%q, %q\n%s", row, s.faults, strings.Join(s.said, "\n"))
	}
}

func TestWhatFailsIsTheOperation(t *testing.T) {
	h := newTestHost(t)
	s, err := newScene(trial{name: "test", host: h})
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	c, err := s.injected([]string{"validate", "run.json"}, "openat", func(op inject.Operation) syscall.Errno {
		if op.Call == "openat" && strings.HasSuffix(op.Target, "run.json") {
			return syscall.EMFILE
		}
		return 0
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.status != 2 || !strings.Contains(c.text, "run.json: cannot read it: too many open files") || len(s.faults) > 0 {
		t.Errorf("status %d, %q\n%s", c.status, s.faults, c.text)
	}
}

// The checks find what they are there for.
func TestChecksFind(t *testing.T) {
	h := newTestHost(t)
	w := &work{name: "run", folder: "results/run", table: "run_time.csv", key: []string{"ms"}, points: 2}
	good := map[string]string{
		"results/run/journal.jsonl": line(`"result":{"point":{"id":0,"ms":1}}`) + line(`"result":{"point":{"id":1,"ms":2}}`),
		"results/run/run_time.csv":  "ms,status,reason\n1,ok,\n2,ok,\n",
	}
	for _, c := range []struct{ name, file, text, want string }{
		{"nothing", "", "", ""},
		{"a doubled row", "results/run/run_time.csv", "ms,status,reason\n1,ok,\n1,ok,\n2,ok,\n", "two rows of 1"},
		{"a lost row", "results/run/run_time.csv", "ms,status,reason\n1,ok,\n", "1 rows of 2 points"},
		{"no reason", "results/run/run_time.csv", "ms,status,reason\n1,failed,\n2,ok,\n", "without a reason"},
		{"a lost result", "results/run/journal.jsonl", line(`"result":{"point":{"id":1,"ms":2}}`), "is lost or was changed"},
		{"a doubled result", "results/run/journal.jsonl", good["results/run/journal.jsonl"] + line(`"result":{"point":{"id":2,"ms":2}}`), "2 results of"},
		{"a temporary file", "tmp/bench-worker-1", "", "tmp/bench-worker-1 is left"},
	} {
		s, err := newScene(trial{name: "test", host: h})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range good {
			s.write(name, text)
		}
		before := s.results(w)
		if c.file != "" {
			s.write(c.file, c.text)
		}
		w.files = []string{"results/run/journal.jsonl", "results/run/run_time.csv"}
		s.check(w, before, &started{}, 0)
		if found := strings.Join(s.faults, "\n"); c.want == "" && found != "" || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, found, c.want)
		}
		s.remove()
	}
}

// Of a verb that measures nothing, what it prints and leaves is compared.
func TestComparisonFinds(t *testing.T) {
	h := newTestHost(t)
	v := verb{name: "export", exact: true}
	h.outcomes[v.name] = &outcome{"done\n", map[string]string{"out/a": "1"}, map[string]string{"old": "1"}}
	for _, c := range []struct {
		name   string
		status int
		text   string
		files  map[string]string
		want   string
	}{
		{"nothing", 0, "done\n", map[string]string{"out/a": "1"}, ""},
		{"a warning", 0, "warning: loaded\ndone\n", map[string]string{"out/a": "1"}, ""},
		{"a failure that is told", 1, "bench: a: no space\n", nil, ""},
		{"a failure that is not told", 1, "done\n", nil, "0 lines that tell why"},
		{"a failure told twice", 1, "bench: a: no space\nbench: out: no space\n", nil, "2 complaints"},
		{"a failure that is none", 0, "bench: a: no space\ndone\n", map[string]string{"out/a": "1"}, "1 complaints"},
		{"a cut table", 0, "do", map[string]string{"out/a": "1"}, "printed something else"},
		{"a cut file", 0, "done\n", map[string]string{"out/a": ""}, "out/a is not as without faults"},
		{"a file that is not there", 0, "done\n", nil, "out/a is not as without faults"},
		{"a temporary file", 0, "done\n", map[string]string{"out/a": "1", "out/.a123": "1"}, "out/.a123 is left"},
		{"what was to be removed", 0, "done\n", map[string]string{"out/a": "1", "old": "1"}, "old is left"},
		{"what could not be removed", 1, "bench: old: no\n", map[string]string{"old": "1"}, ""},
	} {
		s, err := newScene(trial{name: "test", host: h})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range c.files {
			s.write(name, text)
		}
		if err := h.compare(v, s, &started{status: c.status, text: c.text}); err != nil {
			t.Fatal(err)
		}
		if found := strings.Join(s.faults, "\n"); c.want == "" && found != "" || !strings.Contains(found, c.want) {
			t.Errorf("%s: found %q, want %q", c.name, found, c.want)
		}
		s.remove()
	}
}
