package opencl

import (
	"errors"
	"fmt"
	"unsafe"
)

// Span holds the device's times of the commands that are queued between Record and End.
type Span struct {
	d           *Device
	first, last event
	// Commands is the number of commands.
	Commands int
}

// Record begins a Span. There is one at a time.
func (d *Device) Record() *Span {
	d.span = &Span{d: d}
	return d.span
}

// add keeps the event of a command: only those of the first and the last one are kept.
func (s *Span) add(e event) error {
	s.Commands++
	if e == 0 {
		return errors.New("the driver gave a command no event")
	}
	if s.first == 0 {
		s.first = e
		return nil
	}
	old := s.last
	s.last = e
	if old != 0 {
		return s.d.release(old)
	}
	return nil
}

// End ends the recording.
func (s *Span) End() {
	if s.d.span == s {
		s.d.span = nil
	}
}

// Stamps are the times of a Span, in nanoseconds by the driver's clock.
type Stamps struct {
	// Queued and Submit are those of the last command.
	Queued, Submit uint64
	// Start is the first command's and End the last one's.
	Start, End uint64
}

var errNoCommand = errors.New("no command was recorded")

// ending returns the event of the last command; 0 if there was none.
func (s *Span) ending() event {
	if s.last != 0 {
		return s.last
	}
	return s.first
}

// Stamps returns the times. All commands must have ended. A driver without times returns an error.
func (s *Span) Stamps() (t Stamps, err error) {
	last := s.ending()
	if last == 0 {
		return t, errNoCommand
	}
	for _, x := range []struct {
		to   *uint64
		of   event
		what uint32
	}{{&t.Queued, last, profilingQueued}, {&t.Submit, last, profilingSubmit}, {&t.Start, s.first, profilingStart}, {&t.End, last, profilingEnd}} {
		call := fmt.Sprintf("clGetEventProfilingInfo 0x%x", x.what)
		if err := check(call, s.d.api.profilingInfo(x.of, x.what, 8, unsafe.Pointer(x.to), nil)); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Release releases what the Span holds.
func (s *Span) Release() error {
	s.End()
	var errs []error
	for _, e := range []*event{&s.first, &s.last} {
		if *e != 0 {
			errs = append(errs, s.d.release(*e))
			*e = 0
		}
	}
	return errors.Join(errs...)
}
