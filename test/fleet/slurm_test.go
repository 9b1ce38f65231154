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
	"testing"

	"example.org/bench/framework/record"
)

// The folder of Slurm is that of tools/fetch-test-env slurm; make slurm runs the test.
var (
	tasks  = flag.Int("tasks", 6, "tasks of TestSlurm; something happens to a third of as many")
	events = flag.String("events", "", "file for what happens in TestSlurm, as CSV")
)

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
				return err == nil && strings.Contains(out, "1 of 1 task complete")
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

// taskPoints is how many points a task of TestSlurm has.
const taskPoints = 4

// TestSlurm: tasks, nodes and the controller are killed, tasks are requeued and told of
// their time limit, two submit at once: no finished point is lost and none is there
// twice, and the merged run is the same in any order.
func TestSlurm(t *testing.T) {
	c := slurm(t, max(3, min(8, *tasks/4)), max(5, *tasks/2+1))
	c.start(t)
	dir := t.TempDir()
	var sizes []string
	for i := range *tasks {
		sizes = append(sizes, fmt.Sprint(128*(i+1)))
	}
	config := fmt.Sprintf(`{"algorithm": "scan", "processor": "CPU", "sensors": [], "versions": ["parallel"],
		"sweep_arg": {"N": [64, 128], "mode": ["inclusive", "exclusive"], "batch_elements": [%s]},
		"measure": {"ceilings": false, "min_samples": 5, "min_time_s": 0.05, "noise": 0.9, "timeout_s": 5}}`, strings.Join(sizes, ", "))
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
	d := &disturbance{cluster: c, dir: dir, random: rand.New(rand.NewPCG(25, uint64(*tasks))), kinds: map[string]int{},
		kept: make([]map[string]bool, *tasks), complete: make([]bool, *tasks), out: c.events(t)}
	if n := d.submit(t); n != 2 {
		t.Errorf("%d arrays are submitted, want each once", n)
	}
	d.run(t, max(5, *tasks/3))
	complete := fmt.Sprintf("%d of %d tasks complete, %d results\n", *tasks, *tasks, taskPoints**tasks)
	if out, err = c.bench(dir, "fleet", "status", "out"); err != nil || out != complete {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = c.bench(dir, "fleet", "fetch", "out", "--no-plots")
	if err != nil || strings.Contains(out, "left out") {
		t.Errorf("%v\n%s", err, out)
	}
	d.compare(t)
	d.merge(t)
	log, err := os.ReadFile(filepath.Join(c.dir, "state/ctld.log"))
	t.Logf("%d tasks, %d results, %d of them of points given up as the task was killed twice during them; %v; %d requeued by Slurm, %d starts of the controller, %d arrays submitted, %d of them anew; %v",
		*tasks, len(d.lines), d.givenUp, d.kinds, strings.Count(string(log), "Requeuing JobId="), strings.Count(string(log), "started on cluster"), d.arrays, d.arrays-2, err)
}
