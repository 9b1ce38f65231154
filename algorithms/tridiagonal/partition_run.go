package tridiagonal

import (
	"errors"
	"fmt"
	"math/bits"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

// streamer is a device that has more streams than the runner's.
type streamer interface {
	NewStream() (gpu.Stream, error)
	DestroyStream(gpu.Stream) error
}

// pinner is a device that can copy from and to host memory while it computes.
type pinner interface {
	AllocHost(bytes int64) (*driver.HostMemory, error)
}

// partition is version "partition" or "recursive" at one point.
type partition struct {
	gpuRun
	splitting splitting
	levels    []level

	parts  []arrays // of each level, and last of the interface that is left
	reduce []gpu.Kernel
	solve  []gpu.Kernel // back substitution
	whole  gpu.Kernel
	last   partKernel

	streams []gpu.Stream
	host    hostInterface
}

func (s *partition) PreRun() (err error) {
	if err := s.open(); err != nil {
		return err
	}
	s.transfer(s.data)
	s.parts = []arrays{s.data}
	for _, l := range s.levels {
		v, err := s.newArrays(2 * l.parts)
		if err != nil {
			return err
		}
		s.parts = append(s.parts, v)
	}
	compiled := map[partKernel][]gpu.Kernel{}
	for _, l := range s.levels {
		k := compiled[l.kernel]
		if k == nil {
			if k, err = s.Kernels(l.kernel.source(false)); err != nil {
				return err
			}
			compiled[l.kernel] = k
		}
		s.reduce, s.solve = append(s.reduce, k[0]), append(s.solve, k[1])
	}
	if !s.splitting.device {
		if err := s.makeStreams(); err != nil {
			return err
		}
		s.AtPostRun(s.host.close)
		return s.host.open(s.Device, interfaceRows(s.levels), s.p.Double)
	}
	s.last = wholeKernel(s.p.Double, interfaceRows(s.levels))
	s.whole, err = s.Kernel(s.last.source(true))
	return err
}

// makeStreams makes the streams asked for; a device without any (the
// simulator) does everything on the runner's.
func (s *partition) makeStreams() error {
	d, ok := s.Device.(streamer)
	if !ok || s.splitting.streams == 1 {
		for range s.splitting.streams {
			s.streams = append(s.streams, s.Env.Stream)
		}
		return nil
	}
	for range s.splitting.streams {
		x, err := d.NewStream()
		if err != nil {
			return err
		}
		s.streams = append(s.streams, x)
		s.AtPostRun(func() error { return d.DestroyStream(x) })
	}
	return nil
}

// reduceLevel enqueues stage 1 of level i for parts first … last-1.
func (s *partition) reduceLevel(i, first, last int, stream gpu.Stream) error {
	l, v, to := s.levels[i], s.parts[i], s.parts[i+1]
	return s.reduce[i].Launch(stream, l.kernel.launch(last-first), v.a, v.b, v.c, v.d, to.a, to.b, to.c, to.d,
		int64(l.n), int64(first), int64(last))
}

// substituteLevel enqueues stage 3.
func (s *partition) substituteLevel(i, first, last int, stream gpu.Stream) error {
	l, v, from := s.levels[i], s.parts[i], s.parts[i+1]
	return s.solve[i].Launch(stream, l.kernel.launch(last-first), v.a, v.b, v.c, v.d, from.x, v.x,
		int64(l.n), int64(first), int64(last))
}

func (k partKernel) launch(parts int) gpu.Launch {
	systems := k.threads / k.team
	return gpu.Launch{Grid: gpu.Dim3{X: (parts + systems - 1) / systems}, Block: gpu.Dim3{X: k.threads}, SharedBytes: k.sharedBytes()}
}

func (s *partition) Run() error {
	if !s.splitting.device {
		return s.runWithHost()
	}
	stream := s.Env.Stream
	for i, l := range s.levels {
		if err := s.reduceLevel(i, 0, l.parts, stream); err != nil {
			return err
		}
	}
	v := s.parts[len(s.levels)]
	shape := gpu.Launch{Block: gpu.Dim3{X: s.last.threads}, SharedBytes: s.last.sharedBytes()}
	if err := s.whole.Launch(stream, shape, v.a, v.b, v.c, v.d, v.x, int64(interfaceRows(s.levels))); err != nil {
		return err
	}
	for i := len(s.levels) - 1; i >= 0; i-- {
		if err := s.substituteLevel(i, 0, s.levels[i].parts, stream); err != nil {
			return err
		}
	}
	return nil
}

// runWithHost waits for the device before and after stage 2. The streams
// share the parts of the first level; levels between run on the runner's.
func (s *partition) runWithHost() error {
	d := s.Device
	if err := d.Synchronize(s.Env.Stream); err != nil {
		return err
	}
	n, last := len(s.streams), len(s.levels)
	direct := last == 1 // the interface of the first level goes to the host
	share := func(k int) (first, end int) { return k * s.levels[0].parts / n, (k + 1) * s.levels[0].parts / n }
	each := func(f func(first, end int, stream gpu.Stream) error) error {
		for k, stream := range s.streams {
			if first, end := share(k); first < end {
				if err := f(first, end, stream); err != nil {
					return err
				}
			}
		}
		return nil
	}
	wait := func() error {
		var errs []error
		for _, stream := range append(s.streams, s.Env.Stream) {
			errs = append(errs, d.Synchronize(stream))
		}
		return errors.Join(errs...)
	}
	err := each(func(first, end int, stream gpu.Stream) error {
		if err := s.reduceLevel(0, first, end, stream); err != nil || !direct {
			return err
		}
		return s.host.fetch(d, s.parts[1], 2*first, 2*end, stream)
	})
	if err = errors.Join(err, wait()); err != nil {
		return err
	}
	for i := 1; i < last; i++ {
		if err := s.reduceLevel(i, 0, s.levels[i].parts, s.Env.Stream); err != nil {
			return err
		}
	}
	if !direct {
		if err := errors.Join(s.host.fetch(d, s.parts[last], 0, interfaceRows(s.levels), s.Env.Stream), wait()); err != nil {
			return err
		}
	}
	s.host.solve()
	if !direct {
		if err := s.host.send(d, s.parts[last], 0, interfaceRows(s.levels), s.Env.Stream); err != nil {
			return err
		}
	}
	for i := last - 1; i > 0; i-- {
		if err := s.substituteLevel(i, 0, s.levels[i].parts, s.Env.Stream); err != nil {
			return err
		}
	}
	if !direct {
		if err := wait(); err != nil {
			return err
		}
	}
	err = each(func(first, end int, stream gpu.Stream) error {
		if direct {
			if err := s.host.send(d, s.parts[1], 2*first, 2*end, stream); err != nil {
				return err
			}
		}
		return s.substituteLevel(0, first, end, stream)
	})
	return errors.Join(err, wait())
}

// Verify counts a level of elimination for the rows of a thread, one for every
// doubling of the threads, in each level of the partition, and as many for
// what solves the last interface.
func (s *partition) Verify() ([]framework.Check, error) { return s.verify(s.data.x, s.eliminations()) }

func (s *partition) VerifyFast() ([]framework.Check, error) {
	return s.verifyFast(s.data.x, s.eliminations())
}

// eliminations is how many levels the longest way through a system has.
func (s *partition) eliminations() int {
	levels := 1
	for _, l := range s.levels {
		levels += bits.Len(uint(l.kernel.team))
	}
	if s.splitting.device {
		levels += bits.Len(uint(s.last.team)) - 1
	}
	return levels
}

// Work counts kernels and the host's stage 2; what crosses between device and
// host is counted where the device loads and stores it.
func (s *partition) Work() framework.Work {
	w := s.p.Nominal()
	element := s.p.realBytes()
	for _, l := range s.levels {
		k := l.kernel
		like := shape{n: k.team * k.equations, P: k.equations, radix: 2, shuffle: true, double: s.p.Double}
		threads := int64(l.parts) * int64(k.team)
		merging := like.steps() * like.growFLOPs()
		inner := like.eliminateFLOPs(k.equations) + merging
		w.FLOPs += threads*(2*inner+4*int64(k.equations)) + int64(l.parts)*(2*8+8)
		n, parts := int64(l.n), int64(l.parts)
		w.LoadBytes += element * (4*n + 4*parts + 4*n + 2*parts)
		w.StoreBytes += element * (8*parts + n)
	}
	rest := int64(interfaceRows(s.levels))
	if s.splitting.device {
		like := shape{n: s.last.team * s.last.equations, P: s.last.equations, radix: 2, shuffle: true, double: s.p.Double}
		w.FLOPs += int64(s.last.team) * wmFLOPs(like)
	} else {
		w.FLOPs += thomasFLOPs * rest
	}
	w.LoadBytes += 4 * element * rest
	w.StoreBytes += element * rest
	return w
}

// hostInterface is the interface system in host memory, page-locked where the
// device can copy from and to it while it computes.
type hostInterface struct {
	double bool
	n      int
	memory *driver.HostMemory // nil: plain
	in32   equations[float32]
	in64   equations[float64]
	x32    []float32
	x64    []float64
	work32 []float32
	work64 []float64
}

func (h *hostInterface) open(d gpu.Device, n int, double bool) error {
	h.n, h.double = n, double
	element := 4
	if double {
		element = 8
	}
	var bytes []byte
	if p, ok := d.(pinner); ok {
		var err error
		if h.memory, err = p.AllocHost(int64(5 * n * element)); err != nil {
			return err
		}
		bytes = h.memory.Bytes()
	} else {
		plain := make([]uint64, (5*n*element+7)/8)
		bytes = unsafe.Slice((*byte)(unsafe.Pointer(&plain[0])), 5*n*element)
	}
	if double {
		h.in64, h.x64, h.work64 = slices5[float64](bytes, n)
		return nil
	}
	h.in32, h.x32, h.work32 = slices5[float32](bytes, n)
	return nil
}

// slices5 lays equations and solution out in one piece of memory; the scratch
// memory is its own.
func slices5[T real](bytes []byte, n int) (equations[T], []T, []T) {
	all := unsafe.Slice((*T)(unsafe.Pointer(&bytes[0])), 5*n)
	part := func(i int) []T { return all[i*n : (i+1)*n : (i+1)*n] }
	return equations[T]{part(0), part(1), part(2), part(3)}, part(4), make([]T, n)
}

// fetch copies rows first … end-1 from the device.
func (h *hostInterface) fetch(d gpu.Device, v arrays, first, end int, s gpu.Stream) error {
	var errs []error
	for i, from := range []gpu.Pointer{v.a, v.b, v.c, v.d} {
		errs = append(errs, h.copy(d, from, i, first, end, s, true))
	}
	return errors.Join(errs...)
}

// send copies the solution's rows to the device.
func (h *hostInterface) send(d gpu.Device, v arrays, first, end int, s gpu.Stream) error {
	return h.copy(d, v.x, 4, first, end, s, false)
}

func (h *hostInterface) copy(d gpu.Device, device gpu.Pointer, array, first, end int, s gpu.Stream, fetch bool) error {
	element := 4
	if h.double {
		element = 8
	}
	at, bytes := (array*h.n+first)*element, int64((end-first)*element)
	device += gpu.Pointer(first * element)
	switch {
	case h.memory != nil && fetch:
		return d.CopyAsync(h.memory.Device()+gpu.Pointer(at), device, bytes, s)
	case h.memory != nil:
		return d.CopyAsync(device, h.memory.Device()+gpu.Pointer(at), bytes, s)
	}
	host := h.plain(array, first)
	if fetch {
		if err := d.Synchronize(s); err != nil {
			return err
		}
		return d.CopyToHost(host, device, bytes)
	}
	return d.CopyToDevice(device, host, bytes)
}

func (h *hostInterface) plain(array, first int) unsafe.Pointer {
	if h.double {
		return unsafe.Pointer(&[][]float64{h.in64.a, h.in64.b, h.in64.c, h.in64.d, h.x64}[array][first])
	}
	return unsafe.Pointer(&[][]float32{h.in32.a, h.in32.b, h.in32.c, h.in32.d, h.x32}[array][first])
}

func (h *hostInterface) solve() {
	if h.double {
		e := h.in64
		decouple(bitsOf[uint64](e.a), bitsOf[uint64](e.b), bitsOf[uint64](e.c), 1<<63, 106<<52)
		sweep(h.x64, e.a, e.b, e.c, e.d, h.work64)
		return
	}
	e := h.in32
	decouple(bitsOf[uint32](e.a), bitsOf[uint32](e.b), bitsOf[uint32](e.c), 1<<31, 48<<23)
	sweep(h.x32, e.a, e.b, e.c, e.d, h.work32)
}

// decouple makes a and c zero where they are at most u² of b, below every rounding error:
// the ends of a sub-system of m dominant rows are coupled by about dominance^-m, of which a sweep
// makes subnormal numbers, which are slow on an x86 processor. Numbers are
// their bits, of which sign is one and square u² as exponents are; signs are random, so no branch looks at them.
func decouple[U uint32 | uint64](a, b, c []U, sign, square U) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		bound := b[i] &^ sign
		bound -= min(bound, square)
		left, right := a[i], c[i]
		if left&^sign <= bound {
			left = 0
		}
		if right&^sign <= bound {
			right = 0
		}
		a[i], c[i] = left, right
	}
}

// bitsOf is the memory of floating-point numbers as integers of their size.
func bitsOf[U uint32 | uint64, T real](v []T) []U {
	return unsafe.Slice((*U)(unsafe.Pointer(unsafe.SliceData(v))), len(v))
}

func (h *hostInterface) close() error {
	err := h.memory.Free()
	if err != nil {
		err = fmt.Errorf("interface on the host: %w", err)
	}
	*h = hostInterface{}
	return err
}
