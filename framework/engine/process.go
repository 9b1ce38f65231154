package engine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// errTimeout is what ask returns when the worker did not answer in time.
var errTimeout = errors.New("timed out")

// process is a running worker. It is used by one goroutine.
type process struct {
	in      io.WriteCloser
	end     func() // ends it at once, with everything it started
	replies chan *reply
	tail    *tail
	exited  chan struct{}
	exit    error // valid once exited is closed
}

// follow makes a process of a worker that answers on out; wait waits for its
// end.
func follow(in io.WriteCloser, out io.ReadCloser, said *tail, end func(), wait func() error) *process {
	p := &process{in: in, end: end, replies: make(chan *reply, 16), tail: said, exited: make(chan struct{})}
	go p.read(out, wait)
	return p
}

// start launches a worker: this program's own executable with the argument
// "worker", after the words of the environment variable BENCH_WORKER_PREFIX
// if that is set (an emulator, compute-sanitizer, taskset, …).
func start() (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	words := append(strings.Fields(os.Getenv("BENCH_WORKER_PREFIX")), self, "worker")
	cmd := exec.Command(words[0], words[1:]...)
	// A separate process group keeps the terminal's Ctrl-C for the parent,
	// which then ends the worker.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{w}
	err = cmd.Start()
	w.Close()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("start the worker process: %w", err)
	}
	end := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return follow(in, out, said, end, cmd.Wait), nil
}

// read delivers the worker's replies and, when they end, its exit.
func (p *process) read(out io.ReadCloser, wait func() error) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		r := new(reply)
		if err := json.Unmarshal(line, r); err != nil {
			r = &reply{Error: "the worker's answer is not readable: " + err.Error()}
		}
		p.replies <- r
	}
	out.Close()
	p.exit = wait()
	close(p.exited)
	close(p.replies)
}

// ask sends one request and returns the final reply; progress replies go to
// progress. Without an answer in time the error is errTimeout; if the worker
// died, the error says how. After an error the process cannot be used again.
func (p *process) ask(r request, timeout time.Duration, cancel <-chan struct{}, progress func(*reply)) (*reply, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		<-p.exited
		return nil, p.death()
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		select {
		case rep, ok := <-p.replies:
			if !ok {
				return nil, p.death()
			}
			if rep.final() {
				return rep, nil
			}
			progress(rep)
		case <-timer.C:
			return nil, errTimeout
		case <-cancel:
			return nil, ErrInterrupted
		}
	}
}

// death says how the worker ended: its signal or exit status, and the last
// line it wrote.
func (p *process) death() error {
	<-p.exited
	how := "the worker process ended"
	var exit *exec.ExitError
	if errors.As(p.exit, &exit) {
		status, ok := exit.Sys().(syscall.WaitStatus)
		switch {
		case ok && status.Signaled() && status.Signal() == syscall.SIGKILL:
			how = "the worker process was killed (out of memory?)"
		case ok && status.Signaled():
			how = "the worker process died of " + status.Signal().String()
		default:
			how = fmt.Sprintf("the worker process ended with status %d", exit.ExitCode())
		}
	}
	if why := p.tail.reason(); why != "" {
		return fmt.Errorf("%s: %s", how, why)
	}
	return errors.New(how)
}

// kill ends the worker and everything it started, and waits for it.
func (p *process) kill() {
	p.end()
	p.in.Close()
	for range p.replies {
	}
}

// close makes an idle worker end by itself.
func (p *process) close() {
	p.in.Close()
	select {
	case <-p.exited:
	case <-time.After(5 * time.Second):
	}
	p.kill()
}

// tail keeps the first and last kilobytes of what the worker wrote: a Go crash
// gives its cause first, a C library last.
type tail struct {
	mu          sync.Mutex
	first, last []byte
}

const tailBytes = 8 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := tailBytes - len(t.first); room > 0 {
		t.first = append(t.first, b[:min(room, len(b))]...)
	}
	t.last = append(t.last, b...)
	if len(t.last) > 2*tailBytes {
		t.last = append(t.last[:0], t.last[len(t.last)-tailBytes:]...)
	}
	return len(b), nil
}

// reason is the line that explains a death: Go's own crash line if there is
// one, else the last line written.
func (t *tail) reason() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range strings.Split(string(t.first), "\n") {
		for _, crash := range []string{"SIGSEGV", "SIGBUS", "fatal error:", "unexpected fault"} {
			if strings.Contains(l, crash) {
				return strings.TrimSpace(l)
			}
		}
	}
	lines := strings.Split(strings.TrimSpace(string(t.last)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
