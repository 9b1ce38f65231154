//go:build !linux

package linux

// Protections returns none: other systems confine nothing.
func Protections() Protection { return Protection{} }

// Isolate fails: other systems confine nothing.
func Isolate() error { return ErrElsewhere }

// Start fails: other systems confine nothing.
func (c *Confinement) Start(func() error) (end func(), err error) { return nil, ErrElsewhere }

// Limit does nothing: nothing is run on other systems.
func Limit(int, Limits) {}
