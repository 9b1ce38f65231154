package command_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestClockBeforeTheProgram: what measures says at its start that the clock is wrong where
// the program's own file is from the future, and the record of a run has it.
func TestClockBeforeTheProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	later := filepath.Join(dir, "later")
	replicate(t, self, later)
	future := time.Now().Add(30 * 24 * time.Hour)
	if err := os.Chtimes(later, future, future); err != nil {
		t.Fatal(err)
	}
	const want = "before this program was made"
	write(t, filepath.Join(dir, "c.json"), `{"algorithm": "fft", "versions": ["reference", "stockham"], "processor": "CPU", "static_args": {"batch_elements": 64}, "sweep_arg": {"N": [64]},
		"sensors": [], "measure": {"ceilings": false, "min_time_s": 0.01, "noise": 0.5, "timeout_s": 0.2, "point_timeout_s": 120}}`)
	for _, args := range [][]string{
		{"run", "c.json", "--device", "cpu", "--out", "run"}, {"ab", "c.json", "--versions", "reference,stockham", "--out", "ab"},
		{"tune", "c.json", "--versions", "stockham", "--device", "cpu", "--strategy", "random", "--budget", "1", "--confirm", "0", "--wisdom", "none", "--out", "tune"},
		{"doctor"},
	} {
		for program, told := range map[string]bool{later: true, self: false} {
			cmd := exec.Command(program, args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), asProgram+"=bench", "BENCH_PLOTS=none")
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil && args[0] != "doctor" {
				t.Errorf("%q: %v\n%s", args, err, out.String())
			}
			if strings.Contains(out.String(), want) != told {
				t.Errorf("%q of %s: want the clock told: %v\n%s", args, filepath.Base(program), told, out.String())
			}
		}
	}
	for _, file := range []string{"run", "ab", "tune"} {
		kept, _ := filepath.Glob(filepath.Join(dir, file+"*", "*.json"))
		found := false
		for _, path := range kept {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(text), want)
		}
		if !found {
			t.Errorf("no file of %s has the warning: %q", file, kept)
		}
	}
}

// replicate copies a program.
func replicate(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
