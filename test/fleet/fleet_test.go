package fleet

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/test/everyboard"
)

// quick is a config of two points that take little time.
const quick = `{"algorithm": "fft", "processor": "CPU", "versions": ["stockham"], "sensors": [], "sweep_arg": {"N": [64, 128]},
	"static_args": {"batch_elements": 4096}, "measure": {"ceilings": false, "min_samples": 5, "min_time_s": 0.02, "noise": 0.9, "timeout_s": 5}}`

// slow is one of four points of a second and more each, most of which they sleep.
const slow = `{"algorithm": "fft", "processor": "CPU", "versions": ["stockham"], "sensors": [], "sweep_arg": {"N": [64, 128, 256, 512]},
	"static_args": {"batch_elements": 4096, "rate_hz": 10, "wait": "sleep"},
	"measure": {"ceilings": false, "releases": 15, "min_samples": 5, "min_time_s": 0.01, "noise": 0.9, "timeout_s": 60}}`

// workplace is a folder with a config.
func workplace(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sweep.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// measured reads the merged run: its points, each device's once, all good.
func measured(t *testing.T, dir string, f fleet, devices, points int) {
	t.Helper()
	run, err := record.Read(filepath.Join(dir, "out", "sweep"))
	if err != nil {
		t.Fatalf("%v\n%s", err, f.out)
	}
	names := map[string]int{}
	for _, r := range run.Rows {
		names[r.Device]++
		if r.Status != record.OK {
			t.Errorf("%s: %s %s", r.Device, r.Status, r.Reason)
		}
	}
	if len(names) != devices || len(run.Rows) != devices*points {
		t.Errorf("%v, want %d devices with %d points each\n%s", names, devices, points, f.out)
	}
}

// empty is whether the boards' folders are removed.
func (s *shelf) empty(t *testing.T) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(s.dir, "boards"))
	if err != nil || len(list) > 0 {
		t.Errorf("on the boards: %v, %v", list, err)
	}
}

// until waits for what another process does.
func until(t *testing.T, f fleet, what string, so func() bool) {
	t.Helper()
	for range 6000 {
		if so() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("never: %s\n%s", what, f.out)
}

// results counts what has come of a board.
func results(dir, host string) int {
	text, _ := os.ReadFile(filepath.Join(dir, "out/boards", host, "sweep/journal.jsonl")) // not there yet
	return strings.Count(string(text), `","result":`)
}

// TestShelf: eight boards are measured at once and merged. Where every board is wanted, the
// last is arm64.
func TestShelf(t *testing.T) {
	last, platform := "orin6", runtime.GOOS+"/"+runtime.GOARCH
	if everyboard.Wanted() {
		last, platform = "arm1", "linux/arm64"
	}
	s := boards(t, "tx2a", "tx2b", "orin1", "orin2", "orin3", "orin4", "orin5", last)
	s.connect(t)
	dir := workplace(t, quick)
	f := s.start(t, dir, s.first("sweep.json", "--repeats", "1")...)
	if status := f.status(t); status != 0 {
		t.Fatalf("status %d\n%s", status, f.out)
	}
	measured(t, dir, f, 8, 2)
	s.empty(t)
	run, err := record.Read(filepath.Join(dir, "out/boards", last, "sweep"))
	if err != nil || run.Info.Tool.Platform != platform || run.Info.Name != last {
		t.Errorf("%+v, %v", run, err)
	}
	for _, args := range [][]string{{"status", "out"}, {"fetch", "out"}, {"stop", "out"}, {"--resume", "--out", "out"}} {
		f := s.start(t, dir, args...)
		if status := f.status(t); status != 0 || args[0] == "status" && strings.Count(f.out.String(), ": fetched; sweep: 2 results") != 8 {
			t.Errorf("%q: status %d\n%s", args, status, f.out)
		}
	}
	f = s.start(t, dir, s.first("sweep.json")...)
	if status := f.status(t); status != 2 || !strings.Contains(f.out.String(), "--resume goes on with it") {
		t.Errorf("status %d\n%s", status, f.out)
	}
}

// TestPage runs the commands of docs/fleet.md about boards as a reader would.
func TestPage(t *testing.T) {
	s := boards(t, "tx2a", "orin1", "orin2")
	s.connect(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "configs"), os.DirFS("../../configs")); err != nil {
		t.Fatal(err)
	}
	list := pageCommands(t, "../../docs/fleet.md", "bench fleet")
	list = slices.DeleteFunc(list, func(words []string) bool { return strings.Contains(strings.Join(words, " "), "cluster") }) // TestSlurmPage
	for _, words := range list {
		f := s.start(t, dir, words[2:]...)
		if status := f.status(t); status != 0 {
			t.Errorf("%q: status %d\n%s", words, status, f.out)
		}
	}
	run, err := record.Read(filepath.Join(dir, "results/shelf/fft-small"))
	if err != nil || len(list) != 3 || len(run.Info.Merged) != 3 {
		t.Errorf("%d commands, %v", len(list), err)
	}
}

