package damage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode"

	"example.org/bench/framework/record"
	"example.org/bench/test/damage"
	"example.org/bench/test/program"
)

// results are what a verb reads, in a folder: made in dir, which the words of verbs name.
type results struct {
	name  string
	files []string // that are damaged; patterns
	verbs [][]string
}

// The words D, F, G, C and O of a command line are the damaged folder, its file, the run as it
// was, a config and a new folder.
var kinds = []results{
	{"run", []string{"*"}, [][]string{
		{"compare", "D", "--by", "version"}, {"report", "D", "-o", "O.html"}, {"export", "D", "--to", "csv", "--out", "O"}, {"history", "add", "D", "--file", "O.jsonl", "--revision", "x"},
		{"merge", "a=D", "b=G", "--no-plots", "--out", "O"}, {"compare", "G", "D", "--gate", "5%"}, {"why", "D"}, {"export", "D", "--to", "benchfmt", "--out", "O"}, {"plot", "D", "--csv"}, {"transfer", "D"}}},
	{"search", []string{"*"}, [][]string{{"report", "D", "-o", "O.html"}, {"export", "D", "--to", "t4", "--out", "O"}, {"plot", "D", "--csv"}, {"transfer", "D"}, {"merge", "D", "G", "--no-plots", "--out", "O"},
		{"replay", "S", "--from", "D", "--budget", "2", "--repeats", "2", "--strategy", "random"}}},
	{"ab", []string{"*"}, [][]string{{"report", "D", "-o", "O.html"}, {"plot", "D"}, {"compare", "D"}}},
	{"replay", []string{"*.csv"}, [][]string{{"report", "D", "-o", "O.html"}}},
	{"space", []string{"s.csv", "s.csv.gz", "manifest.json"}, [][]string{{"replay", "D/s.csv", "--manifest", "D/manifest.json", "--budget", "2", "--repeats", "2", "--strategy", "random"},
		{"export", "D/s.csv.gz", "--to", "t1", "--manifest", "D/manifest.json", "--out", "O"}, {"report", "D/s.csv", "-o", "O.html"}, {"transfer", "D/s.csv.gz", "S"}}},
	{"history", []string{"*"}, [][]string{{"history", "show", "--file", "F"}, {"history", "check", "--file", "F"}, {"history", "add", "G", "--file", "F", "--revision", "z"}, {"report", "F", "-o", "O.html"}}},
	{"comparison", []string{"*"}, [][]string{{"report", "F", "-o", "O.html"}}},
	{"tuners", []string{"*.json"}, [][]string{{"import", "F", "--out", "O"}}},
	{"wisdom", []string{"*"}, [][]string{{"plan", "C", "--wisdom", "F"}}},
}

const space = "a,b,time_ms,status\n1,x,0.5,valid\n1,y,0.75,valid\n2,x,,invalid\n2,y,0.25,valid\n"

