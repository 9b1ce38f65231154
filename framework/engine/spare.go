package engine

import (
	"strings"
	"sync"
)

// Spare starts a worker ahead of the engine that will need it (Options.Spare), and opens its
// GPU, so that who asks one question after the other does not wait for either. A worker is
// given away once: no two candidates share a process.
type Spare struct {
	// Apart is set where code that a CPU runs is a candidate's (Options.Apart).
	Apart bool

	mutex sync.Mutex
	ready map[string]chan *process // by device; one that could not be started is nil
}

// Ready begins to start a worker for a device, unless one is there. What is measured meanwhile
// would be disturbed. A Spare that is nil starts none.
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
			// That it cannot be opened is said by who needs it.
			if rep, failed := p.ask(request{Op: "device", Device: device}, probeTimeout, nil, func(*reply) {}); failed != nil || rep.Error != "" {
				p.kill()
				p = nil
			}
		}
		started <- p
	}()
}

// take gives the worker for a device away; nil: there is none.
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

// Close ends the workers that nobody took.
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
