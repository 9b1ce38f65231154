package engine

import (
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"example.org/bench/internal/linux"
)

// behind is the nice value (nice(1)) of a process whose threads run when no others want to. On a
// busy machine it gets a tenth of the CPU time that others get, and not nothing.
const behind = 10

// startBehind launches a worker whose threads give way to others.
func startBehind() (*process, error) {
	p, err := start(nil, prefix())
	if err == nil {
		// A thread that another one is just starting still has that one's earlier priority.
		for range 3 {
			_ = linux.Setpriority(linux.PRIO_PGRP, p.group, behind)
			time.Sleep(time.Millisecond)
		}
	}
	return p, err
}

// hold stops the processes of a worker, or continues them.
func (p *process) hold(stopped bool) {
	if stopped {
		p.heldSince = time.Now()
		p.signal(syscall.Signal(linux.SIGSTOP))
		return
	}
	p.signal(syscall.Signal(linux.SIGCONT))
	p.held += time.Since(p.heldSince)
	p.heldSince = time.Time{}
}

// standing returns for how long hold has stopped a worker.
func (p *process) standing() time.Duration {
	if p.heldSince.IsZero() {
		return p.held
	}
	return p.held + time.Since(p.heldSince)
}

// waited returns how long a process was ready but had no CPU: the longest wait of its threads,
// since they wait at the same time; 0 if unknown.
func waited(pid int) time.Duration {
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return 0
	}
	var most uint64
	for _, t := range threads {
		if s, err := t.Schedstat(); err == nil { // an error: it has ended
			most = max(most, s.WaitingNanoseconds)
		}
	}
	return time.Duration(most)
}