// TestLostConnection: a run goes on while nothing connects to its board, and is picked
// up; what had come stays, and nothing is measured twice.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	s := boards(t, "orin1", "orin2")
	s.connect(t)
	dir := workplace(t, slow)
	f := s.start(t, dir, s.first("sweep.json")...)
	until(t, f, "a result", func() bool { return results(dir, "orin1") > 0 && results(dir, "orin2") > 0 })
	s.server.Stop()
	there, err := filepath.Glob(filepath.Join(s.dir, "boards/*/results/sweep/journal.jsonl"))
	if err != nil || len(there) != 2 {
		t.Fatalf("%v, %v", there, err)
	}
	for _, path := range there {
		until(t, f, "the end on the board", func() bool {
			text, err := os.ReadFile(path)
			return err == nil && strings.Count(string(text), `","result":`) == 4
		})
	}
	if n := results(dir, "orin1") + results(dir, "orin2"); n == 8 {
		t.Error("all came without a connection")
	}
	s.connect(t)
	if status := f.status(t); status != 0 || strings.Count(f.out.String(), "the connection is lost") != 2 {
		t.Errorf("status %d\n%s", status, f.out)
	}
	measured(t, dir, f, 2, 4)
	s.empty(t)
	for _, host := range s.hosts {
		text, err := os.ReadFile(filepath.Join(dir, "out/boards", host, "sweep/journal.jsonl"))
		if n := strings.Count(string(text), `","started":`); err != nil || n != 4 {
			t.Errorf("%s: %d points were started, %v", host, n, err)
		}
	}
}

// TestKilledHere: the program here is killed, and the board's job, too; a later command
// goes on.
func TestKilledHere(t *testing.T) {
	t.Parallel()
	s := boards(t, "orin1")
	s.connect(t)
	dir := workplace(t, slow)
	f := s.start(t, dir, s.first("sweep.json")...)
	until(t, f, "a result", func() bool { return results(dir, "orin1") > 0 })
	if err := f.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	f.status(t)
	f = s.start(t, dir, "status", "out")
	if status := f.status(t); status != 0 || !strings.Contains(f.out.String(), "orin1: running; sweep: ") {
		t.Errorf("status %d\n%s", status, f.out)
	}
	// The job's run ends with the job's process, and not before it has its locks back.
	pids, err := filepath.Glob(filepath.Join(s.dir, "boards/*/pid"))
	if err != nil || len(pids) != 1 {
		t.Fatalf("%v, %v", pids, err)
	}
	text, err := os.ReadFile(pids[0])
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	f = s.start(t, dir, "--resume", "--out", "out")
	if status := f.status(t); status != 0 {
		t.Errorf("status %d\n%s", status, f.out)
	}
	measured(t, dir, f, 1, 4)
	s.empty(t)
}

// TestOneAtATime: while another run measures on the board, a fleet's run waits; stop ends
// one that measures.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	s := boards(t, "orin1")
	s.connect(t)
	dir := workplace(t, slow)
	lock, err := safefile.Open(filepath.Join(s.dir, "orin1.lock"), os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := safefile.Lock(lock); err != nil {
		t.Fatal(err)
	}
	f := s.start(t, dir, s.first("sweep.json")...)
	states := func() string {
		paths, _ := filepath.Glob(filepath.Join(s.dir, "boards/*/state.json")) // the pattern is good
		if len(paths) == 0 {
			return ""
		}
		text, _ := os.ReadFile(paths[0])
		return string(text)
	}
	until(t, f, "the job waits", func() bool { return strings.Contains(states(), `"waiting"`) })
	until(t, f, "it is said", func() bool { return strings.Contains(f.out.String(), "waits, as another run measures there") })
	if n := results(dir, "orin1"); n > 0 {
		t.Errorf("%d results while another run measures", n)
	}
	lock.Close()
	until(t, f, "a result", func() bool { return results(dir, "orin1") > 0 })
	stop := s.start(t, dir, "stop", "out")
	if status := stop.status(t); status != 0 {
		t.Errorf("status %d\n%s", status, stop.out)
	}
	if status := f.status(t); status != 1 || !strings.Contains(f.out.String(), "orin1: waits, as another run measures there") || !strings.Contains(f.out.String(), "status 130") {
		t.Errorf("status %d\n%s", status, f.out)
	}
	if n := results(dir, "orin1"); n == 0 || n == 4 {
		t.Errorf("%d results", n)
	}
	s.empty(t)
}

// TestFleetRefuses what cannot work, and leaves nothing on the boards.
func TestFleetRefuses(t *testing.T) {
	t.Parallel()
	s := boards(t, "orin1")
	s.connect(t)
	dir := workplace(t, quick)
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte(`{"algorithm": "fft", "sweep_arg": {"nosuch": [1]}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		status int
		words  []string
	}{
		"--hosts is missing":        {2, []string{"sweep.json", "--out", "o1"}},
		"--out is missing":          {2, []string{"sweep.json", "--hosts", "orin1"}},
		"is not the name of a host": {2, []string{"sweep.json", "--hosts", "-oProxyCommand=x", "--out", "o2"}},
		"named twice":               {2, []string{"sweep.json", "--hosts", "a,a", "--out", "o3"}},
		"holds no fleet's run":      {2, []string{"status", "nowhere"}},
		"does not say its version":  {1, s.first("sweep.json", "--binary", "/bin/true", "--out", "o4")},
		"is not a program":          {2, s.first("sweep.json", "--binary", "sweep.json", "--out", "o5")},
		"the connection failed":     {1, s.first("sweep.json", "--hosts", "nobody.invalid", "--out", "o6")},
		"nosuch":                    {2, s.first("bad.json", "--out", "o7")},
	} {
		f := s.start(t, dir, c.words...)
		if status := f.status(t); status != c.status || !strings.Contains(f.out.String(), want) {
			t.Errorf("%q: status %d, want %d and %q\n%s", c.words, status, c.status, want, f.out)
		}
	}
	s.empty(t)
}
