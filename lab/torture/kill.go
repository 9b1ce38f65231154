//go:build linux

package main

import (
	"math"
	"syscall"
	"time"
)

// kill ends, stops and continues processes of a piece of work at random moments,
// and starts it again until it is done.
func kill(s *scene, n *counts) error {
	w := works[s.rng.IntN(len(works))]
	if err := s.host.undisturbed(w, verb{}.environment); err != nil {
		return err
	}
	resumable := w.table != ""
	// What is killed often costs little beside the one time that it is completed.
	for range 6 {
		args := w.args
		if resumable && s.exists(w.folder, "journal.jsonl") {
			args = append(append([]string{}, args...), "--resume")
		}
		before := s.results(w)
		c, err := s.start(args...)
		if err != nil {
			return err
		}
		sent := s.signals(c, n, w.took)
		s.finish(c)
		s.alone()
		for key, lines := range before {
			if now := s.results(w)[key]; len(now) != 1 || now[0] != lines[0] {
				s.failf("a finished result is lost or was changed: %s", key)
			}
		}
		if !sent || s.rng.IntN(4) == 0 {
			break
		}
	}
	if w.name == "modes" && s.rng.IntN(2) == 0 {
		if err := s.restored(); err != nil {
			return err
		}
	}
	if err := s.complete(w, s.kills); err != nil {
		return err
	}
	return s.restored()
}

// signals sends one to three signals to what takes about so long undisturbed, and
// reports whether any found its process.
func (s *scene) signals(c *started, n *counts, took time.Duration) (sent bool) {
	for range 1 + s.rng.IntN(3) {
		// Most of what can go wrong is at starts, ends and writes, so short and
		// long waits are as likely; half of the signals come at any time.
		pause := time.Duration(float64(5*time.Millisecond) * math.Exp2(9.5*s.rng.Float64()))
		if s.rng.IntN(2) == 0 {
			pause = time.Duration(s.rng.Int64N(int64(took)))
		}
		whom, what := s.rng.IntN(3), s.rng.IntN(8)
		still := time.Duration(s.rng.IntN(400)) * time.Millisecond
		select {
		case <-c.ended:
			return sent
		case <-time.After(pause):
		}
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGKILL, syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGSTOP, syscall.SIGSTOP}[what]
		targets, name := []int{c.Process.Pid}, "parent"
		switch whom {
		case 1:
			targets, name = s.workers(), "worker"
		case 2:
			targets, name = s.processes(), "all"
		}
		hit := false
		for _, pid := range targets {
			if syscall.Kill(pid, signal) == nil {
				hit = true
			}
		}
		if !hit {
			continue
		}
		sent = true
		n.add(signal.String() + " " + name)
		if signal != syscall.SIGSTOP {
			s.kills++
			n.Kills++
			s.sigkill = s.sigkill || signal == syscall.SIGKILL
			continue
		}
		time.Sleep(still)
		for _, pid := range targets {
			syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	return sent
}
