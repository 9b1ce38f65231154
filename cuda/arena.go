package cuda

import "errors"

// Arena is device memory that is freed as one. The zero value with a Device
// is ready.
type Arena struct {
	Device Device
	held   []Pointer
}

// Alloc is the device's Alloc.
func (a *Arena) Alloc(bytes int64) (Pointer, error) {
	p, err := a.Device.Alloc(bytes)
	if err == nil {
		a.held = append(a.held, p)
	}
	return p, err
}

// Free frees all that Alloc gave.
func (a *Arena) Free() error {
	var errs []error
	for _, p := range a.held {
		errs = append(errs, a.Device.Free(p))
	}
	a.held = nil
	return errors.Join(errs...)
}
