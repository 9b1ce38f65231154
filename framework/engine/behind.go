package engine

import (
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"bench/linux"
)

// behind is the priority of a process whose threads run where no others want to: as nice(1)
// has it, so that on a busy machine it gets a tenth of what others get, and not nothing.
const behind = 10

// startBehind launches a worker whose threads give way to others.
func startBehind() (*process, error) {
	p, err := start(nil, prefix())
	if err == nil {
		// A thread that another is starting just then has that one's priority of before.
		for range 3 {
			_ = linux.Setpriority(linux.PRIO_PGRP, p.group, behind)
			time.Sleep(time.Millisecond)
		}
	}
	return p, err
}

// hold stops the processes of a worker, or lets them go on.
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

// standing is for how long hold has stopped a worker.
func (p *process) standing() time.Duration {
	if p.heldSince.IsZero() {
		return p.held
	}
	return p.held + time.Since(p.heldSince)
}

// waited is for how long a process was ready and had no CPU: the longest of its threads, as
// they wait at the same time; 0 where it is not known.
func waited(pid int) time.Duration {
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return 0
	}
	var most uint64
	for _, t := range threads {
		if s, err := t.Schedstat(); err == nil { // else it has ended
			most = max(most, s.WaitingNanoseconds)
		}
	}
	return time.Duration(most)
}
