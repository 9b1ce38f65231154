package fleet

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// standIns puts programs into PATH that are shell scripts.
func standIns(t *testing.T, scripts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return dir
}

// quiet says nothing.
func quiet(string, ...any) {}

// TestScriptsAreSplitAndRun: MaxArraySize is respected, and a script, run as Slurm would,
// starts its task's run: anew, and then with --resume. What test/fleet's Slurm does to it
// needs one.
func TestScriptsAreSplitAndRun(t *testing.T) {
	there := standIns(t, map[string]string{"scontrol": "echo 'MaxArraySize            = 2'"})
	args := filepath.Join(there, "args")
	program := filepath.Join(there, "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >>"+args+"\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a cluster's")
	a, err := NewArray(context.Background(), dir, ArrayPlan{Program: program, Options: []string{"--gres=gpu:1"}, Concurrent: 7,
		Configs: []PlannedConfig{{Path: "/c/fft.json", Prefix: "fft", Flags: []string{"--seed", "1"}}}, Parts: [][]string{{"N=64", "N=it's", "N=256"}}}, quiet)
	if err != nil || len(a.Scripts) != 2 || len(a.Scripts[0].Tasks) != 2 || len(a.Scripts[1].Tasks) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	script := filepath.Join(dir, scriptsDir, "job-1.sh")
	text, err := os.ReadFile(script)
	if err != nil || !strings.Contains(string(text), "#SBATCH --array=0-1%7\n") || !strings.Contains(string(text), "#SBATCH --gres=gpu:1\n") {
		t.Errorf("%v\n%s", err, text)
	}
	run := func(task string) int {
		cmd := exec.Command(script)
		cmd.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID="+task, "SLURMD_NODENAME=node7")
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	}
	first := run("1")
	journal := filepath.Join(a.folder(1), "journal.jsonl")
	if err := os.MkdirAll(filepath.Dir(journal), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, []byte(`{"crc32c":"00000000","started":{}}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if second, none := run("1"), run("5"); first != 3 || second != 3 || none != 2 {
		t.Errorf("statuses %d, %d, %d", first, second, none)
	}
	said, err := os.ReadFile(args)
	want := "run /c/fft.json --seed 1 --set N=it's%s --out " + a.folder(1) + " --name node7\n"
	if got := string(said); err != nil || got != strings.Replace(want, "%s", "", 1)+strings.Replace(want, "%s", " --resume", 1) {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestSubmitStopsAtALimit: what Slurm takes no more of is submitted later, and nothing
// twice.
func TestSubmitStopsAtALimit(t *testing.T) {
	there := standIns(t, map[string]string{"scontrol": "echo 'MaxArraySize = 1'", "squeue": "echo '101 0 PENDING'",
		"sbatch": `if [ -e "$0.taken" ] && [ ! -e "$0.free" ]; then echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2; exit 1; fi
			if [ -e "$0.taken" ]; then echo 102; else echo '101;cluster'; fi; touch "$0.taken"; echo "$2" >>"$0.log"`})
	dir := t.TempDir()
	plan := ArrayPlan{Program: "/bin/true", Configs: []PlannedConfig{{Path: "a.json", Prefix: "a"}, {Path: "b.json", Prefix: "b"}}}
	a, err := NewArray(context.Background(), dir, plan, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Submit(context.Background()); err == nil || !strings.Contains(err.Error(), "job-2.sh is not submitted: sbatch: error: QOSMaxSubmitJobPerUserLimit") {
		t.Errorf("%v", err)
	}
	// What is no number is not kept: the file would be refused ever after.
	submits, err := os.ReadFile(filepath.Join(there, "sbatch"))
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{"", "; echo 7", "-7", "7 8", "see\\n::error::x"} {
		if err := os.WriteFile(filepath.Join(there, "sbatch"), []byte("#!/bin/sh\nprintf -- '"+answer+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := a.Submit(context.Background()); err == nil || !strings.Contains(err.Error(), "job-2.sh: sbatch answered ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", answer, err)
		}
	}
	if err := os.WriteFile(filepath.Join(there, "sbatch"), submits, 0o755); err != nil {
		t.Fatal(err)
	}
	if a, err = OpenArray(dir, quiet); err != nil || a.Scripts[0].Job != "101" || a.Scripts[1].Job != "" {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := os.WriteFile(filepath.Join(there, "sbatch.free"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := a.Submit(context.Background()); err != nil || a.Scripts[1].Job != "102" || len(a.Scripts) != 2 {
		t.Errorf("%+v, %v", a.Scripts, err)
	}
	lines, complete := a.Report(context.Background())
	if text := strings.Join(lines, "\n"); complete || text != "0 of 2 tasks complete, 0 results; 1 not in the queue; 1 pending" {
		t.Errorf("%q", text)
	}
	// The second is in the queue no more: its task is submitted anew, the first is not.
	if err := a.Submit(context.Background()); err != nil || len(a.Scripts) != 3 || a.Scripts[2].Tasks[0] != 1 {
		t.Errorf("%+v, %v", a.Scripts, err)
	}
}

// TestHeldTasks: status tells a task that waits from one that Slurm holds; that which it
// holds after a start that failed is released, and one that a person holds is not.
func TestHeldTasks(t *testing.T) {
	there := standIns(t, map[string]string{"sbatch": "echo 7",
		"scontrol": `case $1 in release) echo "$2" >>"$0.log";; *) echo 'MaxArraySize = 9';; esac`,
		"squeue":   `printf '7 0 PENDING Resources\n7 1 PENDING launch failed requeued held\n7 2 PENDING JobHeldUser\n7 3 RUNNING None\n'`})
	dir := t.TempDir()
	var configs []PlannedConfig
	for _, name := range []string{"a", "b", "c", "d"} {
		configs = append(configs, PlannedConfig{Path: name + ".json", Prefix: name})
	}
	a, err := NewArray(context.Background(), dir, ArrayPlan{Program: "/bin/true", Configs: configs}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first submits
		if err := a.Submit(context.Background()); err != nil || len(a.Scripts) != 1 {
			t.Fatalf("%+v, %v", a.Scripts, err)
		}
	}
	lines, _ := a.Report(context.Background())
	if text := strings.Join(lines, "\n"); text != "0 of 4 tasks complete, 0 results; 2 held; 1 pending; 1 running" {
		t.Errorf("%q", text)
	}
	if released, err := os.ReadFile(filepath.Join(there, "scontrol.log")); err != nil || string(released) != "7_1\n" {
		t.Errorf("released: %q, %v", released, err)
	}
}
