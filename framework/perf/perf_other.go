//go:build !linux

package perf

import "errors"

// Counter counts nothing on this system.
type Counter struct{ Missing []string }

// Open says that counting needs Linux.
func Open([]string) (*Counter, error) {
	return nil, errors.New("events of a CPU are counted on Linux only")
}

// Names are none.
func (c *Counter) Names() []string { return nil }

// Count counts nothing.
func (c *Counter) Count(do func() error) error { return do() }

// Values are none.
func (c *Counter) Values() ([]float64, error) { return nil, nil }

// Close does nothing.
func (c *Counter) Close() error { return nil }
