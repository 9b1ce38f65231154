package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
)

// errTimeout is what ask returns when the worker did not answer in time.
var errTimeout = errors.New("timed out")

const (
	// drainTime is how long to wait for the output of a process that ended, or that closed its
	// answers. Its children may hold its pipes open for ever.
	drainTime = time.Second
	// endTime is how long an idle worker may take to end by itself, and a killed one to be gone. A
	// process in a driver's call cannot be killed.
	endTime = 5 * time.Second
	// mostEnding is how long a process may be ending, as far as the kernel tells.
	mostEnding = 30 * time.Second
)

// process is a running worker. It is used by one goroutine.
type process struct {
	in   io.WriteCloser
	out  io.ReadCloser
	tail *tail
	end  func()       // ends it at once, with everything it started
	wait func() error // waits for its end
	most int          // bytes of an answer

	keeper *process               // of a confined worker, else nil
	why    atomic.Pointer[string] // reason why it was ended before its answer; nil if it was not

	group int   // process group; 0: this process's own
	base  int64 // memory before its first point

	// lost returns the time that does not count against a request's limit. If it is nil, all time
	// counts.
	lost      func() time.Duration
	held      time.Duration // stopped by hold
	heldSince time.Time

	asked   uint64 // requests
	replies chan *reply
	exited  chan struct{}
	exit    error           // valid once exited is closed
	left    []linux.Process // processes that it left, since ended; valid once exited is closed
}

// follow starts to read the worker's answers and to wait for its end.
func (p *process) follow() *process {
	p.replies, p.exited = make(chan *reply, 16), make(chan struct{})
	if p.most == 0 {
		p.most = bounded.MostAnswer
	}
	go p.read()
	go func() {
		p.exit = p.wait()
		close(p.exited)
		time.AfterFunc(drainTime, func() {
			if l, ok := p.out.(*leftover); ok {
				l.Ended()
			} else {
				p.out.Close()
			}
		})
	}()
	return p
}

// read delivers the worker's replies until they end or make no sense.
func (p *process) read() {
	defer close(p.replies)
	defer p.out.Close()
	for lines := bounded.NewLines(p.out, "", p.most); ; {
		line, err := lines.Read()
		if errors.Is(err, bounded.ErrBeyond) {
			p.replies <- &reply{bad: fmt.Errorf("the worker's answer has more than %d bytes", p.most)}
			return
		}
		if err != nil {
			return
		}
		r := new(reply)
		if err := bounded.Unmarshal(line, r); err != nil {
			p.replies <- &reply{bad: fmt.Errorf("the worker's answer is not readable: %w", err)}
			return
		}
		p.replies <- r
	}
}

// ask sends one request and returns the final reply. Progress replies go to progress. Without an
// answer in time the error is errTimeout. If the worker died or sent something else, the error says
// how. After an error the process cannot be used again.
func (p *process) ask(r request, timeout time.Duration, cancel <-chan struct{}, progress func(*reply)) (*reply, error) {
	p.asked++
	r.Number = p.asked
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	// A worker that reads nothing blocks the writing of a long request.
	written := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(line, '\n'))
		written <- err
	}()
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	// Time in which this process did not run does not count either.
	lost := func() time.Duration {
		all := stood.until(time.Now())
		if p.lost != nil {
			all += p.lost()
		}
		return all
	}
	before := lost()
	var answer *reply
	for {
		select {
		case err := <-written:
			if err != nil {
				return nil, p.death()
			}
			written = nil
		case rep, ok := <-p.replies:
			if !ok && answer != nil {
				return answer, nil // it ended before the request was known to be written
			}
			if !ok {
				return nil, p.death()
			}
			if err := p.refuse(rep); err != nil {
				return nil, err
			}
			if answer != nil {
				return nil, errors.New("the worker answered twice")
			}
			if !rep.final() {
				progress(rep)
				continue
			}
			answer = rep
		case <-timer.C:
			if now := lost(); now > before {
				timer.Reset(now - before)
				before = now
				continue
			}
			// This process may have been stopped for longer than the limit,
			// while the worker went on.
			if late := p.kill(); late != nil {
				answer = late
			}
			if answer == nil {
				return nil, errTimeout
			}
			return answer, nil
		case <-cancel:
			return nil, ErrInterrupted
		}
		if answer != nil && written == nil {
			return answer, nil
		}
	}
}

// refuse returns why a reply does not answer the current request.
func (p *process) refuse(r *reply) error {
	switch {
	case r.bad != nil:
		return r.bad
	case r.Number != p.asked:
		return fmt.Errorf("the worker answered request %d, not request %d", r.Number, p.asked)
	}
	return nil
}

// gone reports whether the worker has ended.
func (p *process) gone() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// ends waits for the worker's end, at most within, and reports whether it ended.
func (p *process) ends(within time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(within):
		return false
	}
}

// signal sends a signal to the worker and everything it started, unless it is this process or has
// ended.
func (p *process) signal(s syscall.Signal) {
	if p.group != 0 && !p.gone() {
		linux.Kill(-p.group, s) //nolint:errcheck // it may end meanwhile
		linux.Signal(p.group, s)
	}
}

// remains describes what an ended worker left; empty for nothing.
func (p *process) remains() string {
	if p == nil || !p.gone() {
		return ""
	}
	return linux.Left(p.left, "the worker")
}

// death returns how the worker ended: its signal or exit status, and the last line that it wrote.
func (p *process) death() error {
	// The end of a large process takes long on a busy machine; the kernel knows whether it has begun.
	for waited := time.Duration(0); !p.ends(drainTime); waited += drainTime {
		if waited >= mostEnding || p.group == 0 || !linux.Ending(p.group) {
			return errors.New("the worker process closed its pipes and did not end")
		}
	}
	if why := p.why.Load(); why != nil {
		return errors.New("the worker process was ended: " + *why)
	}
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
	if os.Getenv("GOTRACEBACK") != "" { // somebody debugs this program
		fmt.Fprintln(os.Stderr, p.tail.text())
	}
	if why := p.tail.reason(); why != "" {
		return fmt.Errorf("%s: %s", how, why)
	}
	return errors.New(how)
}

// kill ends the worker and everything it started, and waits for its end, except for what cannot be
// killed. It returns the answer to the current request if that was still unread.
func (p *process) kill() (answer *reply) {
	p.end()
	p.in.Close()
	stuck := time.After(endTime)
	for {
		select {
		case rep, more := <-p.replies:
			if !more {
				p.ends(endTime)
				return answer
			}
			if p.refuse(rep) == nil && rep.final() {
				answer = rep
			}
		case <-stuck:
			p.out.Close()
			return answer
		}
	}
}

// close makes an idle worker end by itself.
func (p *process) close() {
	p.in.Close()
	p.ends(endTime)
	p.kill()
}
