package fleet

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// ArrayFile is the file that keeps a cluster's run, in its folder, which the nodes share.
const ArrayFile = "slurm.json"

// Array is a run of configs by Slurm, as ArrayFile keeps it. Each task belongs to a job array.
type Array struct {
	Program string   `json:"program"` // on a file system that the nodes share
	Options []string `json:"sbatch"`  // more options of sbatch
	// Concurrent is how many tasks of an array run at once; 0: as many as can.
	Concurrent int      `json:"concurrent,omitempty"`
	Tasks      []task   `json:"tasks"`
	Scripts    []script `json:"scripts"`
	// Sum is Program's SHA-256; Seal shows that this user's bench wrote the file (package
	// trust).
	Sum  string `json:"program_sha256,omitempty"`
	Seal string `json:"seal,omitempty"`

	dir  string
	held *safefile.Folder // dir
	own  bool             // the file says nothing that this user's bench has not written
	say  func(format string, args ...any)
}

// task is one run of a config, or of a part of its sweep.
type task struct {
	Prefix string   `json:"prefix"`
	Args   []string `json:"args"` // of bench run, without --out, --name and --resume
}

// script is a job array in a file.
type script struct {
	File  string `json:"file"`  // without its folder
	Tasks []int  `json:"tasks"` // by array index
	Job   string `json:"job,omitempty"`
}

// ArrayPlan holds the parameters of NewArray.
type ArrayPlan struct {
	Program    string
	Options    []string
	Concurrent int
	Configs    []PlannedConfig
	// Parts are the values of --set, NAME=VALUE, one for each task, by config; nil: a
	// config is one task.
	Parts [][]string
}

const (
	scriptsDir = "slurm"
	tasksDir   = "tasks"
	// defaultArraySize is Slurm's MaxArraySize (slurm.conf(5)) where it cannot be asked.
	defaultArraySize = 1001
)

