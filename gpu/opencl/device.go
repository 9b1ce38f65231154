package opencl

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// Device is one OpenCL device with a context and a queue of its own, which runs commands in order and takes the
// time of each. Its methods, and those of its modules and kernels, are called on one thread at a time. The queue
// is stream 0, the only stream. Aside puts a second queue in its place for a while.
type Device struct {
	l       *Library
	api     *api
	index   int
	id      deviceID
	facts   gpu.Facts
	context context
	queue   queue
	aside   queue     // a second one, which takes no times; 0 until it is needed
	into    queue     // the one of the two that gets the commands
	buffers []*buffer // by their places
	images  map[gpu.ArrayID]gpu.Array
	next    gpu.Pointer
	span    *Span // that records now; may be nil
	event   event // of the last command
	ranges  [6]uintptr
	pattern [16]byte
	args    [9]uintptr // the arguments of call
	closed  bool
}

var (
	_ gpu.Device   = (*Device)(nil)
	_ gpu.Samplers = (*Device)(nil)
)

// open makes a context and a queue.
func (l *Library) open(index int, id deviceID, facts gpu.Facts) (*Device, error) {
	d := &Device{l: l, api: &l.api, index: index, id: id, facts: facts, next: firstPlace}
	failed := func(err error) (*Device, error) {
		return nil, errors.Join(fmt.Errorf("%w: %s (%s) cannot be opened: %w", errNoDevice, d.ID(), facts.Name, err), d.Close())
	}
	if !facts.OpenCL.Compiler {
		return failed(errors.New("its driver has no compiler of OpenCL C"))
	}
	var r Result
	if d.context = d.api.createContext(nil, 1, &id, 0, 0, &r); r != success {
		d.context = 0
		return failed(check("clCreateContext", r))
	}
	if d.queue = d.api.createQueue(d.context, id, queueProfiling, &r); r != success {
		d.queue = 0
		return failed(check("clCreateCommandQueue", r))
	}
	d.into = d.queue
	return d, nil
}

// ID returns "opencl:0", "opencl:1", ….
func (d *Device) ID() string { return ID(d.index) }

// Facts returns what the driver says of the device.
func (d *Device) Facts() gpu.Facts { return d.facts }

// Bind does nothing: a context of OpenCL belongs to no thread.
func (d *Device) Bind() error { return nil }

// Close waits for the queue and releases what the device holds. A second call does nothing.
func (d *Device) Close() error {
	if d.closed {
		return nil
	}
	d.closed = true
	var errs []error
	for _, q := range []queue{d.aside, d.queue} {
		if q != 0 {
			errs = append(errs, check("clReleaseCommandQueue", d.api.releaseQueue(q)))
		}
	}
	for _, b := range d.buffers {
		errs = append(errs, b.release(d.api))
	}
	for id := range d.images {
		errs = append(errs, d.FreeArray(id))
	}
	if d.context != 0 {
		errs = append(errs, check("clReleaseContext", d.api.releaseContext(d.context)))
	}
	return errors.Join(errs...)
}

// call calls a function by address. The arguments go through d's memory, because a slice made for each call
// would be garbage. Pointers among them must be to heap memory that the caller keeps alive.
func (d *Device) call(function uintptr, args ...uintptr) Result {
	n := copy(d.args[:], args)
	r, _, _ := purego.SyscallN(function, d.args[:n]...)
	return Result(int32(r))
}

// Synchronize waits for all commands and reports the queue's errors.
func (d *Device) Synchronize(s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	if d.into != d.queue {
		return d.finish(d.into)
	}
	err := d.finish(d.queue)
	if d.aside != 0 { // after an error its commands may not have been waited for
		err = errors.Join(err, d.finish(d.aside))
	}
	return err
}

func (d *Device) finish(q queue) error {
	return check("clFinish", d.call(d.api.finish, uintptr(q)))
}

// Flush hands the driver all commands that it may still hold back.
func (d *Device) Flush() error { return check("clFlush", d.call(d.api.flush, uintptr(d.into))) }

func only(s gpu.Stream) error {
	if s != 0 {
		return fmt.Errorf("stream %d: an OpenCL device here has one queue, the stream 0", s)
	}
	return nil
}

// Waiter waits for the commands that were queued before Record, without waiting for later ones.
type Waiter struct {
	d     *Device
	event event
}

// NewWaiter makes a Waiter.
func (d *Device) NewWaiter() *Waiter { return &Waiter{d: d} }

// Record queues what Wait waits for.
func (w *Waiter) Record(gpu.Stream) error {
	if err := w.Destroy(); err != nil {
		return err
	}
	if err := check("clEnqueueMarkerWithWaitList", w.d.api.marker(w.d.into, 0, nil, &w.event)); err != nil {
		return err
	}
	return w.d.Flush()
}

// Wait waits for the last Record.
func (w *Waiter) Wait() error {
	if w.event == 0 {
		return nil
	}
	return check("clWaitForEvents", w.d.api.waitForEvents(1, &w.event))
}

