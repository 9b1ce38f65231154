//go:build slurm

package fleet

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bench/framework/record"
)

// The folder of Slurm is that of tools/fetch-test-env slurm; make slurm runs the test.
var tasks = flag.Int("tasks", 6, "tasks of TestSlurm, a third of which something happens to; 1000 take hours")

// TestSlurmPage runs the commands of docs/fleet.md about Slurm as a reader would.
func TestSlurmPage(t *testing.T) {
	c := slurm(t, 1, 1001)
	c.start(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "configs"), os.DirFS("../../configs")); err != nil {
		t.Fatal(err)
	}
	for _, words := range pageCommands(t, "../../docs/fleet.md", "bench fleet") {
		if !strings.Contains(strings.Join(words, " "), "cluster") {
			continue // of boards
		}
		if words[2] == "fetch" {
			c.until(t, "all tasks complete", func() bool {
				out, err := c.bench(dir, "fleet", "status", "results/cluster")
				return err == nil && strings.Contains(out, "1 of 1 tasks complete")
			})
		}
		if out, err := c.bench(dir, words[1:]...); err != nil {
			t.Errorf("%q: %v\n%s", words, err, out)
		}
	}
	if run, err := record.Read(filepath.Join(dir, "results/cluster/fft-small")); err != nil || len(run.Info.Merged) != 1 {
		t.Errorf("%v", err)
	}
}

// bench runs one of bench's commands where Slurm's programs are in PATH.
func (c *cluster) bench(dir string, words ...string) (string, error) {
	cmd := exec.Command(bench, words...)
	cmd.Dir, cmd.Env = dir, c.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestSlurm: tasks, nodes and the controller are killed, tasks are requeued and told of
// their time limit, two submit at once: no finished point is lost and none is there
// twice.
func TestSlurm(t *testing.T) {
	c := slurm(t, 3, max(5, *tasks/2+1))
	c.start(t)
	dir := t.TempDir()
	var sizes []string
	for i := range *tasks {
		sizes = append(sizes, fmt.Sprint(64*(i+1)))
	}
	// A task has two points, of about a second each.
	config := fmt.Sprintf(`{"algorithm": "scan", "processor": "CPU", "sensors": [], "versions": ["parallel"], "static_args": {"N": 64},
		"sweep_arg": {"mode": ["inclusive", "exclusive"], "batch_elements": [%s]},
		"measure": {"ceilings": false, "min_samples": 5, "min_time_s": 1, "noise": 0.9, "timeout_s": 5}}`, strings.Join(sizes, ", "))
	if err := os.WriteFile(filepath.Join(dir, "sweep.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "profile"), []byte("# ours\n--partition=boards\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := c.bench(dir, "fleet", "sweep.json", "--slurm", "--split", "batch_elements", "--profile", "profile", "--sbatch", "--exclusive", "--out", "out")
	if err != nil || strings.Count(out, "a job array of") != 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out/slurm/job-1.sh"))
	if err != nil || !strings.Contains(string(text), "#SBATCH --partition=boards\n#SBATCH --exclusive\n") {
		t.Errorf("%v\n%s", err, text)
	}
	var both sync.WaitGroup
	said := make([]string, 2)
	for i := range said {
		both.Go(func() { said[i], _ = c.bench(dir, "fleet", "--slurm", "--resume", "--out", "out") }) // one may be refused
	}
	both.Wait()
	if n := strings.Count(said[0]+said[1], ": job "); n != 2 {
		t.Errorf("%d arrays are submitted, want each once: %q", n, said)
	}
	g := rand.New(rand.NewPCG(25, uint64(*tasks)))
	for i := range max(4, *tasks/3) {
		c.disturb(t, g, i, dir)
	}
	submitted := 0
	complete := fmt.Sprintf("%d of %d tasks complete, %d results", *tasks, *tasks, 2**tasks)
	c.until(t, "all tasks complete", func() bool {
		out, err = c.bench(dir, "fleet", "status", "out")
		if strings.Contains(out, "not in the queue") && submitted < *tasks { // tasks that were killed outright
			submitted++
			if said, err := c.bench(dir, "fleet", "--slurm", "--resume", "--out", "out"); err != nil {
				t.Logf("%v: %s", err, said)
			}
		}
		return err == nil && strings.Contains(out, complete)
	})
	t.Logf("%d times submitted again", submitted)
	out, err = c.bench(dir, "fleet", "fetch", "out")
	if err != nil || strings.Contains(out, "left out") {
		t.Errorf("%v\n%s", err, out)
	}
	run, err := record.Read(filepath.Join(dir, "out/sweep"))
	if err != nil || len(run.Info.Merged) != *tasks {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := map[string]int{}
	for _, r := range run.Rows {
		if seen[r.Params["batch_elements"].String()+" "+r.Params["mode"].String()]++; r.Status != record.OK {
			t.Errorf("%s %s: %s %s", r.Params["batch_elements"], r.Params["mode"], r.Status, r.Reason)
		}
	}
	for point, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", point, n)
		}
	}
	if len(seen) != 2**tasks {
		t.Errorf("%d points, want %d", len(seen), 2**tasks)
	}
}

// disturb waits for a result and does something to a task that runs, its node or the
// controller, all kinds in turn.
func (c *cluster) disturb(t *testing.T, g *rand.Rand, kind int, dir string) {
	t.Helper()
	var running [][]string
	c.until(t, "a running task", func() bool {
		out, err := c.command("squeue", "--noheader", "--array", "--states=R", "--format=%F_%K %N").Output()
		running = nil
		for line := range strings.Lines(string(out)) {
			if words := strings.Fields(line); len(words) == 2 {
				running = append(running, words)
			}
		}
		if all, _ := c.bench(dir, "fleet", "status", "out"); err == nil && strings.HasPrefix(all, fmt.Sprintf("%d of", *tasks)) {
			return true // too late for any
		}
		return err == nil && len(running) > 0
	})
	if len(running) == 0 {
		return
	}
	task, node := running[g.IntN(len(running))][0], running[g.IntN(len(running))][1]
	switch kind % 4 {
	case 0:
		c.command("scontrol", "requeue", task).Run() // which may have ended
	case 1: // as a minute before the time limit
		c.command("scancel", "--batch", "--signal=TERM", task).Run()
	case 2:
		kill(c.nodes[node])
		c.command("scontrol", "update", "nodename="+node, "state=down", "reason=killed").Run()
		c.node(t, node)
		c.until(t, "the node is back", func() bool {
			c.command("scontrol", "update", "nodename="+node, "state=resume").Run() // refused while it is not down
			out, err := c.command("sinfo", "--noheader", "--nodes="+node, "--format=%t").Output()
			state := strings.TrimSpace(string(out))
			return err == nil && (state == "idle" || state == "alloc" || state == "mix")
		})
	case 3:
		kill(c.controller)
		c.control(t)
		c.until(t, "the controller is back", func() bool { return c.command("squeue").Run() == nil })
	}
}
