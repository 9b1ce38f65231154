package command_test

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

var updateScreens = flag.Bool("screens", false, "write the screens in testdata/screens anew; look at them")

// screen returns what a command shows on a terminal of so many columns, without colours.
func screen(t *testing.T, columns int, args ...string) string {
	t.Helper()
	controller, terminal := newTerminal(t)
	if err := unix.IoctlSetWinsize(int(controller.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(&text, controller) // until nobody has the terminal: EIO
	}()
	cmd := exec.Command(benchPath, args...)
	cmd.Dir = ".." // results are named as on the pages
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err := cmd.Run()
	terminal.Close()
	<-read
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text.String())
	}
	return strings.ReplaceAll(text.String(), "\r\n", "\n")
}

// TestScreens holds what verbs show of published results on a narrow, an ordinary and a wide terminal: no line is longer
// than the terminal, but for commands to be copied.
func TestScreens(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"versions":    {"compare", "results/epyc-fft", "--by", "version"},
		"power-modes": {"compare", "results/literature/tx2-mode0", "results/literature/tx2-mode3", "results/literature/tx2-mode4", "--by", "power_mode"},
		"why":         {"why", "results/h200-bicubic", "--versions", "v5"},
		"list":        {"list", "scan"},
	} {
		for _, columns := range []int{40, 80, 200} {
			t.Run(fmt.Sprintf("%s/%d", name, columns), func(t *testing.T) {
				got := screen(t, columns, args...)
				for line := range strings.Lines(got) {
					if n := len([]rune(strings.TrimRight(line, "\n"))); n > columns {
						t.Errorf("%d columns in %d: %s", n, columns, line)
					}
				}
				if name == "why" { // as the compiler's release has it
					return
				}
				golden := filepath.Join("testdata", "screens", fmt.Sprintf("%s-%d.txt", name, columns))
				if *updateScreens {
					if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("shows\n%s\nwant (go test ./command -run Screens -screens writes it anew)\n%s", got, want)
				}
			})
		}
	}
}
