package algorithmtest

import (
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"example.org/bench/gpu"
)

// ledger is a device that keeps account of memory and modules, and can fail.
type ledger struct {
	gpu.Device
	live    map[gpu.Pointer]int64
	bytes   int64 // that are live
	most    int64
	modules int
	ready   bool                  // PreRun is over
	filled  map[gpu.Pointer]int64 // bytes by a copy of PreRun: what a run leaves of them may be its answer
	guards  map[gpu.Pointer]int64 // bytes that PreRun sets within an allocation: they are compared with that, and no answer
	read    []region              // of the rest, since the last spoil
	calls   int                   // of what can fail
	failing int                   // the call, from 1 on, that fails; 0: none
}

// region of device memory.
type region struct {
	at    gpu.Pointer
	bytes int64
}

func newLedger(d gpu.Device) *ledger {
	return &ledger{Device: d, live: map[gpu.Pointer]int64{}, filled: map[gpu.Pointer]int64{}, guards: map[gpu.Pointer]int64{}}
}

var errInjected = fmt.Errorf("the test has it fail: %w", gpu.ErrOutOfMemory)

// fails is an error if this call is the one that fails.
func (l *ledger) fails() error {
	l.calls++
	if l.calls == l.failing {
		return errInjected
	}
	return nil
}

func (l *ledger) Alloc(bytes int64) (gpu.Pointer, error) {
	if err := l.fails(); err != nil {
		return 0, err
	}
	p, err := l.Device.Alloc(bytes)
	if err == nil {
		l.live[p] = bytes
		l.bytes += bytes
		l.most = max(l.most, l.bytes)
	}
	return p, err
}

func (l *ledger) Free(p gpu.Pointer) error {
	within := func(at gpu.Pointer) bool { return at >= p && at < p+gpu.Pointer(l.live[p]) }
	l.read = slices.DeleteFunc(l.read, func(r region) bool { return within(r.at) })
	for _, list := range []map[gpu.Pointer]int64{l.filled, l.guards} {
		maps.DeleteFunc(list, func(at gpu.Pointer, _ int64) bool { return within(at) })
	}
	l.bytes -= l.live[p]
	delete(l.live, p)
	return l.Device.Free(p)
}

func (l *ledger) CopyToDevice(dst gpu.Pointer, src unsafe.Pointer, bytes int64) error {
	if err := l.fails(); err != nil {
		return err
	}
	l.fill(dst, bytes)
	return l.Device.CopyToDevice(dst, src, bytes)
}

func (l *ledger) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	if !l.isFilled(src) && l.guards[src] != bytes {
		l.read = append(l.read, region{src, bytes})
	}
	return l.Device.CopyToHost(dst, src, bytes)
}

func (l *ledger) CopyAsync(dst, src gpu.Pointer, bytes int64, s gpu.Stream) error {
	if err := l.fails(); err != nil {
		return err
	}
	l.fill(dst, bytes)
	return l.Device.CopyAsync(dst, src, bytes, s)
}

func (l *ledger) SetAsync(dst gpu.Pointer, value byte, bytes int64, s gpu.Stream) error {
	if err := l.fails(); err != nil {
		return err
	}
	if _, begins := l.live[dst]; !l.ready && !begins {
		l.guards[dst] = bytes
	}
	return l.Device.SetAsync(dst, value, bytes, s)
}

// fill notes a copy of PreRun's.
func (l *ledger) fill(at gpu.Pointer, bytes int64) {
	if !l.ready {
		l.filled[at] = max(bytes, l.filled[at])
	}
}

// isFilled is whether a place lies in what PreRun copied, whose parts may be read one
// after another.
func (l *ledger) isFilled(at gpu.Pointer) bool {
	for from, bytes := range l.filled {
		if at >= from && at < from+gpu.Pointer(bytes) {
			return true
		}
	}
	return false
}

// spoil makes what was read, the answer, no numbers.
func (l *ledger) spoil(s gpu.Stream) error {
	for _, r := range l.read {
		if err := l.Device.SetAsync(r.at, 0xff, r.bytes, s); err != nil {
			return err
		}
	}
	l.read = nil
	return nil
}

// empty is an error where something is left on the device.
func (l *ledger) empty() error {
	if len(l.live) > 0 || l.modules != 0 {
		return fmt.Errorf("%d pieces of memory, %d bytes, and %d modules are left on the device", len(l.live), l.bytes, l.modules)
	}
	return nil
}

func (l *ledger) Compile(src gpu.Source) (gpu.Module, error) {
	if err := l.fails(); err != nil {
		return nil, err
	}
	m, err := l.Device.Compile(src)
	if err != nil {
		return nil, err
	}
	l.modules++
	return &countedModule{m, l}, nil
}

type countedModule struct {
	gpu.Module
	l *ledger
}

func (m *countedModule) Unload() error {
	m.l.modules--
	return m.Module.Unload()
}
