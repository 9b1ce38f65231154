package command_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// leaver writes a program that starts three processes that outlive it: one, one in a
// session of its own, and one whose parent has ended, and which has neither its session
// nor its environment. Each writes its number to pids. Then the program does what it is
// told.
func leaver(t *testing.T, dir, then string) (path, pids string) {
	t.Helper()
	path, pids = filepath.Join(dir, "leaver.sh"), filepath.Join(dir, "pids")
	sleeper := write(t, filepath.Join(dir, "sleeper.sh"), "#!/bin/sh\necho $$ >> '"+pids+"'\nexec sleep 600\n")
	if err := os.Chmod(sleeper, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, path, fmt.Sprintf(`#!/bin/sh
: >> '%[2]s'
before=$(wc -l < '%[2]s')
'%[1]s' &
setsid '%[1]s' &
(setsid env -i /bin/sh -c '"$0" & exit' '%[1]s')
while [ $(wc -l < '%[2]s') -lt $((before + 3)) ]; do sleep 0.01; done
for pid in $(tail -n 3 '%[2]s'); do while ! grep -q '^sleep$' /proc/$pid/comm; do sleep 0.01; done; done
%[3]s
`, sleeper, pids, then))
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path, pids
}

// living are the processes of a file of numbers that have not ended.
func living(t *testing.T, pids string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(text)) {
		if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && strings.Contains(string(stat), "sleep") && !strings.Contains(string(stat), ") Z ") {
			list = append(list, pid)
		}
	}
	return list
}

// counts is what a program prints.
const counts = `echo '{"time_s":1e-3,"flops":1,"load_bytes":1,"store_bytes":1,"error":0,"error_bound":1}'`

// What a program leaves has ended before the next is measured, and is named, whatever
// ended the program.
func TestLeftProcessesAreEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then, status, note string
		seconds            int
	}{
		"its end":              {counts, "ok", "ended 6 processes that the program left: ", 60},
		"its failure":          {`[ "$2" = 1 ] && exit 3; ` + counts, "failed", "ended 3 processes that the program left: ", 60},
		"its time":             {`[ "$2" = 1 ] && sleep 600; ` + counts, "timeout", "", 3},
		"its worker is killed": {`[ "$2" = 1 ] && kill -9 $PPID && sleep 600; ` + counts, "failed", "that the worker left: ", 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, pids := leaver(t, dir, c.then)
			config := leavers(t, dir, path, c.seconds)
			status, out, errOut := execute(t, dir, benchPath, "run", config)
			if left := living(t, pids); len(left) > 0 {
				t.Errorf("status %d, processes %v are left\n%s%s", status, left, out, errOut)
			}
			rows := table(t, filepath.Join(dir, "results", "left", "left_time.csv"))
			if len(rows) != 2 || rows[0]["status"] != c.status || c.seconds > 3 && rows[1]["status"] != "ok" || !strings.Contains(rows[0]["notes"], c.note) || c.note != "" && !strings.Contains(rows[0]["notes"], "sleep (pid ") {
				t.Errorf("%v\n%s%s", rows, out, errOut)
			}
		})
	}
}

// leavers is a config of a program for two points.
func leavers(t *testing.T, dir, path string, seconds int) string {
	t.Helper()
	return write(t, filepath.Join(dir, "left.json"), fmt.Sprintf(`{"executable": %q, "output_file_prefix": "left", "sweep_arg": {"--x": [1, 2]},
		"run_arg": {"one": ["--r", 1], "many": ["--r", 1]}, "sensors": [], "measure": {"ceilings": false, "timeout_s": %d, "point_timeout_s": 600}}`, path, seconds))
}

// leaving starts a verb whose program has left three processes, in dir.
func leaving(t *testing.T, dir, verb string) (cmd *exec.Cmd, pids string) {
	t.Helper()
	path, pids := leaver(t, dir, "touch ready; sleep 600")
	args := []string{"run", leavers(t, dir, path, 600)}
	if verb == "energy" {
		args = []string{"energy", "--device", "cpu", "--", path}
	}
	cmd = exec.Command(benchPath, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	until(t, "the program", func() bool { _, err := os.Stat(filepath.Join(dir, "ready")); return err == nil })
	if n := len(living(t, pids)); n != 3 {
		t.Fatalf("%d processes", n)
	}
	return cmd, pids
}

// What a program started ends with this one, and with its worker, whatever ends these.
func TestLeftProcessesEndWithTheProgram(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"run", "energy"} {
		for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
			for _, stopped := range []bool{false, true} {
				if stopped && (verb == "energy" || sig != syscall.SIGKILL) {
					continue
				}
				t.Run(fmt.Sprint(verb, sig, stopped), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					cmd, pids := leaving(t, dir, verb)
					if worker := children(t, cmd.Process.Pid); stopped {
						pid, err := strconv.Atoi(worker)
						if err != nil {
							t.Fatal(err)
						}
						syscall.Kill(pid, syscall.SIGSTOP)
					}
					cmd.Process.Signal(sig)
					if cmd.Wait(); sig != syscall.SIGKILL {
						if left := living(t, pids); len(left) > 0 {
							t.Errorf("processes %v are left", left)
						}
					}
					until(t, "the end of what the program started", func() bool { return len(living(t, pids)) == 0 })
					until(t, "the removal of the worker's folder", func() bool {
						left, _ := filepath.Glob(filepath.Join(dir, "bench-worker-*"))
						return len(left) == 0
					})
				})
			}
		}
	}
}

