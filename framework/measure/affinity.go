package measure

import (
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"bench/framework/machine"
)

// observers are the threads of the tool's own that confine leaves alone.
var observers sync.Map // thread id -> struct{}

// confine restricts all threads of the process but the observers to as many
// CPUs as there are workers, and returns what undoes it. It does nothing if
// the process may use no more CPUs than that, or if the kernel refuses:
// confining makes timings steadier but is not required.
func confine(workers int) (free func()) {
	all := machine.AllowedCPUs()
	if workers >= len(all) {
		return func() {}
	}
	setThreads(machine.Live.Best(all, workers).Set())
	return func() { setThreads(all.Set()) }
}

// setThreads sets the affinity of the process's threads. It goes over them
// until no new one appears: a thread inherits from the one that starts it.
func setThreads(set *unix.CPUSet) {
	done := map[int]bool{}
	for {
		fresh := false
		for _, name := range machine.Live.List("proc/self/task") {
			id, err := strconv.Atoi(name)
			if err != nil || done[id] {
				continue
			}
			done[id], fresh = true, true
			if _, own := observers.Load(id); !own {
				unix.SchedSetaffinity(id, set) //nolint:errcheck // the thread may have ended
			}
		}
		if !fresh {
			return
		}
	}
}
