package nvml

import (
	"errors"
	"slices"
	"time"
)

// Process is a process that has a context on a GPU.
type Process struct {
	PID  int // as the driver shows it to this process
	Kind Kind
	// Memory is the number of bytes of GPU memory that it uses; 0 if unknown.
	Memory int64
}

// Kind is what a process uses a GPU for.
type Kind string

// The kinds. A Served process computes through the MPS server.
const (
	Compute     Kind = "compute"
	GraphicsUse Kind = "graphics"
	Served      Kind = "served"
)

// processInfo is nvmlProcessInfo_v2_t, whose layout the third version shares.
type processInfo struct {
	pid    uint32
	memory uint64
	_, _   uint32 // MIG instances
}

// useSample is nvmlProcessUtilizationSample_t.
type useSample struct {
	pid     uint32
	at      uint64 // microseconds since 1970
	sm      uint32 // percent
	_, _, _ uint32 // of memory, encoder and decoder
}

// mostTries is the largest number of attempts to read a list that grows meanwhile.
const mostTries = 4

// Processes returns the processes that have a context on the GPU, each once. Old drivers do not list them
// in this form; the error is then ErrNotSupported. In a container the driver may list none, or list
// others by numbers that mean nothing there.
func (d *Device) Processes() ([]Process, error) {
	var all []Process
	for _, c := range []struct {
		kind Kind
		call string
		list func(handle, *uint32, *processInfo) Return
	}{
		{Compute, "nvmlDeviceGetComputeRunningProcesses", d.api.computeProcesses},
		{GraphicsUse, "nvmlDeviceGetGraphicsRunningProcesses", d.api.graphicsProcesses},
		{Served, "nvmlDeviceGetMPSComputeRunningProcesses", d.api.servedProcesses},
	} {
		list, err := d.processes(c.call, c.list)
		if err != nil && (c.kind == Compute || !errors.Is(err, ErrNotSupported)) {
			return nil, err
		}
		for _, p := range list {
			if slices.ContainsFunc(all, func(had Process) bool { return had.PID == int(p.pid) }) {
				continue
			}
			one := Process{PID: int(p.pid), Kind: c.kind}
			if p.memory < 1<<62 { // all bits set: not available
				one.Memory = int64(p.memory)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

func (d *Device) processes(call string, read func(handle, *uint32, *processInfo) Return) ([]processInfo, error) {
	if read == nil {
		return nil, d.api.check(call, functionGone)
	}
	list := make([]processInfo, 64)
	for try := 1; ; try++ {
		n := uint32(len(list))
		r := read(d.handle, &n, &list[0])
		if r == tooSmall && try < mostTries {
			list = make([]processInfo, 2*max(int(n), len(list)))
			continue
		}
		return list[:min(int(n), len(list))], d.api.check(call, r)
	}
}

// Utilisation returns, by process number, the share of the multiprocessors' time in the driver's last
// sample after since. A process without an entry had no kernel then. GPUs in MIG mode and some boards do
// not report it: ErrNotSupported.
func (d *Device) Utilisation(since time.Time) (map[int]float64, error) {
	const call = "nvmlDeviceGetProcessUtilization"
	if d.api.utilisation == nil {
		return nil, d.api.check(call, functionGone)
	}
	list := make([]useSample, 128)
	for try := 1; ; try++ {
		n := uint32(len(list))
		r := d.api.utilisation(d.handle, &list[0], &n, uint64(since.UnixMicro()))
		switch {
		case r == tooSmall && try < mostTries:
			list = make([]useSample, 2*max(int(n), len(list)))
			continue
		case r == notFound: // no sample since
			return nil, nil
		case r != success:
			return nil, d.api.check(call, r)
		}
		shares := map[int]float64{}
		for _, x := range list[:min(int(n), len(list))] {
			if x.at > uint64(since.UnixMicro()) && x.sm <= 100 { // a larger value is no share; processes that ended have such values
				shares[int(x.pid)] = max(shares[int(x.pid)], float64(x.sm)/100)
			}
		}
		return shares, nil
	}
}

// MIG reports whether the GPU is divided into instances (Multi-Instance GPU).
func (d *Device) MIG() (bool, error) {
	const call = "nvmlDeviceGetMigMode"
	if d.api.mig == nil {
		return false, d.api.check(call, functionGone)
	}
	var now, pending uint32
	r := d.api.mig(d.handle, &now, &pending)
	return now == 1, d.api.check(call, r)
}
