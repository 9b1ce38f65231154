package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/textfile"
)

// The files of a job's folder on a board.
const (
	jobFile     = "job.json"
	stateFile   = "state.json"
	lockFile    = "lock"
	logFile     = "log"
	pidFile     = "pid"
	programFile = "bench"
	resultsDir  = "results"
)

// LockVariable is the environment variable that names the file that is locked while a
// fleet's run measures on a machine.
const LockVariable = "BENCH_LOCK"

// job is what a board is to run.
type job struct {
	Name string `json:"name"` // of the board
	// Runs are the arguments of each bench run, without --out and --resume.
	Runs []jobRun `json:"runs"`
}

type jobRun struct {
	Prefix string   `json:"prefix"` // of its results' folder
	Args   []string `json:"args"`
}

// The phases of a job.
const (
	Waiting = "waiting" // for the lock: another run measures on the machine
	Running = "running"
	Done    = "done"
	Stopped = "stopped" // its process is gone, and it was not done
)

// State is the state of a job.
type State struct {
	Phase string `json:"phase"`
	// Status is the exit status of the worst run, where it is Done.
	Status int `json:"status"`
	// Reason says why there is no result at all; else empty.
	Reason string `json:"reason,omitempty"`
}

// Start runs the job in dir in a process of its own, which outlives the connection. It
// does nothing for a job that waits, runs or is done. exe are the words that start this
// program.
func Start(dir string, exe []string) error {
	if s, err := stateOf(dir); err != nil || s.Phase == Running || s.Phase == Waiting || s.Phase == Done {
		return err
	}
	log, err := safefile.Open(filepath.Join(dir, logFile), os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	defer log.Close()
	ready, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ready.Close()
	cmd := exec.Command(exe[0], append(exe[1:len(exe):len(exe)], "serve", dir)...)
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = log, log, []*os.File{w}
	linux.Bind(cmd, linux.OwnSession)
	err = cmd.Start()
	w.Close()
	if err != nil {
		return err
	}
	if b, _ := io.ReadAll(ready); string(b) != "ready" {
		var text []byte
		if said, err := os.Open(log.Name()); err == nil {
			text = bounded.Tail(said)
			said.Close()
		}
		return fmt.Errorf("the job did not start: %s", lastLine(text))
	}
	return cmd.Process.Release()
}

// mostWords is the number of bytes of a line that an error repeats.
const mostWords = 1000

// lastLine returns the last line of what a program said, cut where it is long.
func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if len(last) > mostWords {
		last = strings.ToValidUTF8(last[:mostWords], "") + "…"
	}
	return terminal.OneLine(last)
}

// boardName matches the names that New makes from hosts' names.
var boardName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// readJob reads the job that was copied to dir, and refuses one that New cannot have planned.
// A command's words may have line ends.
func readJob(dir string) (j job, err error) {
	text, err := bounded.ReadFile(filepath.Join(dir, jobFile), bounded.MostDocument)
	if err != nil {
		return j, err
	}
	err = bounded.UnmarshalKept(text, &j)
	if err == nil && !boardName().MatchString(j.Name) {
		err = fmt.Errorf("calls the board %q; want letters, digits, _, . and -, the first none of . and -", j.Name)
	}
	if err == nil {
		err = checkRuns(j.Runs)
	}
	if err != nil {
		return j, fmt.Errorf("%s: %w", jobFile, err)
	}
	return j, nil
}

// Serve runs the job in dir once nobody else measures. A signal that ends ctx ends the
// run that is under way, whose results are kept.
func Serve(ctx context.Context, dir string, exe []string) error {
	own, err := safefile.Open(filepath.Join(dir, lockFile), os.O_CREATE)
	if err != nil {
		return err
	}
	defer own.Close()
	if err := safefile.TryLock(own); errors.Is(err, safefile.ErrLocked) {
		return errors.New("the job runs already")
	}
	j, err := readJob(dir)
	if err != nil {
		return err
	}
	if err := safefile.Write(filepath.Join(dir, pidFile), strings.NewReader(strconv.Itoa(os.Getpid()))); err != nil {
		return err
	}
	if err := setState(dir, State{Phase: Waiting}); err != nil {
		return err
	}
	if ready := os.NewFile(3, "ready"); ready != nil {
		fmt.Fprint(ready, "ready")
		ready.Close()
	}
	s := State{Phase: Done}
	machine, err := lockMachine(ctx)
	switch {
	case ctx.Err() != nil:
		s.Status, s.Reason = 130, "stopped while another run measured"
	case err != nil:
		s.Status, s.Reason = 1, err.Error()
	default:
		defer machine.Close()
		if err := setState(dir, State{Phase: Running}); err != nil {
			return err
		}
		// A run ends with the thread that started it, and has the locks until it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		for _, r := range j.Runs {
			s.Status = max(s.Status, runOne(ctx, dir, j, r, exe, own, machine))
			if ctx.Err() != nil {
				break
			}
		}
	}
	return setState(dir, s)
}

