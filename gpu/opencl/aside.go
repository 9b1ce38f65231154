package opencl

import (
	"errors"
	"unsafe"
)

// Aside sends the commands that follow to a second queue, which does not time them. They wait for the commands of the Span.
// NVIDIA's driver spends some 4 µs of the device's time on timing a command, whether or not anybody asks for the times.
func (d *Device) Aside(after *Span) error {
	if d.aside == 0 {
		var r Result
		if d.aside = d.api.createQueue(d.context, d.id, 0, &r); r != success {
			d.aside = 0
			return check("clCreateCommandQueue", r)
		}
	}
	if err := d.Flush(); err != nil { // another queue may wait for ever for a command that was not flushed
		return err
	}
	last := after.ending()
	if last == 0 {
		return errNoCommand
	}
	d.into = d.aside
	return d.follow(last)
}

// Back sends the commands that follow to the first queue again. They wait for those of the second.
func (d *Device) Back() error {
	if d.into == d.queue {
		return nil
	}
	var last event
	err := check("clEnqueueMarkerWithWaitList", d.api.marker(d.into, 0, nil, &last))
	if err == nil {
		err = d.Flush()
	}
	d.into = d.queue
	if last == 0 {
		return err
	}
	if err == nil {
		err = d.follow(last)
	}
	return errors.Join(err, d.release(last))
}

// follow makes the queue's later commands wait for a command of the other queue.
func (d *Device) follow(e event) error {
	return check("clEnqueueBarrierWithWaitList", d.api.barrier(d.into, 1, unsafe.Pointer(&e), nil))
}
