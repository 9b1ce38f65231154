package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.org/bench/command/fleet"
	"example.org/bench/internal/terminal"
	"example.org/bench/test/program"
)

// raw are values of other kinds than a file has.
var raw = []string{"null", "-1", "256", "1e400", "9223372036854775808", "1.5", `""`, "[]", "{}", "true", "[[[]]]", `{"":null}`}

// valuesIn are fields of a JSON text like stringsIn, of every kind: numbers, lists and objects, too.
func valuesIn(file string, text []byte) (all []field) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err)
	}
	var walk func(v any, way []string)
	walk = func(v any, way []string) {
		way = slices.Clip(way)
		all = append(all, field{file, fmt.Sprint(way), func(text []byte, value string) []byte {
			// A word takes the place of the value first, as it is in the text.
			const mark = "the place of a value"
			if len(way) == 0 {
				return []byte(value)
			}
			return []byte(strings.Replace(string(planted(text, way, mark)), `"`+mark+`"`, value, 1))
		}})
		switch v := v.(type) {
		case []any:
			for i, x := range v {
				walk(x, append(way, fmt.Sprint(i)))
			}
		case map[string]any:
			for name, x := range v {
				walk(x, append(way, name))
			}
		}
	}
	walk(v, nil)
	return all
}

// TestHostileFleetFiles: whatever value of whatever kind is in a file that a fleet reads, here, on a
// board or on a cluster, a verb ends with lines of its own and a status from 0 to 2, and nothing
// is written, removed or started but what is the fleet's own.
func TestHostileFleetFiles(t *testing.T) {
	s := newSandbox(t)
	s.allowed = append(s.allowed, "squeue --noheader --array --format=%F %K %T %r\n", "scancel 7\n",
		"ssh -o BatchMode=yes -o ServerAliveInterval=15 -T orin1 rm -rf '.cache/bench-fleet/orin1-20260101-000000-0123abcd'\n") // a folder that is left
	for _, name := range []string{"squeue", "scontrol", "scancel"} {
		s.standIn(name, "echo '7 0 PENDING None'")
	}
	r := s.path("in/r")
	fleets := [][]string{{"fleet", "status", r}, {"fleet", "fetch", r, "--no-plots"}, {"fleet", "stop", r}, {"fleet", "--resume", "--out", r, "--no-plots"}}
	board := [][]string{{"board", "follow", r, "--once"}, {"board", "stop", r}}
	job := map[string]string{
		"job.json":   `{"name": "orin1", "runs": [{"prefix": "s", "args": ["configs/0/s.json"]}]}`,
		"state.json": `{"phase": "done", "status": 1, "reason": "none"}`, "lock": "", "pid": "999999999", "log": "a line\n",
	}
	count := 0
	for _, c := range []struct {
		files map[string]string
		verbs [][]string
	}{
		{map[string]string{fleet.File: `{"ssh": ["ssh"], "folder": ".cache/bench-fleet", "configs": ["/c/s.json"], "binaries": ["/b"], "runs": [{"prefix": "s", "args": ["configs/0/s.json"]}], "seal": "x", "boards": [
			{"host": "orin1", "name": "orin1", "job": ".cache/bench-fleet/orin1-20260101-000000-0123abcd", "sent": true, "state": {"phase": "running", "status": 0, "reason": "none"}, "fetched": true, "left": true}]}`}, fleets},
		{map[string]string{fleet.ArrayFile: `{"program": "` + r + `/slurm/bench", "sbatch": ["--gres=gpu:1"], "concurrent": 2, "tasks": [{"prefix": "s", "args": ["/c/s.json"]}],
			"scripts": [{"file": "job-1.sh", "tasks": [0], "job": "7"}, {"file": "job-2.sh", "tasks": [0]}], "program_sha256": "x", "seal": "x"}`},
			append(fleets[:3:3], []string{"fleet", "--slurm", "--resume", "--submit", "--out", r})},
		{job, board},
	} {
		if err := os.RemoveAll(r); err != nil {
			t.Fatal(err)
		}
		s.changed, s.published = map[string][]byte{}, nil
		for name, text := range c.files {
			write(t, filepath.Join(r, name), text)
			s.published = append(s.published, name)
		}
		s.before = s.outside()
		for name, text := range c.files {
			if filepath.Ext(name) != ".json" {
				continue
			}
			for n, f := range valuesIn(name, []byte(text)) {
				for i, value := range raw {
					args := c.verbs[(n+i)%len(c.verbs)]
					s.plant(f, value)
					s.quietly(fmt.Sprintf("%s of %s is %s", f.name, f.file, value), args...)
					s.restore()
					count++
				}
			}
		}
	}
	if count < 500 {
		t.Errorf("%d values", count)
	}
	t.Logf("%d values", count)
}