// Passed reports whether Wait would return at once.
func (w *Waiter) Passed() (bool, error) {
	if w.event == 0 {
		return true, nil
	}
	var status Result // 0 is a command that ended, a positive one goes on
	err := check("clGetEventInfo", w.d.api.getEventInfo(w.event, eventStatus, 4, unsafe.Pointer(&status), nil))
	if err == nil && status < 0 {
		err = check("a command", status)
	}
	return status <= 0, err
}

// Destroy releases the event of the last Record.
func (w *Waiter) Destroy() error {
	if w == nil || w.event == 0 {
		return nil
	}
	e := w.event
	w.event = 0
	return w.d.release(e)
}

func (d *Device) release(e event) error {
	return check("clReleaseEvent", d.call(d.api.releaseEvent, uintptr(e)))
}

// events returns where a command is to leave its event: nil if nobody wants it.
func (d *Device) events() *event {
	if d.span == nil {
		return nil
	}
	d.event = 0
	return &d.event
}

// done returns the error of a command, and keeps its event where one was wanted.
func (d *Device) done(call string, r Result) error {
	if r != success {
		return check(call, r)
	}
	if d.span != nil {
		return d.span.add(d.event)
	}
	return nil
}

// CopyToDevice copies from host memory and returns when the data has arrived.
func (d *Device) CopyToDevice(dst gpu.Pointer, src unsafe.Pointer, bytes int64) error {
	return d.write(dst, src, bytes, 1)
}

// CopyToDeviceAsync enqueues a copy from host memory.
func (d *Device) CopyToDeviceAsync(dst gpu.Pointer, src unsafe.Pointer, bytes int64, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	return d.write(dst, src, bytes, 0)
}

func (d *Device) write(dst gpu.Pointer, src unsafe.Pointer, bytes int64, blocking uint32) error {
	b, at, err := d.within(dst, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	return d.done("clEnqueueWriteBuffer", d.api.writeBuffer(d.into, b.memory, blocking, at, uintptr(bytes), src, 0, nil, d.events()))
}

// CopyToHost copies to host memory.
func (d *Device) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	return d.read(dst, src, bytes, 1)
}

// CopyToHostAsync enqueues a copy to host memory.
func (d *Device) CopyToHostAsync(dst unsafe.Pointer, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	return d.read(dst, src, bytes, 0)
}

func (d *Device) read(dst unsafe.Pointer, src gpu.Pointer, bytes int64, blocking uint32) error {
	b, at, err := d.within(src, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	return d.done("clEnqueueReadBuffer", d.api.readBuffer(d.into, b.memory, blocking, at, uintptr(bytes), dst, 0, nil, d.events()))
}

// CopyAsync enqueues a copy within the device.
func (d *Device) CopyAsync(dst, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	to, at, err := d.within(dst, bytes)
	if err != nil {
		return err
	}
	from, begin, err := d.within(src, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	return d.done("clEnqueueCopyBuffer", d.api.copyBuffer(d.into, from.memory, to.memory, begin, at, uintptr(bytes), 0, nil, d.events()))
}

// SetAsync enqueues filling memory with value.
func (d *Device) SetAsync(dst gpu.Pointer, value byte, bytes int64, s gpu.Stream) error {
	if err := only(s); err != nil {
		return err
	}
	b, at, err := d.within(dst, bytes)
	if err != nil || bytes == 0 {
		return err
	}
	for i := range d.pattern {
		d.pattern[i] = value
	}
	wide := uintptr(len(d.pattern)) // drivers fill byte by byte if the pattern is a byte
	for at%wide != 0 || uintptr(bytes)%wide != 0 {
		wide /= 2
	}
	r := d.api.fillBuffer(d.into, b.memory, unsafe.Pointer(&d.pattern[0]), wide, at, uintptr(bytes), 0, nil, d.events())
	runtime.KeepAlive(d)
	return d.done("clEnqueueFillBuffer", r)
}

// Alloc returns bytes of uninitialised device memory.
func (d *Device) Alloc(bytes int64) (gpu.Pointer, error) {
	if bytes <= 0 {
		return 0, fmt.Errorf("allocate %s of device memory: the size must be above zero", terminal.Count(bytes, "byte"))
	}
	if most := d.facts.OpenCL.MostAlloc; most > 0 && bytes > most {
		return 0, fmt.Errorf("allocate %d bytes on %s, whose driver allows %d in one buffer (max_alloc_bytes): %w", bytes, d.ID(), most, gpu.ErrOutOfMemory)
	}
	var r Result
	m := d.api.createBuffer(d.context, memoryReadWrite, uintptr(bytes), nil, &r)
	if r != success {
		return 0, fmt.Errorf("allocate %d bytes on %s, which has %d: %w", bytes, d.ID(), d.facts.GlobalBytes, check("clCreateBuffer", r))
	}
	return d.keep(m, bytes), nil
}

// Free frees memory; a zero pointer is ignored.
func (d *Device) Free(p gpu.Pointer) error {
	if p == 0 {
		return nil
	}
	return d.forget(p)
}