// runOne runs one config, which keeps files open, and returns its exit status.
func runOne(ctx context.Context, dir string, j job, r jobRun, exe []string, keeps ...*os.File) int {
	out := filepath.Join(resultsDir, r.Prefix)
	args := append([]string{"run"}, r.Args...)
	args = append(args, "--name", j.Name, "--out", out)
	if fi, err := os.Stat(filepath.Join(dir, out, record.JournalFile)); err == nil && fi.Size() > 0 {
		args = append(args, "--resume")
	}
	cmd := exec.Command(exe[0], append(exe[1:len(exe):len(exe)], args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stdout, os.Stderr
	cmd.ExtraFiles = keeps
	linux.Bind(cmd, linux.OwnGroup|linux.TerminatedWithCaller)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ctx.Done():
		cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	case <-ended:
	}
	if cmd.ProcessState.Success() {
		return 0
	}
	return max(1, cmd.ProcessState.ExitCode()) // -1 where a signal ended it
}

// lockMachine waits until no other fleet's run measures on this machine.
func lockMachine(ctx context.Context) (*os.File, error) {
	path := LockPath()
	// The file may be another user's: it is read, and locked all the same.
	const flags = os.O_RDONLY | linux.O_NOFOLLOW | linux.O_NONBLOCK
	f, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, os.ErrNotExist) {
		f, err = os.OpenFile(path, flags|os.O_CREATE, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("lock against other runs: %w", err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("lock against other runs: %s is not an ordinary file: remove it", path), err, f.Close())
	}
	for {
		err := safefile.TryLock(f)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, safefile.ErrLocked) {
			return nil, errors.Join(fmt.Errorf("lock %s against other runs: %w", path, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// LockPath returns the file that is locked while a fleet's run measures on this machine.
func LockPath() string {
	if path := os.Getenv(LockVariable); path != "" {
		return path
	}
	if linux.Access("/run/lock", linux.W_OK) == nil {
		return "/run/lock/bench.lock"
	}
	return "/tmp/bench.lock"
}

// stateOf returns the state of the job in dir, without a phase if it was never started.
func stateOf(dir string) (State, error) {
	var s State
	err := textfile.ReadJSON(filepath.Join(dir, stateFile), &s)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil || s.Phase == Done {
		return s, err
	}
	f, err := safefile.Open(filepath.Join(dir, lockFile), 0)
	if err != nil {
		return s, err
	}
	defer f.Close()
	if safefile.TryLock(f) == nil {
		s.Phase = Stopped
		// It may have ended since its state was read.
		var now State
		if err := textfile.ReadJSON(filepath.Join(dir, stateFile), &now); err == nil && now.Phase == Done {
			return now, nil
		}
	}
	return s, nil
}

func setState(dir string, s State) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(dir, stateFile), bytes.NewReader(b))
}

// Stop ends the job in dir; its results so far are kept.
func Stop(dir string) error {
	s, err := stateOf(dir)
	if err != nil || s.Phase == Done || s.Phase == Stopped || s.Phase == "" {
		return err
	}
	b, err := bounded.ReadFile(filepath.Join(dir, pidFile), bounded.MostLine)
	if err != nil {
		return err
	}
	var pid int
	if _, err := fmt.Sscan(string(b), &pid); err != nil || pid < 2 {
		return fmt.Errorf("%s holds no process", pidFile)
	}
	return linux.Kill(pid, syscall.SIGTERM)
}
