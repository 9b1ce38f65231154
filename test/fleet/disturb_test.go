//go:build slurm

package fleet

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"example.org/bench/framework/record"
)

// disturbance does things to a run and its cluster, and watches the journals of the
// tasks meanwhile.
type disturbance struct {
	*cluster
	dir    string
	random *rand.Rand
	out    *csv.Writer
	began  time.Time

	kinds map[string]int
	// kept are the results that a task's journal was seen to have.
	kept     []map[string]bool
	complete []bool
	arrays   int // that were submitted
	lines    map[string]bool
	givenUp  int // points during which the task was killed twice
}

// events writes what happens to a file; nobody reads it where none is named.
func (c *cluster) events(t *testing.T) *csv.Writer {
	t.Helper()
	path := *events
	if path == "" {
		path = filepath.Join(t.TempDir(), "events.csv")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w := csv.NewWriter(f)
	w.Write([]string{"time_s", "event", "of", "tasks_complete"})
	return w
}

// happened counts an event.
func (d *disturbance) happened(kind, of string) {
	d.kinds[kind]++
	d.out.Write([]string{fmt.Sprintf("%.1f", time.Since(d.began).Seconds()), kind, of, fmt.Sprint(d.completed())})
	d.out.Flush()
}

func (d *disturbance) completed() (n int) {
	for _, c := range d.complete {
		if c {
			n++
		}
	}
	return n
}

func (d *disturbance) journal(task int) string {
	return filepath.Join(d.dir, fmt.Sprintf("out/tasks/%05d", task), record.JournalFile)
}

// resultLines are those of a task's journal.
func (d *disturbance) resultLines(task int) (lines []string) {
	text, _ := os.ReadFile(d.journal(task)) // the task may not have begun
	const sum = `{"crc32c":"00000000",`
	for line := range strings.Lines(string(text)) {
		if len(line) > len(sum) && strings.HasPrefix(line[len(sum):], `"result":`) && strings.HasSuffix(line, "\n") {
			lines = append(lines, line)
		}
	}
	return lines
}

// look reads the journals of the tasks that are not complete.
func (d *disturbance) look() {
	for task, c := range d.complete {
		if c {
			continue
		}
		lines := d.resultLines(task)
		d.complete[task] = len(lines) >= taskPoints
		for _, line := range lines {
			if d.kept[task] == nil {
				d.kept[task] = map[string]bool{}
			}
			d.kept[task][line] = true
		}
	}
}

// submit submits what is left, twice at once, and returns how many arrays that made. No
// task is then twice in the queue.
func (d *disturbance) submit(t *testing.T) int {
	t.Helper()
	var both sync.WaitGroup
	said := make([]string, 2)
	for i := range said {
		both.Go(func() { said[i], _ = d.bench(d.dir, "fleet", "--slurm", "--resume", "--out", "out") }) // one may be refused
	}
	both.Wait()
	n := strings.Count(said[0]+said[1], ": job ")
	d.arrays += n
	return n
}

// kinds are what happens, in turn.
var kinds = []string{"requeue", "time limit", "task killed", "node killed", "controller killed",
	"requeue", "time limit", "task killed", "node killed", "task killed"}

// run disturbs as often as that, over the time in which the tasks run, until all are
// complete.
func (d *disturbance) run(t *testing.T, times int) {
	t.Helper()
	d.began = time.Now()
	registered := d.began
	for i, idle := 0, 0; ; {
		d.look()
		done := d.completed()
		if done == len(d.complete) {
			return
		}
		d.release()
		if time.Since(registered) > 10*time.Second {
			// Nodes say what runs there, which a controller that was killed may not know;
			// by themselves they do so twice an hour.
			d.command("scontrol", "reconfigure").Run() // or the next time
			registered = time.Now()
		}
		tasks, nodes := d.running()
		switch {
		case len(tasks) > 0 && i < times && done*times >= i*len(d.complete):
			if d.disturb(t, kinds[i%len(kinds)], tasks, nodes) {
				i++
			}
			idle = 0
		case len(tasks) == 0 && d.stuck(): // also while the controller ends a job
			if idle++; idle >= 2 {
				d.submit(t)
				d.happened("submitted again", "")
			}
		default:
			idle = 0
		}
		time.Sleep(time.Duration(d.random.IntN(500)) * time.Millisecond)
	}
}

// running are the tasks that run, as Slurm calls them, and their nodes.
func (d *disturbance) running() (tasks, nodes []string) {
	out, _ := d.command("squeue", "--noheader", "--array", "--states=R", "--format=%F_%K %N").Output() // none: there is nothing to disturb
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) == 2 {
			tasks, nodes = append(tasks, words[0]), append(nodes, words[1])
		}
	}
	return tasks, nodes
}

