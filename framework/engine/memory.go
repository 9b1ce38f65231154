package engine

import (
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// reserveShare is the share of a memory common to GPU and CPU that is left to the system. The
// process that takes the last of it is killed, and that need not be this program.
const reserveShare = 1.0 / 16

// memory is the machine's free and total memory in bytes; zero if unknown.
type memory struct{ free, total int64 }

func memoryOf(files machine.Tree) memory {
	free, total := files.Memory()
	return memory{free, total}
}

func machineMemory() memory { return memoryOf(machine.Live) }

// TooLarge returns why a point does not fit into the memory now free on the machine with these
// files. It is empty if the point fits, or if the files do not tell.
func (e *Engine) TooLarge(p plan.Point, facts *gpu.Facts, files machine.Tree) string {
	return e.tooLargeFor(p, facts, memoryOf(files))
}

// tooLarge returns why a point does not fit in memory; empty if it fits.
func (e *Engine) tooLarge(p plan.Point, facts *gpu.Facts) string {
	m := e.memory()
	if n := int64(e.opt.Sharers); n > 0 {
		m = memory{m.free / n, m.total / n}
	}
	m.free = min(m.free+e.held(), m.total)
	return e.tooLargeFor(p, facts, m)
}

func (e *Engine) tooLargeFor(p plan.Point, facts *gpu.Facts, m memory) string {
	f := e.opt.Factory
	v := f.VersionOn(p.Version, p.Processor)
	need := f.Memory(v, p.Params, p.Tunables, e.opt.FullVerification)
	// Nothing is refused for memory that a version only may need.
	host := need.Host
	if f.HostBytes != nil && (v == nil || v.HostBytes == nil) {
		host = f.HostBytes(p.Params)
		if framework.Copied(p.Params) {
			host += need.Device
		}
	}
	if facts == nil || p.Device == "sim" {
		need.Device = 0
	}
	switch {
	case facts != nil && facts.Integrated && p.Device != "sim":
		reserve := int64(reserveShare * float64(m.total))
		if m.total > 0 && need.Total() > m.free-reserve {
			return fmt.Sprintf("needs %s of memory (%s for the GPU), which GPU and CPU share: %s are free, of which %s are left to the system; a smaller problem is needed",
				gib(need.Total()), gib(need.Device), gib(m.free), gib(reserve))
		}
		return ""
	case m.total > 0 && host > m.free:
		return fmt.Sprintf("needs %s of memory, %s are free: a smaller problem is needed", gib(host), gib(m.free))
	case facts != nil && need.Device > facts.GlobalBytes:
		return fmt.Sprintf("needs %s of device memory, %s has %s: a smaller problem is needed", gib(need.Device), facts.Name, gib(facts.GlobalBytes))
	}
	return ""
}

// held returns how much memory the worker took since its first request: inputs of the last point,
// which the next one shares or which are freed first.
func (e *Engine) held() int64 {
	if e.worker == nil || e.worker.group == 0 {
		return 0
	}
	now := resident(e.worker.group)
	if e.worker.base == 0 {
		e.worker.base = now
	}
	return max(0, now-e.worker.base)
}

var residentForm = lazy.Regexp(`(?m)^VmRSS:\s*(\d+) kB$`)

// resident returns the resident bytes of a process (proc(5)); 0 if unknown.
func resident(pid int) int64 {
	m := residentForm().FindStringSubmatch(machine.Live.Text("proc/" + strconv.Itoa(pid) + "/status"))
	if m == nil {
		return 0
	}
	kilo, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return 0
	}
	return kilo << 10
}

func gib(bytes int64) string { return fmt.Sprintf("%.3g GiB", float64(bytes)/(1<<30)) }