// What a program started ends, too, where parent and worker are killed in the same moment, so
// that neither adopts it, or one after the other, while it is ending what there is.
func TestLeftProcessesEndWithParentAndWorker(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"run", "energy"} {
		for i := range 10 {
			workerFirst, between := i%2 == 1, time.Duration(i/2)*time.Millisecond
			t.Run(fmt.Sprint(verb, workerFirst, between), func(t *testing.T) {
				t.Parallel()
				cmd, pids := leaving(t, t.TempDir(), verb)
				worker, err := strconv.Atoi(children(t, cmd.Process.Pid))
				if err != nil {
					t.Fatal(err)
				}
				both := []int{cmd.Process.Pid, worker}
				if workerFirst {
					slices.Reverse(both)
				}
				for i, pid := range both {
					if i > 0 && between > 0 {
						time.Sleep(between)
					}
					if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !(between > 0 && errors.Is(err, syscall.ESRCH)) {
						t.Fatal(err)
					}
				}
				cmd.Wait()
				until(t, "the end of what the program started", func() bool { return len(living(t, pids)) == 0 })
			})
		}
	}
}

// What a program started lives on where parent, worker and watcher are killed together. It ends when
// the next program of a config starts, where it has a control group, which an ordinary user may not make.
func TestLeftProcessesEndWithTheNextRun(t *testing.T) {
	cmd, pids := leaving(t, t.TempDir(), "run")
	controlled := false
	for _, pid := range living(t, pids) {
		groups, err := os.ReadFile("/proc/" + pid + "/cgroup")
		controlled = controlled || err == nil && strings.Contains(string(groups), "/bench-")
	}
	worker, err := strconv.Atoi(children(t, cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var watchers []int
	for _, pid := range strings.Fields(children(t, worker)) {
		if line, err := os.ReadFile("/proc/" + pid + "/cmdline"); err == nil && strings.Contains(string(line), "\x00watch\x00") {
			n, _ := strconv.Atoi(pid)
			watchers = append(watchers, n)
		}
	}
	if len(watchers) != 1 {
		t.Fatalf("watchers %v", watchers)
	}
	for _, pid := range append(watchers, cmd.Process.Pid, worker) {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	cmd.Wait()
	if n := len(living(t, pids)); n < 2 { // one is of the program's group
		t.Errorf("%d processes are left, of 3", n)
	}
	dir := t.TempDir()
	path, own := leaver(t, dir, counts)
	status, out, errOut := execute(t, dir, benchPath, "run", leavers(t, dir, path, 60))
	left, mine := living(t, pids), living(t, own)
	if status != 0 || len(mine) > 0 || (len(left) > 0) == controlled {
		t.Errorf("status %d, processes %v and %v are left, in a control group: %t\n%s%s", status, left, mine, controlled, out, errOut)
	}
	for _, pid := range left {
		if n, err := strconv.Atoi(pid); err == nil {
			if group, err := syscall.Getpgid(n); err == nil { // also of what is not in the list
				syscall.Kill(-group, syscall.SIGKILL)
			}
		}
	}
}

// until waits until something is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s does not come", what)
		}
	}
}

// A point during which everything stood still is measured again.
func TestStoppedProgramIsMeasuredAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "slow.sh"), "#!/bin/sh\n[ -e ready ] || { touch ready; sleep 1; }\n"+counts+"\n")
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(benchPath, "run", leavers(t, dir, path, 600))
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	until(t, "the program", func() bool { _, err := os.Stat(filepath.Join(dir, "ready")); return err == nil })
	worker, err := strconv.Atoi(children(t, cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		for _, pid := range []int{cmd.Process.Pid, worker} {
			if err := syscall.Kill(pid, sig); err != nil {
				t.Fatal(err)
			}
		}
		if sig == syscall.SIGSTOP {
			time.Sleep(7 * time.Second) // more than a busy machine makes it wait
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if rows := table(t, filepath.Join(dir, "results", "left", "left_time.csv")); len(rows) != 2 || rows[0]["status"] != "ok" || !strings.Contains(rows[0]["notes"], "measured again: everything stood still for ") {
		t.Errorf("%v", rows)
	}
}

// What a command leaves is named in its report.
func TestEnergyNamesWhatIsLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, pids := leaver(t, dir, "exit 0")
	status, out, errOut := execute(t, dir, benchPath, "energy", "--json", "--device", "cpu", "--", path)
	if left := living(t, pids); status != 0 || len(left) > 0 || !strings.Contains(out, " processes that the program left: ") {
		t.Errorf("status %d, %v left\n%s%s", status, left, out, errOut)
	}
}