// folders makes the results as they are, below dir.
func folders(t *testing.T, bench, dir string) {
	t.Helper()
	run, err := record.ReadJournal("../../framework/record/testdata/journals/3-every-member")
	if err != nil {
		t.Fatal(err)
	}
	if err := record.Write(filepath.Join(dir, "run"), run); err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]string{"run": "framework/record/testdata/journals/3-every-member", "search": "results/h100-tune-front", "ab": "results/epyc-fft-ab", "replay": "results/tuning-replay/pnpoly-RTX_3090"} {
		damage.Copy(t, filepath.Join("../..", from), filepath.Join(dir, to))
	}
	damage.Copy(t, "../../tuning/exchange/testdata", filepath.Join(dir, "tuners"))
	write(t, filepath.Join(dir, "space/s.csv"), []byte(space))
	write(t, filepath.Join(dir, "space/s.csv.gz"), damage.Packed("s.csv.gz", []byte(space)))
	write(t, filepath.Join(dir, "space/manifest.json"), []byte(`{"s": {"file": "s.csv", "kernel": "k", "device": "d", "problem_size": [1, 2], "parameters": {"a": [1, 2], "b": ["x", "y"]}, "constraints": ["a <= 2"], "n_configs": 4}}`))
	write(t, filepath.Join(dir, "c.json"), []byte(`{"algorithm": "fft", "processor": "CPU", "sweep_arg": {"N": [64]}}`))
	write(t, filepath.Join(dir, "wisdom/w.json"), []byte(`{"wisdom_format": 1, "entries": [{"algorithm": "fft", "version": "stockham", "params": {"N": 64, "batch_elements": 1048576}, "tunables": {"L": 4}, "device": {"processor": "CPU", "name": "x"}, "objective": "time", "cost": 1, "default_cost": 2}]}`))
	whole := filepath.Join(dir, "whole")
	if err := os.CopyFS(whole, os.DirFS(filepath.Join(dir, "run"))); err != nil {
		t.Fatal(err)
	}
	for _, revision := range []string{"a", "b"} {
		if out, err := exec.Command(bench, "history", "add", whole, "--file", filepath.Join(dir, "history.jsonl"), "--revision", revision).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	printed, err := exec.Command(bench, "compare", whole, filepath.Join(dir, "run"), "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "comparison/c.json"), printed)
	if err := os.Mkdir(filepath.Join(dir, "history"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "history.jsonl"), filepath.Join(dir, "history/h.jsonl")); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// trial is a verb that reads a folder with one file damaged.
type trial struct {
	kind, file string
	by         damage.Named
	args       []string
	alone      bool // without the journal, which has all that the other files have
}

func (c trial) String() string {
	return fmt.Sprintf("%s of %s: %s: %s", c.file, c.kind, c.by.Name, strings.Join(c.args, " "))
}

// trials are all, or where not all are wanted one verb for each damage of each file, in turns.
func trials(t *testing.T, dir string, all bool) (list []trial) {
	t.Helper()
	for _, k := range kinds {
		turn := 0
		for _, pattern := range k.files {
			files, err := filepath.Glob(filepath.Join(dir, k.name, pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no %s of %s: %v", pattern, k.name, err)
			}
			for _, file := range files {
				if strings.HasSuffix(file, ".svg") || strings.HasSuffix(file, ".txt") {
					continue
				}
				for i, by := range damage.All() {
					if !all && (i+turn)%7 > 0 { // a seventh of them; others of the next file
						continue
					}
					for n, args := range k.verbs {
						if all || n == turn%len(k.verbs) {
							list = append(list, trial{kind: k.name, file: filepath.Base(file), by: by, args: args})
						}
					}
					turn++
				}
			}
		}
	}
	return list
}

// pipes are trials with a named pipe in each place: read by every verb where the file is one
// that is always read, and by one of them where it may not be.
func pipes(t *testing.T, dir string) (list []trial) {
	t.Helper()
	turn := 0
	for _, k := range kinds {
		for _, pattern := range k.files {
			files, err := filepath.Glob(filepath.Join(dir, k.name, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range files {
				file := filepath.Base(path)
				if strings.HasSuffix(file, ".svg") || strings.HasSuffix(file, ".txt") {
					continue
				}
				every := k.name == "run" && (file == record.JournalFile || file == "run.json" || strings.HasSuffix(file, "_time.csv"))
				for n, args := range k.verbs {
					if every || n == turn%len(k.verbs) {
						list = append(list, trial{k.name, file, damage.Pipe, args, k.name == "run" && file != record.JournalFile})
					}
				}
				turn++
			}
		}
	}
	return list
}

// goTrace is what Go's runtime says of a crash.
var goTrace = regexp.MustCompile(`goroutine \d|panic:|runtime error|internal error|\.go:\d+ \+0x`)

// command is what the log of a forge obeys.
var command = regexp.MustCompile(`(?m)^[ \t]*::|##(vso)?\[`)

// mostMemory is far above what these verbs take for some hundred kB.
const mostMemory = 700 << 20

// TestDamagedResults: whatever happened to a file of results, a verb that reads it ends with a
// status that its help has, in lines of its own and in little memory. BENCH_DAMAGE=all has
// every verb read every damage; else each damage is read by some.
func TestDamagedResults(t *testing.T) {
	bench := filepath.Join(t.TempDir(), "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		t.Fatal(err)
	}
	good := t.TempDir()
	folders(t, bench, good)
	control := exec.Command(bench, "version")
	if err := control.Run(); err != nil {
		t.Fatal(err)
	}
	most := max(mostMemory, control.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10)
	statuses := documented(t, bench)
	list := append(trials(t, good, os.Getenv("BENCH_DAMAGE") == "all"), pipes(t, good)...)
	var next, refused, taken atomic.Int64
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(list) || t.Failed() && n > 3000 {
					return
				}
				switch list[n].run(t, bench, good, most, statuses) {
				case 2:
					refused.Add(1)
				case 0:
					taken.Add(1)
				}
			}
		})
	}
	wait.Wait()
	t.Logf("%d trials: %d refused, %d taken", len(list), refused.Load(), taken.Load())
	if refused.Load() == 0 || taken.Load() == 0 {
		t.Error("all are alike: the damages show nothing")
	}
}

// documented are the exit statuses that the help of a verb has.
func documented(t *testing.T, bench string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, k := range kinds {
		for _, args := range k.verbs {
			verb := args[:1]
			if verb[0] == "history" {
				verb = args[:2]
			}
			name := strings.Join(verb, " ")
			if all[name] != nil {
				continue
			}
			help, err := exec.Command(bench, append(slices.Clone(verb), "--help")...).CombinedOutput()
			_, table, found := strings.Cut(string(help), "EXIT STATUS\n")
			if err != nil || !found {
				t.Fatalf("%s: no statuses: %v", name, err)
			}
			for _, m := range regexp.MustCompile(`(?m)^  (\d+) `).FindAllStringSubmatch(table, -1) {
				all[name] = append(all[name], m[1])
			}
		}
	}
	return all
}

// run makes the damage, has the verb read it, and returns the status; -1 where the damage
// does not apply.
func (c trial) run(t *testing.T, bench, good string, most int64, statuses map[string][]string) int {
	dir, err := os.MkdirTemp(good, ".trial-")
	if err != nil {
		t.Error(err)
		return -1
	}
	defer os.RemoveAll(dir)
	file, err := os.ReadFile(filepath.Join(good, c.kind, c.file))
	if err != nil {
		t.Error(err)
		return -1
	}
	text, err := damage.Unpacked(file)
	if err != nil {
		t.Error(err)
		return -1
	}
	damaged := c.by.Of(c.file, text)
	if damaged == nil {
		return -1
	}
	if err := os.CopyFS(filepath.Join(dir, "d"), os.DirFS(filepath.Join(good, c.kind))); err != nil {
		t.Error(err)
		return -1
	}
	path := filepath.Join(dir, "d", c.file)
	if c.by.Name == damage.Pipe.Name {
		err = errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644))
	} else {
		err = os.WriteFile(path, damage.Packed(c.file, damaged), 0o644)
	}
	if err == nil && c.alone {
		err = os.Remove(filepath.Join(dir, "d", record.JournalFile))
	}
	if err != nil {
		t.Error(err)
		return -1
	}
	var args []string
	for _, word := range c.args {
		for short, long := range map[string]string{"D": "d", "F": path, "G": filepath.Join(good, "whole"), "C": filepath.Join(good, "c.json"), "S": filepath.Join(good, "space/s.csv"), "O": "out"} {
			for _, before := range []string{"", "a=", "b="} {
				if rest, ok := strings.CutPrefix(word, before+short); ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
					word = before + long + rest
				}
			}
		}
		args = append(args, word)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // ends a hang
	defer cancel()
	cmd := exec.CommandContext(ctx, bench, args...)
	var out, said bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &said
	cmd.Env = append(os.Environ(), "BENCH_PLOTS=none")
	var exit *exec.ExitError
	if err := cmd.Run(); ctx.Err() != nil || err != nil && !errors.As(err, &exit) {
		t.Errorf("%v: %v", c, err)
		return -1
	}
	status := cmd.ProcessState.ExitCode()
	verb := c.args[0]
	if verb == "history" {
		verb += " " + c.args[1]
	}
	if !slices.Contains(statuses[verb], fmt.Sprint(status)) {
		t.Errorf("%v: status %d, which its help does not have\n%.600s", c, status, said.String())
	}
	if took := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; took > most+most/8 {
		t.Errorf("%v: it took %d MiB", c, took>>20)
	}
	for name, text := range map[string]string{"standard output": out.String(), "standard error": said.String()} {
		if goTrace.MatchString(text) || command.MatchString(text) {
			t.Errorf("%v: %s: %.1500s", c, name, text)
		}
	}
	if status != 0 && verb != "history check" && verb != "compare" && !strings.Contains("\n"+said.String(), "\nbench: ") {
		t.Errorf("%v: status %d without a reason\n%.600s", c, status, said.String())
	}
	checkLines(t, c, said.String())
	return status
}

// checkLines demands lines of text, none without end.
func checkLines(t *testing.T, c trial, said string) {
	t.Helper()
	for line := range strings.Lines(said) {
		line = strings.TrimSuffix(line, "\n")
		if strings.TrimSpace(line) == "" && line != "" || len(line) > 8<<10 {
			t.Errorf("%v: a line of %d bytes: %.300q", c, len(line), line)
		}
		for _, r := range line {
			if unicode.IsControl(r) && r != '\t' || r == '\u2028' || r == '\u2029' || r == unicode.ReplacementChar && !strings.ContainsRune(line, '\ufffd') {
				t.Errorf("%v: %.600q", c, line)
				break
			}
		}
	}
}