// NewArray writes the scripts of a run in dir, which has none yet.
func NewArray(ctx context.Context, dir string, p ArrayPlan, say func(string, ...any)) (*Array, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := checkLogFolder(dir); err != nil {
		return nil, err
	}
	a := &Array{Options: p.Options, Concurrent: p.Concurrent, dir: dir, own: true, say: say}
	for i, c := range p.Configs {
		path, err := filepath.Abs(c.Path)
		if err != nil {
			return nil, err
		}
		args := append([]string{path}, c.Flags...)
		if p.Parts == nil {
			a.Tasks = append(a.Tasks, task{c.Prefix, args})
			continue
		}
		for _, set := range p.Parts[i] {
			a.Tasks = append(a.Tasks, task{c.Prefix, append(args[:len(args):len(args)], "--set", set)})
		}
	}
	for _, t := range a.Tasks {
		if err := checkFolderName(t.Prefix); err != nil {
			return nil, err
		}
	}
	if a.held, err = safefile.MakeFolder(dir); err != nil {
		return nil, err
	}
	// A copy: the program may be built anew before the last task starts.
	a.Program = filepath.Join(dir, scriptsDir, programFile)
	if err := a.copyProgram(p.Program); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	all := make([]int, len(a.Tasks))
	for i := range all {
		all[i] = i
	}
	if err := a.write(ctx, all); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// Close lets go of the folder.
func (a *Array) Close() error { return a.held.Close() }

// mostProgram bounds the size of a program of bench, which has tens of MB.
const mostProgram = 1 << 30

// copyProgram copies a file to Program, and records its sum.
func (a *Array) copyProgram(from string) error {
	scripts, err := a.held.Make(scriptsDir)
	if err != nil {
		return err
	}
	defer scripts.Close()
	text, err := bounded.ReadFile(from, mostProgram)
	if err != nil {
		return err
	}
	a.Sum = fmt.Sprintf("%x", sha256.Sum256(text))
	return scripts.WriteProgram(programFile, bytes.NewReader(text))
}

// write writes scripts for tasks, as many as Slurm's MaxArraySize needs.
func (a *Array) write(ctx context.Context, tasks []int) error {
	scripts, err := a.held.Make(scriptsDir)
	if err != nil {
		return err
	}
	defer scripts.Close()
	most := arraySize(ctx)
	for len(tasks) > 0 {
		n := min(most, len(tasks))
		s := script{File: fmt.Sprintf("job-%d.sh", len(a.Scripts)+1), Tasks: tasks[:n:n]}
		if err := scripts.WriteProgram(s.File, strings.NewReader(a.text(s))); err != nil {
			return err
		}
		a.Scripts, tasks = append(a.Scripts, s), tasks[n:]
		path := scripts.Path(s.File)
		a.say("%s: a job array of %s; sbatch %s submits it", path, terminal.Count(n, "task"), path)
	}
	return a.save()
}

var maxArraySize = lazy.Regexp(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// arraySize is Slurm's MaxArraySize, which is one more than the highest index.
func arraySize(ctx context.Context) int {
	out, _, err := bounded.Output(exec.CommandContext(ctx, "scontrol", "show", "config"), bounded.MostText)
	if err != nil {
		return defaultArraySize
	}
	return parseArraySize(out)
}

// parseArraySize finds MaxArraySize in what scontrol prints.
func parseArraySize(text []byte) int {
	if m := maxArraySize().FindSubmatch(text); m != nil {
		if n, err := strconv.Atoi(string(m[1])); err == nil && n > 0 {
			return n
		}
	}
	return defaultArraySize
}

// text returns the script of a job array, which a person can read.
func (a *Array) text(s script) string {
	var b strings.Builder
	limit := ""
	if a.Concurrent > 0 {
		limit = fmt.Sprintf("%%%d", a.Concurrent)
	}
	fmt.Fprintf(&b, `#!/bin/sh
# Written by bench fleet: %s, each a task of this array. It may be submitted again:
# every task goes on from the points that it has.
#SBATCH --job-name=bench
#SBATCH --array=0-%d%s
#SBATCH --nodes=1 --ntasks=1
#SBATCH --requeue --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --output="%s/task-%%a.log"
`, terminal.Count(len(s.Tasks), "run"), len(s.Tasks)-1, limit, strings.ReplaceAll(filepath.Join(a.dir, scriptsDir), "%", "%%")) // sbatch(1), filename pattern
	for _, o := range a.Options {
		fmt.Fprintf(&b, "#SBATCH %s\n", o)
	}
	b.WriteString("\ncase $SLURM_ARRAY_TASK_ID in\n")
	for i, n := range s.Tasks {
		t := a.Tasks[n]
		fmt.Fprintf(&b, "%d) out=%s; set --", i, quote(a.folder(n)))
		for _, w := range t.Args {
			b.WriteString(" " + quote(w))
		}
		b.WriteString(" ;;\n")
	}
	fmt.Fprintf(&b, `*) echo "no task $SLURM_ARRAY_TASK_ID"; exit 2 ;;
esac

results() { grep -c '^{"crc32c":"[0-9a-f]*","result":' "$out/journal.jsonl" 2>/dev/null; }
had=$(results)
if grep -q '","started":' "$out/journal.jsonl" 2>/dev/null; then set -- "$@" --resume; fi
%s run "$@" --out "$out" --name "${SLURMD_NODENAME:-$(uname -n)}" &
run=$!
# A minute before the time limit, and where the task is preempted: what is measured is
# on disk. The task queues up again if Slurm does not do so, unless it got nowhere.
ended=
trap 'ended=yes; kill -TERM $run' TERM
wait $run; status=$?
if [ "$ended" ]; then
	wait $run; status=$?
	id=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
	if [ "$status" = 130 ] && [ "$(results)" != "$had" ] && scontrol show job "$id" | grep -q JobState=RUNNING; then
		scontrol requeue "$id"
	fi
fi
exit $status
`, quote(a.Program))
	return b.String()
}

// folder returns the folder of a task's results.
func (a *Array) folder(task int) string {
	return filepath.Join(a.dir, tasksDir, fmt.Sprintf("%05d", task))
}

// Submit submits the scripts that are not submitted yet, and submits anew the tasks that are
// neither complete nor in Slurm's queue. One process at a time does so.
func (a *Array) Submit(ctx context.Context) error {
	scripts, err := a.held.Make(scriptsDir)
	if err != nil {
		return err
	}
	defer scripts.Close()
	lock, err := scripts.Open(lockFile, os.O_CREATE)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := safefile.TryLock(lock); err != nil {
		return fmt.Errorf("another bench fleet submits %s: %w", a.dir, err)
	}
	if err := a.read(); err != nil { // another may have submitted meanwhile
		return err
	}
	if err := a.ready(); err != nil {
		return err
	}
	queued, err := a.queued(ctx)
	if err != nil {
		return err
	}
	waiting := map[int]bool{}
	for _, s := range a.Scripts {
		if s.Job == "" {
			for _, n := range s.Tasks {
				waiting[n] = true
			}
		}
	}
	var again []int
	for n := range a.Tasks {
		have, total := a.progress(n)
		if total > 0 && have >= total {
			continue
		}
		q, ok := queued[n]
		if q.failed {
			if out, err := bounded.CombinedOutput(exec.CommandContext(ctx, "scontrol", "release", q.id)); err != nil {
				return fmt.Errorf("scontrol release %s: %s", q.id, lastLine(out))
			}
			a.say("%s: released; Slurm held it after a start that failed", q.id)
		}
		if !waiting[n] && !ok {
			again = append(again, n)
		}
	}
	if err := a.write(ctx, again); err != nil {
		return err
	}
	for i := range a.Scripts {
		s := &a.Scripts[i]
		if s.Job != "" {
			continue
		}
		cmd := exec.CommandContext(ctx, "sbatch", "--parsable", filepath.Join(a.dir, scriptsDir, s.File))
		out, said, err := bounded.Output(cmd, bounded.MostText)
		if err != nil {
			why := lastLine(said)
			if why == "" {
				why = err.Error()
			}
			return fmt.Errorf("%s is not submitted: %s; bench fleet --slurm --resume --out %s submits what is left", s.File, why, a.dir)
		}
		number, _, _ := strings.Cut(lastLine(out), ";")
		if number == "" || !jobNumber().MatchString(number) {
			return fmt.Errorf("%s: sbatch answered %q; want a job's number: squeue tells whether it is submitted", s.File, lastLine(out))
		}
		s.Job = number
		if err := a.save(); err != nil {
			return err
		}
		a.say("%s: job %s, %s", s.File, s.Job, terminal.Count(len(s.Tasks), "task"))
	}
	return nil
}

// progress returns how many results a task has, and how many it is to have; 0 if not known yet.
func (a *Array) progress(n int) (have, total int) {
	done, total, err := record.Progress(a.folder(n))
	if err != nil {
		return 0, 0
	}
	return done, total
}

// Stop takes the tasks from Slurm's queue.
func (a *Array) Stop(ctx context.Context) error {
	for _, s := range a.Scripts {
		if s.Job == "" {
			continue
		}
		if out, err := bounded.CombinedOutput(exec.CommandContext(ctx, "scancel", s.Job)); err != nil && !bytes.Contains(out, []byte("Invalid job id")) {
			return fmt.Errorf("scancel %s: %s", s.Job, lastLine(out))
		}
	}
	return nil
}

// Results returns the folders of what was measured so far of the config with that prefix.
func (a *Array) Results(prefix string) (parts []record.Part, err error) {
	for n, t := range a.Tasks {
		if t.Prefix != prefix {
			continue
		}
		have, _, err := record.Progress(a.folder(n))
		if unread := (*fs.PathError)(nil); errors.As(err, &unread) {
			return nil, err
		}
		if have > 0 {
			parts = append(parts, record.Part{Dir: a.folder(n)})
		}
	}
	return parts, nil
}

// Prefixes returns the prefixes of the configs.
func (a *Array) Prefixes() (list []string) {
	seen := map[string]bool{}
	for _, t := range a.Tasks {
		if !seen[t.Prefix] {
			seen[t.Prefix] = true
			list = append(list, t.Prefix)
		}
	}
	return list
}
