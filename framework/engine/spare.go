package engine

import (
	"strings"
	"sync"
)

// Spare starts a worker and opens its GPU ahead of the engine that will need it (Options.Spare), so
// that consecutive requests need not wait. An engine may return the worker of a GPU.
type Spare struct {
	// Apart is set if the code that a CPU runs is a candidate's (Options.Apart).
	Apart bool

	mutex sync.Mutex
	ready map[string]chan *process // by device; nil for one that could not be started
}

// Ready begins to start a worker for a device, unless there is one. That disturbs measurements in
// progress. A nil Spare starts none.
func (s *Spare) Ready(device string) {
	if s == nil || Prefixed() {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.ready[device] != nil {
		return
	}
	if s.ready == nil {
		s.ready = map[string]chan *process{}
	}
	started := make(chan *process, 1)
	s.ready[device] = started
	go func() {
		gpu := strings.HasPrefix(device, "cuda:")
		begin := func() (*process, error) { return start(nil, nil) }
		if s.Apart && !gpu {
			begin = func() (*process, error) { return startApart(nil) }
		}
		p, err := begin()
		if err == nil && gpu {
			// Whoever needs the device reports that it cannot be opened.
			if rep, failed := p.ask(request{Op: "device", Device: device}, probeTimeout, nil, func(*reply) {}); failed != nil || rep.Error != "" {
				p.kill()
				p = nil
			}
		}
		started <- p
	}()
}

// take returns the worker for a device and gives up its ownership, or returns nil if there is none.
func (s *Spare) take(device string) *process {
	if s == nil {
		return nil
	}
	s.mutex.Lock()
	started := s.ready[device]
	delete(s.ready, device)
	s.mutex.Unlock()
	if started == nil {
		return nil
	}
	p := <-started
	if p != nil && p.gone() {
		p.close()
		return nil
	}
	return p
}

// give takes over the idle worker of an engine, with its GPU open, and reports whether it does.
func (s *Spare) give(device string, p *process) bool {
	if s == nil || p.keeper != nil || p.gone() || !strings.HasPrefix(device, "cuda:") {
		return false
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.ready[device] != nil {
		return false
	}
	if s.ready == nil {
		s.ready = map[string]chan *process{}
	}
	ready := make(chan *process, 1)
	ready <- p
	s.ready[device] = ready
	return true
}

// Close ends the workers that were not taken.
func (s *Spare) Close() {
	if s == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for device, started := range s.ready {
		if p := <-started; p != nil {
			p.close()
		}
		delete(s.ready, device)
	}
}
