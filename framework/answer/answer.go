// Package answer turns a GPU version into one that is timed from input to answer: a run begins with its
// inputs in the host's memory, and ends with its answer there.
package answer

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/internal/pages"
)

// Options say where inputs and answer lie and how a run's end is waited for.
type Options struct {
	Device gpu.Device
	// Memory is the kind of the version's buffers. Of mapped and managed ones nothing is
	// copied: the host writes inputs in place, in Reset, and reads the answer there.
	Memory gpu.Memory
	// Pinned: the host's arrays are page-locked.
	Pinned bool
	// Wait makes a function that returns once all work of a stream is done, and one that
	// frees what that needs; nil: Device.Synchronize.
	Wait func(gpu.Stream) (wait, end func() error, err error)
}

// Algorithm is a version from input to answer. It is a framework.CPUAlgorithm that
// computes with no thread of the CPU: the host's clock times it. Its methods verify the
// answer that arrived on the host.
type Algorithm struct {
	alg framework.Transferrer
	o   Options

	in, out []piece
	// placed are inputs that the host writes in place, touched the answer that it reads
	// there.
	placed, touched []piece
	work            framework.Work // the copied bytes
	wait            func() error
	last            []func() error
}

// piece is memory of the device beside the host's of the same size.
type piece struct {
	at   gpu.Pointer
	host []byte
	from []byte // of an input that is placed: what it holds
}

// placing is an Algorithm whose inputs the host writes before each run.
type placing struct{ *Algorithm }

var (
	_ framework.CPUAlgorithm = (*Algorithm)(nil)
	_ framework.FastVerifier = (*Algorithm)(nil)
	_ framework.Rechecker    = (*Algorithm)(nil)
	_ framework.Resetter     = placing{}
)

// New makes it of a version that says what it reads and writes.
func New(alg framework.BaseAlgorithm, o Options) (framework.CPUAlgorithm, error) {
	t, ok := alg.(framework.Transferrer)
	if !ok {
		return nil, fmt.Errorf("the version does not say which inputs and answers are copied: %s must be %s", framework.TimedParam, framework.KernelTimed)
	}
	a := &Algorithm{alg: t, o: o}
	if o.inPlace() {
		return placing{a}, nil
	}
	return a, nil
}

// viewer is a device with memory that the host can address too.
type viewer interface {
	// View is such memory from at on; nil for other memory.
	View(at gpu.Pointer, bytes int64) []byte
}

// pinner is a device that gives page-locked memory of the host.
type pinner interface {
	AllocHost(bytes int64) (*driver.HostMemory, error)
}

func (o Options) inPlace() bool {
	_, ok := o.Device.(viewer)
	return ok && (o.Memory == gpu.MappedMemory || o.Memory == gpu.ManagedMemory)
}

// PreRun also makes the host's arrays.
func (a *Algorithm) PreRun() error {
	if err := a.alg.PreRun(); err != nil {
		return err
	}
	t := a.alg.Transfers()
	if len(t.In) == 0 || len(t.Out) == 0 {
		return fmt.Errorf("the version has %d inputs and %d outputs that are copied: %s must be %s", len(t.In), len(t.Out), framework.TimedParam, framework.KernelTimed)
	}
	a.wait = func() error { return a.o.Device.Synchronize(a.alg.Stream()) }
	if a.o.Wait != nil {
		wait, end, err := a.o.Wait(a.alg.Stream())
		if err != nil {
			return err
		}
		a.wait = wait
		a.last = append(a.last, end)
	}
	in, out := a.inPlace(t.In, &a.placed), a.inPlace(t.Out, &a.touched)
	a.work.CopiedIn, a.work.CopiedOut = sum(in), sum(out)
	if t.Within {
		return nil
	}
	var err error
	if a.in, err = a.arrays(in, "inputs"); err != nil {
		return err
	}
	a.out, err = a.arrays(out, "the answer")
	return err
}

// inPlace puts what the host can address itself into list, and returns the rest.
func (a *Algorithm) inPlace(all []framework.Transfer, list *[]piece) (rest []framework.Transfer) {
	v, ok := a.o.Device.(viewer)
	if !ok || !a.o.inPlace() {
		return all
	}
	for _, t := range all {
		if host := v.View(t.At, t.Bytes); host != nil {
			*list = append(*list, piece{t.At, host, t.Host})
		} else {
			rest = append(rest, t)
		}
	}
	return rest
}

func sum(all []framework.Transfer) (bytes int64) {
	for _, t := range all {
		bytes += t.Bytes
	}
	return bytes
}

// apart is the least distance of two arrays: a cache line of any machine.
const apart = 256

// room is what an array takes, so that the next one begins apart from it.
func room(t framework.Transfer) int64 { return (t.Bytes + apart - 1) / apart * apart }

// arrays are the host's, in one piece of memory. Those of inputs hold them, the others
// no numbers.
func (a *Algorithm) arrays(all []framework.Transfer, what string) (list []piece, err error) {
	var bytes int64
	for _, t := range all {
		bytes += room(t)
	}
	if bytes == 0 {
		return nil, nil
	}
	memory, err := a.memory(bytes, what)
	if err != nil {
		return nil, err
	}
	for _, t := range all {
		p := piece{at: t.At, host: memory[:t.Bytes:t.Bytes]}
		memory = memory[room(t):]
		if copy(p.host, t.Host); t.Host == nil {
			for i := range p.host {
				p.host[i] = 0xff
			}
		}
		list = append(list, p)
	}
	return list, nil
}

func (a *Algorithm) memory(bytes int64, what string) ([]byte, error) {
	if p, ok := a.o.Device.(pinner); ok && a.o.Pinned {
		h, err := p.AllocHost(bytes)
		if err != nil {
			return nil, fmt.Errorf("%s in the host's memory: %w; %s %s, or a smaller problem, needs none that is page-locked", what, err, framework.HostParam, framework.PageableHost)
		}
		a.last = append(a.last, h.Free)
		return h.Bytes(), nil
	}
	memory, free, err := pages.New[byte](bytes)
	if err != nil {
		return nil, fmt.Errorf("%s in the host's memory: %w", what, err)
	}
	a.last = append(a.last, func() error { free(); return nil })
	return memory, nil
}
