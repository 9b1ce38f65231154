package engine

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"bench/cuda"
	"bench/framework"
	"bench/framework/machine"
	"bench/framework/plan"
)

// reserveShare of a memory that GPU and CPU share is left to the system: who takes the
// last of it is killed, and it need not be this program.
const reserveShare = 1.0 / 16

// memory is what the machine has free and in all, in bytes; zero where that is not
// known.
type memory struct{ free, total int64 }

func memoryOf(files machine.Tree) memory {
	free, total := files.Memory()
	return memory{free, total}
}

func machineMemory() memory { return memoryOf(machine.Live) }

// TooLarge says why a point does not fit into what is free now on the machine with these
// files; empty if it fits, or where they do not tell.
func (e *Engine) TooLarge(p plan.Point, facts *cuda.Facts, files machine.Tree) string {
	return e.tooLargeFor(p, facts, memoryOf(files))
}

// tooLarge says why a point does not fit in memory; empty if it fits.
func (e *Engine) tooLarge(p plan.Point, facts *cuda.Facts) string {
	m := e.memory()
	if n := int64(e.opt.Sharers); n > 0 {
		m = memory{m.free / n, m.total / n}
	}
	m.free = min(m.free+e.held(), m.total)
	return e.tooLargeFor(p, facts, m)
}

func (e *Engine) tooLargeFor(p plan.Point, facts *cuda.Facts, m memory) string {
	f := e.opt.Factory
	v := f.VersionOn(p.Version, p.Processor)
	need := f.Memory(v, p.Params, p.Tunables, e.opt.FullVerification)
	// Nothing is refused for what a version only may have.
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

// held is what the worker took since it was first asked for: inputs of the point
// before, which the next shares, or which go first.
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

var residentForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^VmRSS:\s*(\d+) kB$`) })

// resident is the bytes of a process in memory (proc(5)); 0 where that is not told.
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