// quietly runs a verb whose status and lines are looked at, and what it did.
func (s *sandbox) quietly(what string, args ...string) {
	s.t.Helper()
	stdout := os.Stdout
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	os.Stdout = null // board follow writes there
	status, said := s.bench(args...)
	os.Stdout = stdout
	null.Close()
	checkSaid(s.t, fmt.Sprintf("%s, %s", what, strings.Join(args, " ")), status, said)
	s.check(what)
}

// checkSaid demands a status from 0 to 2, and lines that can be read.
func checkSaid(t *testing.T, what string, status int, said string) {
	t.Helper()
	if status < exitGood || status > exitUsage {
		t.Errorf("%s: status %d\n%s", what, status, said)
	}
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		if strings.Contains(line, "goroutine ") || strings.Contains(line, "internal error") || strings.Contains(line, "panic:") || terminal.OneLine(line) != line || len(line) > 8<<10 {
			t.Errorf("%s: status %d\n%.2000q", what, status, said)
			break
		}
	}
}

// boardOf is a folder of a job with a program of this tree, whose verbs run as on a board.
type boardOf struct {
	t             *testing.T
	dir, program  string
	lock, outside string
}

func newBoard(t *testing.T) *boardOf {
	t.Helper()
	above := t.TempDir()
	b := &boardOf{t: t, dir: filepath.Join(above, "jobs/j"), program: filepath.Join(above, "bench"), lock: filepath.Join(above, "lock"), outside: above}
	if err := program.Build("cmd/bench", "", b.program); err != nil {
		t.Fatal(err)
	}
	b.anew()
	return b
}

// anew writes the folder as a fleet sends it.
func (b *boardOf) anew() {
	b.t.Helper()
	b.ended()
	if err := os.RemoveAll(b.dir); err != nil {
		b.t.Fatal(err)
	}
	write(b.t, filepath.Join(b.dir, "job.json"), `{"name": "orin1", "runs": [{"prefix": "s", "args": ["configs/0/s.json", "--seed", "1"]}]}`)
	write(b.t, filepath.Join(b.dir, "configs/0/s.json"), `{"algorithm": "scan", "processor": "CPU", "versions": ["reference"], "output_file_prefix": "s", "sensors": [], "sweep_arg": {"N": [64]},
		"static_args": {"batch_elements": 256}, "measure": {"min_time_s": 0.0001, "min_samples": 3, "noise": 0.9, "timeout_s": 0.01, "cooldown_s": 0, "ceilings": false}}`)
}

