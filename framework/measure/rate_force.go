package measure

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/linux"
)

// Force is what was in force while runs were released.
type Force struct {
	// Scheduler is the policy of the process's threads: "fifo 40", or "other".
	Scheduler string `json:"scheduler"`
	// Locked is set if pages stay in memory (mlockall).
	Locked bool `json:"memory_locked"`
	// Slack is how many seconds the kernel may delay a sleeping thread's timer to serve several at
	// once; 0 for a real-time policy.
	Slack float64 `json:"timer_slack_s"`
	// Lacking says why something was not in force.
	Lacking []string `json:"lacking,omitempty"`
}

// fifoPriority is below that of the kernel's interrupt threads, 50.
const fifoPriority = 40

// throttleFile contains the microseconds of each second that real-time threads may run; -1 is all.
// A thread that spins under a real-time policy is stopped for the rest (sched(7)).
const throttleFile = "proc/sys/kernel/sched_rt_runtime_us"

// enforce puts real-time settings in force as far as the system permits: first in, first out
// scheduling for the process's threads, unless they are to spin and would be throttled; pages
// locked in memory once they are touched; and no timer slack for the calling thread, to which the
// goroutine stays locked. undo restores the earlier settings.
func enforce(root machine.Tree, spin bool) (f Force, undo func()) {
	f.Scheduler = "other"
	var undoing []func()
	lacks := func(what string, err error) {
		f.Lacking = append(f.Lacking, what+": "+err.Error())
	}
	if spin && root.Text(throttleFile) != "-1" {
		lacks("SCHED_FIFO", errors.New("a spinning thread would be throttled (/"+throttleFile+")"))
	} else if err := setScheduler(linux.SCHED_FIFO, fifoPriority); err != nil {
		lacks("SCHED_FIFO", err)
	} else {
		f.Scheduler = fmt.Sprintf("fifo %d", fifoPriority)
		undoing = append(undoing, func() { setScheduler(linux.SCHED_NORMAL, 0) }) //nolint:errcheck // lowering is permitted
	}
	const onFault = 4 // MCL_ONFAULT
	if err := lockMemory(linux.MCL_CURRENT | linux.MCL_FUTURE | onFault); err != nil {
		lacks("mlockall", err)
	} else {
		f.Locked = true
		undoing = append(undoing, func() { linux.Munlockall() }) //nolint:errcheck // of what is locked
	}
	before, err := linux.PrctlRetInt(linux.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err == nil {
		err = linux.Prctl(linux.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	}
	if err != nil {
		lacks("timer slack", err)
	} else {
		undoing = append(undoing, func() { linux.Prctl(linux.PR_SET_TIMERSLACK, uintptr(before), 0, 0, 0) }) //nolint:errcheck // it was so before
	}
	if now, err := linux.PrctlRetInt(linux.PR_GET_TIMERSLACK, 0, 0, 0, 0); err == nil && f.Scheduler == "other" {
		f.Slack = float64(now) / nano
	}
	return f, func() {
		for _, u := range undoing {
			u()
		}
	}
}

// lockMemory calls mlockall if the limit leaves room for what a run may touch. Beyond the limit
// allocations would fail.
func lockMemory(flags int) error {
	var limit linux.Rlimit
	if err := linux.Getrlimit(linux.RLIMIT_MEMLOCK, &limit); err == nil && limit.Cur != linux.RLIM_INFINITY && !capable(linux.CAP_IPC_LOCK) {
		return fmt.Errorf("only %d KiB may be locked (ulimit -l)", limit.Cur>>10)
	}
	return linux.Mlockall(flags)
}

// capable reports whether the process has a capability in its effective set (proc(5)).
func capable(capability uint) bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "CapEff:"); ok {
			set, err := strconv.ParseUint(strings.TrimSpace(text), 16, 64)
			return err == nil && set>>capability&1 == 1
		}
	}
	return false
}

// setScheduler sets the policy of the process's threads but the observers. It ends at the first refusal.
func setScheduler(policy int, priority int32) (failed error) {
	param := struct{ priority int32 }{priority}
	forThreads(func(id int) {
		if failed != nil {
			return
		}
		_, _, e := linux.Syscall(linux.SYS_SCHED_SETSCHEDULER, uintptr(id), uintptr(policy), uintptr(unsafe.Pointer(&param)))
		if e != 0 && e != syscall.ESRCH { // the thread may have ended
			failed = e
		}
	})
	return failed
}
