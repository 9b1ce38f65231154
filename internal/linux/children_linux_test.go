package linux

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// endingOf has this program say whether a process is ending, instead of testing.
const endingOf = "BENCH_TEST_ENDING_OF"

func TestMain(m *testing.M) {
	if pid, err := strconv.Atoi(os.Getenv(endingOf)); err == nil {
		fmt.Print(Ending(pid))
		return
	}
	if err := Adopt(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// shell runs a script to its end.
func shell(ctx context.Context, script string, most Limits) (left []Process, said string, err error) {
	var out bytes.Buffer
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Minute
	left, err = Run(ctx, cmd, most)
	return left, out.String(), err
}

// What a command leaves, wherever it went, is ended and named; what holds the command's
// output open keeps nobody waiting.
func TestRunEndsWhatIsLeft(t *testing.T) {
	for script, n := range map[string]int{
		"exit 0": 0, "sleep 600 &": 1, "setsid sleep 600 &": 1, "(setsid env -i sleep 600 &) ; sleep 600 &": 2,
	} {
		begin := time.Now()
		left, said, err := shell(t.Context(), script, Limits{})
		if err != nil || len(left) != n || time.Since(begin) > time.Minute {
			t.Errorf("%s: %v, %v after %v\n%s", script, left, err, time.Since(begin), said)
		}
		for _, p := range left {
			if _, err := os.Stat(fmt.Sprint("/proc/", p.PID)); err == nil {
				t.Errorf("%s: %v, %v", script, p, err)
			}
		}
	}
	if list := children(os.Getpid()); len(list) != 0 {
		t.Errorf("children %v", list)
	}
}

// A command whose time is up ends with all that it started.
func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ready := filepath.Join(t.TempDir(), "ready")
	go func() {
		for {
			if _, err := os.Stat(ready); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if _, said, err := shell(ctx, "setsid sleep 600 & (setsid sleep 600 &); touch '"+ready+"'; wait; sleep 600", Limits{}); err == nil {
		t.Errorf("%s", said)
	}
	if list := children(os.Getpid()); len(list) != 0 {
		t.Errorf("children %v", list)
	}
}

// Children that were started otherwise, or by Start, are not orphans.
func TestOwnChildrenAreNoOrphans(t *testing.T) {
	plain := exec.Command("sleep", "600")
	Bind(plain, OwnGroup)
	if err := plain.Start(); err != nil {
		t.Fatal(err)
	}
	own := exec.Command("sleep", "600")
	if err := Start(own); err != nil {
		t.Fatal(err)
	}
	left, _, err := shell(t.Context(), "setsid sleep 600 &", Limits{})
	if err != nil || len(left) != 1 || left[0].PID == plain.Process.Pid || left[0].PID == own.Process.Pid {
		t.Errorf("%v, %v", left, err)
	}
	for _, cmd := range []*exec.Cmd{plain, own} {
		if err := unix.Kill(cmd.Process.Pid, 0); err != nil {
			t.Error(err)
		}
		cmd.Process.Kill()
		cmd.Wait()
	}
	Ended(own)
}

// A command has no terminal.
func TestCommandsHaveNoTerminal(t *testing.T) {
	if _, said, err := shell(t.Context(), "true < /dev/tty", Limits{}); err == nil || !strings.Contains(said, "/dev/tty") {
		t.Errorf("%v %s", err, said)
	}
	out, err := Output(t.Context(), exec.Command("cat", "/proc/self/stat"), Limits{})
	if f := strings.Fields(string(out)); err != nil || len(f) < 6 || f[0] != f[5] {
		t.Errorf("%s %v", out, err)
	}
}

// Limits hold for what a command starts, too.
func TestLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	// The limits come when the command has started.
	_, said, err := shell(t.Context(), "while [ $(ulimit -f) = unlimited ]; do :; done; head -c 2000000 /dev/zero > '"+path+"'", Limits{FileBytes: 1 << 20})
	if info, failed := os.Stat(path); failed != nil || info.Size() > 1<<20 || err == nil {
		t.Errorf("%v %v\n%s", err, failed, said)
	}
}

// Long lists are cut.
func TestLeft(t *testing.T) {
	for _, c := range []struct {
		n    int
		want string
	}{{0, ""}, {1, "ended 1 process that the program left: p (pid 1)"}, {2, "ended 2 processes that the program left: p (pid 1), p (pid 2)"},
		{9, "ended 9 processes that the program left: p (pid 1), p (pid 2), p (pid 3), p (pid 4), p (pid 5), …"}} {
		var list []Process
		for i := range c.n {
			list = append(list, Process{i + 1, "p"})
		}
		if got := Left(list, "the program"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A watcher ends what has its mark, wherever it went, when its input ends, and nothing else.
func TestWatcherEndsWhatIsMarked(t *testing.T) {
	mark := uint64(leastMark + 12345)
	dir := t.TempDir()
	begin := func(soft uint64) (pids []int) {
		t.Helper()
		var before unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_LOCKS, &before); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprint(soft))
		cmd := exec.Command("/bin/sh", "-c", `for way in "" setsid "setsid env -i"; do $way /bin/sh -c 'echo $$ >>"$0"; exec sleep 600' "$0" & done; wait`, file)
		Bind(cmd, OwnSession)
		if err := unix.Setrlimit(unix.RLIMIT_LOCKS, &unix.Rlimit{Cur: soft, Max: before.Max}); err != nil {
			t.Fatal(err)
		}
		err := cmd.Start()
		if err := unix.Setrlimit(unix.RLIMIT_LOCKS, &before); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { EndTree(cmd.Process.Pid); cmd.Wait(); EndOrphans() })
		for len(pids) < 3 {
			text, _ := os.ReadFile(file) // not there yet
			pids = numbers(text)
		}
		return pids
	}
	marked, other := begin(mark), begin(mark+1)
	in, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("/proc/self/exe", watchWord, fmt.Sprint(mark))
	cmd.Stdin = in
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if got := markOf(cmd.Process.Pid); got != watcherMark {
		t.Errorf("the watcher's own mark is %d", got)
	}
	left := func(pids []int) (n int) {
		for _, pid := range pids {
			if s, err := statOf(pid); err == nil && s.state != "Z" {
				n++
			}
		}
		return n
	}
	if left(marked) != 3 {
		t.Error("it did not wait")
	}
	held.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if n, others := left(marked), left(other); n != 0 || others != 3 {
		t.Errorf("of its own %d are left, of others %d", n, others)
	}
}

// TestEnding: a process that was killed and not awaited has ended, one that sleeps has not.
func TestEnding(t *testing.T) {
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if Ending(cmd.Process.Pid) || Ending(os.Getpid()) {
		t.Error("a process that lives has begun to end")
	}
	cmd.Process.Kill()
	for start := time.Now(); !Ending(cmd.Process.Pid); time.Sleep(time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatal("a killed process has not begun to end")
		}
	}
	if cmd.Wait(); !Ending(cmd.Process.Pid) {
		t.Error("a process that is gone has not begun to end")
	}
}

// TestEndingConfined: a confined process, which may not look at others, takes its living parent for no ending one,
// and what is gone for gone.
func TestEndingConfined(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	for pid, want := range map[int]string{os.Getpid(): "false", gone.Process.Pid: "true"} {
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", endingOf, pid))
		said, err := Output(t.Context(), cmd, Limits{Within: &Confinement{Run: []string{self}, Write: []string{"/dev/null"}}})
		if err != nil || string(said) != want {
			t.Errorf("ending: %q, %v; want %s", said, err, want)
		}
	}
}