// ended waits until no process of the job's program is there.
func (b *boardOf) ended() {
	b.t.Helper()
	late := time.After(time.Minute)
	for {
		left := 0
		all, err := filepath.Glob("/proc/[0-9]*/exe")
		if err != nil {
			b.t.Fatal(err)
		}
		for _, exe := range all {
			if is, err := os.Readlink(exe); err == nil && is == b.program {
				left++
			}
		}
		if left == 0 {
			return
		}
		select {
		case <-late:
			b.t.Fatalf("%d processes of the job have not ended", left)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// verb runs a verb of bench board, which ends.
func (b *boardOf) verb(what string, args ...string) (status int, out, said string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 2*time.Minute) // ends what hangs
	defer cancel()
	cmd := exec.CommandContext(ctx, b.program, append([]string{"board"}, args...)...)
	var stdout, stderr strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), fleet.LockVariable+"="+b.lock, "BENCH_PLOTS=none")
	var exit *exec.ExitError
	if err := cmd.Run(); ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		b.t.Fatalf("%s: %q: %v\n%s", what, args, err, stderr.String())
	}
	checkSaid(b.t, fmt.Sprintf("%s, board %s", what, strings.Join(args, " ")), cmd.ProcessState.ExitCode(), stderr.String())
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// all starts a job, follows it to its end, and stops it; it returns what start and the last
// line that follow said.
func (b *boardOf) all(what string) (started int, last string) {
	b.t.Helper()
	started, _, said := b.verb(what, "start", ".")
	if started != exitGood {
		last = said
	} else {
		_, out, said := b.verb(what, "follow", ".")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		last = lines[len(lines)-1] + said
	}
	b.verb(what, "stop", ".")
	entries, err := os.ReadDir(b.outside)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"jobs", "bench", filepath.Base(b.lock), "state", "cache"}, e.Name()) {
			b.t.Errorf("%s: %s was made outside of the job's folder", what, e.Name())
		}
	}
	if entries, err = os.ReadDir(filepath.Dir(b.dir)); err != nil || len(entries) != 1 {
		b.t.Errorf("%s: beside the job's folder: %v, %v", what, entries, err)
	}
	return started, last
}

// TestHostileJob: a job on a board whose names lead out of its folder is refused before it starts,
// and files that would be waited for, or are links, are refused by what reads or writes them.
func TestHostileJob(t *testing.T) {
	b := newBoard(t)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(b.outside, "cache"))
	t.Setenv("STATE_DIRECTORY", filepath.Join(b.outside, "state"))
	if started, last := b.all("as it was"); started != exitGood || !strings.Contains(last, `"phase":"done","status":0`) {
		t.Fatalf("status %d, %s", started, last)
	}
	ok, err := os.ReadFile(filepath.Join(b.dir, "job.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"[name]", "[runs 0 prefix]"} {
		for _, word := range []string{`"../../../out"`, `"/tmp/out"`, `".."`, `"a/../../b"`, `""`, `"."`} {
			b.anew()
			all := valuesIn("job.json", ok)
			at := slices.IndexFunc(all, func(f field) bool { return f.name == name })
			write(t, filepath.Join(b.dir, "job.json"), string(all[at].plant(ok, word)))
			what := name + " is " + word
			if started, said := b.all(what); started == exitGood || !strings.Contains(said, "job.json: ") {
				t.Errorf("%s: status %d, %s", what, started, said)
			}
		}
	}
	victim := filepath.Join(b.outside, "cache/victim")
	for _, name := range []string{"job.json", "state.json", "lock", "pid", "log", "results/s/journal.jsonl"} {
		path := filepath.Join(b.dir, name)
		for kind, put := range map[string]func() error{
			"a pipe":   func() error { return syscall.Mkfifo(path, 0o644) },
			"a link":   func() error { return os.Symlink(victim, path) },
			"a folder": func() error { return os.Mkdir(path, 0o777) },
		} {
			b.anew()
			write(t, victim, "precious")
			if err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o777), put()); err != nil {
				t.Fatal(err)
			}
			what := name + " is " + kind
			b.all(what)
			if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
				t.Errorf("%s: what it leads to holds %.100q, %v", what, text, err)
			}
		}
	}
	for kind, put := range map[string]func() error{
		"a pipe": func() error { return syscall.Mkfifo(b.lock, 0o644) },
		"a link": func() error { return os.Symlink(victim, b.lock) },
	} {
		b.anew()
		if err := errors.Join(os.RemoveAll(b.lock), put()); err != nil {
			t.Fatal(err)
		}
		if _, last := b.all("the machine's lock is " + kind); !strings.Contains(last, `"reason":"lock against other runs: `) {
			t.Errorf("the machine's lock is %s: %s", kind, last)
		}
	}
}
