package measure

import (
	"math"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/prometheus/procfs"

	"example.org/bench/framework/neighbours"
)

// Conditions describe the machine during a point's timing. A quantity whose files are missing is
// NaN.
type Conditions struct {
	// Workers is how many threads the version computes with; 0 on a GPU.
	Workers int `json:"workers,omitempty"`
	// CPUs is how many CPUs the process's threads had on average, and Waiting how many of the
	// threads waited for one.
	CPUs    float64 `json:"cpus"`
	Waiting float64 `json:"waiting"`
	// Others is the share of the machine's CPUs that other programs had. Steal is the share that
	// the host of a virtual machine gave to others.
	Others float64 `json:"others"`
	Steal  float64 `json:"steal"`
	// Registers and Copy are the seconds of the canary's loops, each the mean of before and after.
	// One loop uses registers alone; the other copies more than a private cache holds.
	Registers float64 `json:"canary_registers_s"`
	Copy      float64 `json:"canary_copy_s"`
	// Processes are the others that had a context on a GPU point's GPU while it was timed or its
	// power was measured. Shared lists the signs, one per cause, that others used the GPU
	// meanwhile. Times and energies are then not the version's alone.
	Processes []neighbours.Process `json:"gpu_processes,omitempty"`
	Shared    []string             `json:"gpu_shared,omitempty"`
}

// Unobserved returns conditions with nothing known.
func Unobserved() *Conditions {
	none := math.NaN()
	return &Conditions{CPUs: none, Waiting: none, Others: none, Steal: none, Registers: none, Copy: none}
}

// usage holds readings at one moment, in seconds since some start.
type usage struct {
	at, ran, waited    float64
	busy, steal, total float64 // over all CPUs
}

// Observation watches a point. It is used by one goroutine.
type Observation struct {
	root   string
	pid    int
	now    func() time.Time
	canary func() (registers, copying float64)
	start  usage
	// registers and copying are the canary's times at the start.
	registers, copying float64
}

// Observe begins to watch the process. root is the folder that contains /proc.
func Observe(root string, pid int) *Observation {
	return observe(root, pid, time.Now, canary)
}

func observe(root string, pid int, now func() time.Time, canary func() (registers, copying float64)) *Observation {
	o := &Observation{root: root, pid: pid, now: now, canary: canary}
	o.registers, o.copying = canary()
	o.start = o.read()
	return o
}

// End returns the conditions since Observe, for a version with so many workers.
func (o *Observation) End(workers int) *Conditions {
	end := o.read()
	registers, copying := o.canary()
	seconds := end.at - o.start.at
	total := end.total - o.start.total
	ran := end.ran - o.start.ran
	share := func(part float64) float64 {
		if !(total > 0) {
			return math.NaN()
		}
		return min(1, max(0, part/total))
	}
	return &Conditions{
		Workers: workers, CPUs: ran / seconds, Waiting: (end.waited - o.start.waited) / seconds,
		Others: share(end.busy - o.start.busy - ran), Steal: share(end.steal - o.start.steal),
		Registers: (o.registers + registers) / 2, Copy: (o.copying + copying) / 2,
	}
}

// read reads the process's usage from the schedstat of its threads, and the machine's from
// /proc/stat (proc(5)).
func (o *Observation) read() usage {
	nan := math.NaN()
	u := usage{at: float64(o.now().UnixNano()) * 1e-9, ran: nan, waited: nan, busy: nan, steal: nan, total: nan}
	fs, err := procfs.NewFS(filepath.Join(o.root, "proc"))
	if err != nil {
		return u
	}
	if s, err := fs.Stat(); err == nil {
		c := s.CPUTotal
		u.steal = c.Steal
		u.busy = c.User + c.Nice + c.System + c.IRQ + c.SoftIRQ // User and Nice include guests
		u.total = u.busy + c.Steal + c.Idle + c.Iowait
	}
	threads, err := fs.AllThreads(o.pid)
	if err != nil {
		return u
	}
	ran, waited, known := 0.0, 0.0, false
	for _, t := range threads {
		if s, err := t.Schedstat(); err == nil { // an error: it has ended
			ran += float64(s.RunningNanoseconds) * 1e-9
			waited += float64(s.WaitingNanoseconds) * 1e-9
			known = true
		}
	}
	if known {
		u.ran, u.waited = ran, waited
	}
	return u
}

// The canary's loops, of about a millisecond together.
const (
	canarySteps = 1 << 18
	canaryBytes = 2 << 20
)

// canaryBuffers have been written, because memory that never was is one page for all.
var canaryBuffers = sync.OnceValue(func() [2][]byte {
	from := make([]byte, canaryBytes)
	for i := range from {
		from[i] = byte(i)
	}
	return [2][]byte{from, make([]byte, canaryBytes)}
})

// oneCanary is held while a canary runs. Two at once would slow each other down.
var oneCanary sync.Mutex

// canary times a loop in registers and a copy, and takes the faster of two runs of each. A program
// that shares the CPU slows both down; one that shares the memory slows only the copy.
func canary() (registers, copying float64) {
	oneCanary.Lock()
	defer oneCanary.Unlock()
	buffers := canaryBuffers()
	registers, copying = math.Inf(1), math.Inf(1)
	for range 2 {
		begin := time.Now()
		x := uint64(1)
		for range canarySteps {
			x = x*6364136223846793005 + 1442695040888963407 // each step depends on the one before
		}
		registers = min(registers, time.Since(begin).Seconds())
		runtime.KeepAlive(x) // keeps the loop from being removed
		begin = time.Now()
		copy(buffers[1], buffers[0])
		copying = min(copying, time.Since(begin).Seconds())
	}
	return registers, copying
}
