package command_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// newTerminal returns both ends of a new terminal. Who writes to it closes its own.
func newTerminal(t *testing.T) (controller, terminal *os.File) {
	t.Helper()
	controller, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { controller.Close() })
	number, err := unix.IoctlGetInt(int(controller.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(controller.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return controller, terminal
}

// A program that asks its terminal, as for a password, has none: it ends by itself, on a
// terminal as without one, and its words are the reason.
func TestProgramsHaveNoTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	asks := write(t, filepath.Join(dir, "asks.sh"), "#!/bin/sh\nexec < /dev/tty || exit 1\nstty -echo\nread password\n")
	if err := os.Chmod(asks, 0o755); err != nil {
		t.Fatal(err)
	}
	controller, terminal := newTerminal(t)
	var text bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&text, controller) // until nobody has the terminal: EIO
	}()
	for _, args := range [][]string{{"energy", "--device", "cpu", "--", asks}, {"run", leavers(t, dir, asks, 500)}} {
		cmd := exec.Command(benchPath, args...)
		cmd.Dir = dir
		cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		hangs := time.AfterFunc(patience, func() { cmd.Process.Kill() })
		cmd.Wait()
		if !hangs.Stop() || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: %v", args[0], cmd.ProcessState)
		}
	}
	terminal.Close()
	<-read
	if n := strings.Count(text.String(), "/dev/tty"); n < 3 { // energy's, and one of each point
		t.Errorf("%d reasons\n%s", n, &text)
	}
	for _, row := range table(t, filepath.Join(dir, "results", "left", "left_time.csv")) {
		if row["status"] != "failed" || !strings.Contains(row["reason"], "/dev/tty") {
			t.Errorf("%v", row)
		}
	}
}
