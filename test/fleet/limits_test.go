//go:build slurm

package fleet

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/record"
)

// one is a cluster of one node, on which a config of so many points that take seconds
// each is to run.
func one(t *testing.T, points int, seconds float64) (*cluster, *disturbance) {
	t.Helper()
	c := slurm(t, 1, 1001)
	dir := t.TempDir()
	var sizes []string
	for i := range points {
		sizes = append(sizes, fmt.Sprint(64*(i+1)))
	}
	config := fmt.Sprintf(`{"algorithm": "scan", "processor": "CPU", "sensors": [], "versions": ["parallel"], "static_args": {"N": 64},
		"sweep_arg": {"batch_elements": [%s]}, "measure": {"ceilings": false, "min_samples": 5, "min_time_s": %g, "noise": 0.9, "timeout_s": 60}}`, strings.Join(sizes, ", "), seconds)
	if err := os.WriteFile(filepath.Join(dir, "sweep.json"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	return c, &disturbance{cluster: c, dir: dir, kept: make([]map[string]bool, 1), complete: make([]bool, 1)}
}

// whole fails unless the task has each point once, and what was seen of it.
func (d *disturbance) whole(t *testing.T, points int) {
	t.Helper()
	lines := d.resultLines(0)
	run, err := record.ReadJournal(filepath.Dir(d.journal(0)))
	if err != nil || len(lines) != points || len(run.Results) != points {
		t.Fatalf("%d lines, want %d results: %v", len(lines), points, err)
	}
	for _, r := range run.Results {
		if r.Status != record.OK {
			t.Errorf("%s: %s %s", r.Point.Settings(), r.Status, r.Reason)
		}
	}
	for line := range d.kept[0] {
		if !strings.Contains(strings.Join(lines, ""), line) {
			t.Errorf("a finished result is lost: %.300s", line)
		}
	}
}

// TestSlurmTimeLimit: a task that has less time than it needs is told so by Slurm, queues
// up again, and goes on.
func TestSlurmTimeLimit(t *testing.T) {
	c, d := one(t, 12, 7)
	c.start(t)
	out, err := c.bench(d.dir, "fleet", "sweep.json", "--slurm", "--submit", "--sbatch", "--time=2", "--out", "out")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.until(t, "the task complete", func() bool {
		lines := d.resultLines(0)
		d.look()
		return len(lines) == 12 && d.stuck()
	})
	d.whole(t, 12)
	log, err := os.ReadFile(filepath.Join(c.dir, "state/ctld.log"))
	if n := strings.Count(string(log), "Requeuing JobId="); err != nil || n == 0 || strings.Contains(string(log), "TIMEOUT") {
		t.Errorf("requeued %d times, %v\n%s", n, err, log)
	}
}

// TestSlurmFullDisk: a task whose disk is full fails, says so, and goes on once there is
// room.
func TestSlurmFullDisk(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	const points = 60
	c, d := one(t, points, 0.02)
	tasks := filepath.Join(d.dir, "out/tasks")
	if err := os.MkdirAll(tasks, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "none", tasks).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", tasks).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	c.start(t) // which now see it
	ballast := filepath.Join(tasks, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 4<<20-48<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := c.bench(d.dir, "fleet", "sweep.json", "--slurm", "--submit", "--out", "out")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.until(t, "the task's end", d.stuck)
	d.look()
	log, err := os.ReadFile(filepath.Join(d.dir, "out/slurm/task-0.log"))
	if n := len(d.kept[0]); err != nil || n == 0 || n == points || !strings.Contains(string(log), "no space left on device") {
		t.Fatalf("%d results, %v\n%s", n, err, log)
	}
	if out, err := c.bench(d.dir, "fleet", "status", "out"); err != nil || !strings.Contains(out, "0 of 1 task complete") || !strings.Contains(out, "1 not in the queue") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if out, err := c.bench(d.dir, "fleet", "--slurm", "--resume", "--out", "out"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.until(t, "the task complete", func() bool { return len(d.resultLines(0)) == points && d.stuck() })
	d.whole(t, points)
}