// release lets nodes work and tasks start again that Slurm has drained and held after a
// start that failed, as an administrator does.
func (d *disturbance) release() {
	for kind, words := range map[string][3][]string{
		"drained node resumed": {{"sinfo", "--noheader", "--Node", "--format=%N %t %E"}, {" dr"}, {"scontrol", "update", "state=resume", "nodename="}},
		"held task released":   {{"squeue", "--noheader", "--array", "--states=PD", "--format=%F_%K %r"}, {" JobHeld", " launch failed"}, {"scontrol", "release", ""}},
	} {
		out, _ := d.command(words[0]...).Output() // none: later
		for line := range strings.Lines(string(out)) {
			what, why, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !slices.ContainsFunc(words[1], func(begin string) bool { return strings.HasPrefix(" "+why, begin) }) {
				continue
			}
			tell := slices.Clone(words[2])
			tell[len(tell)-1] += what
			if d.command(tell...).Run() == nil {
				d.happened(kind, what+": "+why)
			}
		}
	}
}

// stuck is whether nothing of the queue can start.
func (d *disturbance) stuck() bool {
	out, err := d.command("squeue", "--noheader", "--format=%r").Output()
	return err == nil && strings.Count(string(out), "\n") == strings.Count(string(out), "launch failed")
}

// disturb does something to a task that runs, its node or the controller, and returns
// whether it was not too late for that.
func (d *disturbance) disturb(t *testing.T, kind string, tasks, nodes []string) bool {
	t.Helper()
	n := d.random.IntN(len(tasks))
	task, node := tasks[n], nodes[n]
	of := task
	switch kind {
	case "requeue":
		if d.command("scontrol", "requeue", task).Run() != nil {
			return false
		}
	case "time limit": // as a minute before it
		if !signal(task, syscall.SIGTERM, func(words []string) bool { return strings.HasSuffix(words[len(words)-1], "/slurm_script") }) {
			return false
		}
	case "task killed": // as by a kernel that is out of memory
		if !signal(task, syscall.SIGKILL, func(words []string) bool { return !strings.HasPrefix(words[0], "slurmstepd") }) {
			return false
		}
	case "node killed":
		of = node
		d.off(node)
		d.command("scontrol", "update", "nodename="+node, "state=down", "reason=killed").Run()
		d.node(t, node)
		d.until(t, "the node is back", func() bool {
			d.command("scontrol", "update", "nodename="+node, "state=resume").Run() // refused while it is not down
			out, err := d.command("sinfo", "--noheader", "--nodes="+node, "--format=%t").Output()
			state := strings.TrimSpace(string(out))
			return err == nil && (state == "idle" || state == "alloc" || state == "mix")
		})
	case "controller killed":
		of = ""
		kill(d.controller)
		d.control(t)
		d.until(t, "the controller is back", func() bool { return d.command("squeue").Run() == nil })
	}
	d.happened(kind, of)
	return true
}

