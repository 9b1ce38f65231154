package opencl

import (
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
)

// Foreign lets another library queue commands. call gets the queue, and where to leave the event of its last command; nil
// if nobody wants it. A library reports no event of its first command: a marker before it begins the Span if nothing else did.
func (d *Device) Foreign(call func(queue uintptr, last *uintptr) error) error {
	if d.span != nil && d.span.first == 0 {
		if err := d.done("clEnqueueMarkerWithWaitList", d.api.marker(d.into, 0, nil, d.events())); err != nil {
			return err
		}
	}
	last := (*uintptr)(unsafe.Pointer(d.events()))
	if err := call(uintptr(d.into), last); err != nil || last == nil {
		return err
	}
	return d.span.add(d.event)
}

// Context returns the context (cl_context), for another library.
func (d *Device) Context() uintptr { return uintptr(d.context) }

// Buffer returns the buffer (cl_mem) that begins at a place, for another library.
func (d *Device) Buffer(p gpu.Pointer) (uintptr, error) {
	m, err := d.argument(p)
	return uintptr(m), err
}

// Foreign returns the error of another library's call; nil for 0. names are the library's own results; all others are OpenCL's.
func Foreign(call string, result int32, names map[int32]string) error {
	if name := names[result]; name != "" {
		return fmt.Errorf("%s: %s", call, name)
	}
	return check(call, Result(result))
}
