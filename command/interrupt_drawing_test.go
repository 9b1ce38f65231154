package command_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptedDrawing starts bench, stops it as soon as a file is there and sends it the
// signal. It is the test's to choose a file after which much is still to be drawn: not
// yet drawn has to be missing then. It returns the exit status, which comes while
// nothing else is drawn.
func interruptedDrawing(t *testing.T, sig syscall.Signal, dir, begun, missing string, args ...string) (status int, output string) {
	t.Helper()
	cmd := exec.Command(benchPath, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), drawing...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	defer func() {
		cmd.Process.Kill()
		<-ended
	}()
	for deadline := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, begun)); err == nil {
			break
		}
		select {
		case <-ended:
			t.Fatalf("ended before %s was there\n%s", begun, &out)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("no %s after %v", begun, patience)
		}
	}
	cmd.Process.Signal(syscall.SIGSTOP)
	if _, err := os.Stat(filepath.Join(dir, missing)); err == nil {
		t.Fatalf("all was drawn before it could be interrupted: %s is there", missing)
	}
	cmd.Process.Signal(sig)
	cmd.Process.Signal(syscall.SIGCONT)
	select {
	case <-ended:
	case <-time.After(patience):
		t.Fatalf("%v does not end it", sig)
	}
	if _, err := os.Stat(filepath.Join(dir, missing)); err == nil {
		t.Errorf("it drew on until %s", missing)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, filepath.Dir(begun), ".*")); len(left) > 0 {
		t.Errorf("it left %q", left)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// A signal ends a verb while it draws. What was measured is complete.
func TestInterruptWhileDrawing(t *testing.T) {
	const figures = 60
	var words []string
	for i := range figures {
		words = append(words, fmt.Sprintf("%q", fmt.Sprintf("w%02d", i)))
	}
	all := strings.Join(words, ", ")
	last := fmt.Sprintf("p_time_w%02d.pdf", figures-1)
	config := func(dir string) string {
		script := write(t, filepath.Join(dir, "p.sh"), "#!/bin/sh\necho '{\"time_s\": 1e-3, \"flops\": 2000, \"load_bytes\": 16000, \"store_bytes\": 8000}'\n")
		if err := os.Chmod(script, 0o755); err != nil {
			t.Fatal(err)
		}
		return write(t, filepath.Join(dir, "p.json"), `{"executable": "./p.sh", "kernel_name": "p", "output_file_prefix": "p", "sensors": [], "sweep_arg": [["--n", [1, 2]], ["--word", [`+all+`]]]}`)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			status, out := interruptedDrawing(t, sig, dir, "out/figures/p_time_w00.svg", "out/figures/"+last, "run", config(dir), "--out", "out", "--quiet")
			if status != 130 || !strings.Contains(out, "plots: interrupted; bench plot out draws them") {
				t.Errorf("run: status %d, want 130\n%s", status, out)
			}
			if rows := table(t, filepath.Join(dir, "out", "p_time.csv")); len(rows) != 2*figures {
				t.Errorf("%d rows", len(rows))
			}
			status, out = interruptedDrawing(t, sig, dir, "out/paper/p_time_w00.svg", "out/paper/"+last, "plot", "out", "--for", "paper")
			if status != 130 {
				t.Errorf("plot: status %d, want 130\n%s", status, out)
			}
			if status, out, errOut := execute(t, dir, benchPath, "run", "p.json", "--out", "out", "--resume", "--quiet"); status != 0 {
				t.Errorf("resumed: status %d\n%s%s", status, out, errOut)
			}
		})
	}
}