// signal sends a signal to those processes of a task, and returns whether there was one.
// scancel takes seconds for that, in which the task has ended.
func signal(task string, s syscall.Signal, of func(words []string) bool) (sent bool) {
	array, index, _ := strings.Cut(task, "_")
	environs, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is good
	for _, path := range environs {
		text, _ := os.ReadFile(path) // it may have ended
		if environ := "\x00" + string(text); !strings.Contains(environ, "\x00SLURM_ARRAY_JOB_ID="+array+"\x00") || !strings.Contains(environ, "\x00SLURM_ARRAY_TASK_ID="+index+"\x00") {
			continue
		}
		line, err := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		pid, bad := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && bad == nil && len(line) > 0 && of(strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")) {
			sent = syscall.Kill(pid, s) == nil || sent
		}
	}
	return sent
}

// compare finds results that were lost, or are there twice.
func (d *disturbance) compare(t *testing.T) {
	t.Helper()
	run, err := record.ReadJournal(filepath.Join(d.dir, "out/sweep"))
	if err != nil || len(run.Info.Merged) != len(d.kept) {
		t.Fatalf("%v", err)
	}
	merged := map[string]record.Result{}
	for _, r := range run.Results {
		at := r.Point.Settings()
		if _, twice := merged[at]; twice {
			t.Errorf("%s is there twice", at)
		}
		merged[at] = r
	}
	if len(merged) != taskPoints*len(d.kept) {
		t.Errorf("%d points are merged, want %d", len(merged), taskPoints*len(d.kept))
	}
	d.lines = map[string]bool{}
	for task := range d.kept {
		lines := d.resultLines(task)
		for line := range d.kept[task] {
			if !slices.Contains(lines, line) {
				t.Errorf("task %d: a finished result is lost: %.300s", task, line)
			}
		}
		for _, line := range lines {
			d.lines[line] = true
		}
		own, err := record.ReadJournal(filepath.Dir(d.journal(task)))
		if err != nil || len(lines) != taskPoints || len(own.Results) != taskPoints {
			t.Errorf("task %d has %d results in %d lines, want %d (%v)", task, len(own.Results), len(lines), taskPoints, err)
		}
		for _, r := range own.Results {
			at := r.Point.Settings()
			m := merged[at]
			if r.Status == record.Failed && d.starts(task, r.Point.Key()) == 2 { // killed both times
				d.givenUp++
				if m.Status != record.Failed {
					t.Errorf("task %d: %s is merged as %s", task, at, m.Status)
				}
				continue
			}
			if r.Status != record.OK || m.Status != record.OK || !m.Started.Equal(r.Started) || !slices.Equal(m.Hot.Samples, r.Hot.Samples) {
				t.Errorf("task %d: %s is %s %s, and merged as %s %s", task, at, r.Status, r.Reason, m.Status, m.Reason)
			}
		}
	}
}

// starts is how often a task began with a point.
func (d *disturbance) starts(task int, key string) int {
	text, _ := os.ReadFile(d.journal(task)) // which was read before
	return strings.Count(string(text), fmt.Sprintf(`"started":{"key":%q,`, key))
}

// merge merges the tasks' folders in other orders, to the same bytes.
func (d *disturbance) merge(t *testing.T) {
	t.Helper()
	var want map[string]string
	for i := range 3 {
		words := []string{"merge", "--no-plots", "--out", fmt.Sprint("order", i)}
		for _, task := range d.random.Perm(len(d.kept)) {
			words = append(words, fmt.Sprintf("out/tasks/%05d", task))
		}
		if out, err := d.bench(d.dir, words...); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got := folder(t, filepath.Join(d.dir, fmt.Sprint("order", i)))
		if i == 0 {
			want = folder(t, filepath.Join(d.dir, "out/sweep"))
		}
		if len(got) != len(want) {
			t.Errorf("%d files, want %d", len(got), len(want))
		}
		for name := range want {
			if got[name] != want[name] {
				t.Errorf("%s depends on the order", name)
			}
		}
	}
}

// folder has the files of a folder.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}
