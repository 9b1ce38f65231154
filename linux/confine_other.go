//go:build !linux

package linux

// Protections finds nothing: elsewhere nothing is confined.
func Protections() Protection { return Protection{} }

// Isolate fails: elsewhere nothing is confined.
func Isolate() error { return ErrElsewhere }

// Start fails: elsewhere nothing is confined.
func (c *Confinement) Start(func() error) (end func(), err error) { return nil, ErrElsewhere }

// Limit does nothing: elsewhere nothing runs.
func Limit(int, Limits) {}
