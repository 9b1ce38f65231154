package measure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"bench/framework/bounded"
)

const (
	// lingerAfter is how long threads of a function may wait for its next call, as those of OpenMP do
	// for about a millisecond.
	lingerAfter = 20 * time.Millisecond
	// lingerLooks are taken at least, so far apart: a thread that rests between them is not in all.
	lingerLooks, lingerMost = 10, 100
	lingerApart             = 20 * time.Millisecond
	// lingerWork is the processor time that a thread has had by then. One of Go's own, which wakes for
	// microseconds, may wait for a processor at each look on a busy machine, and has less.
	lingerWork = time.Millisecond
)

// Lingering says which threads of this process compute after a function returned for the last time, where
// nothing should: that of foreign code is work beside the time of its runs. It is empty where none does, or
// the system does not tell. It takes 20 ms where all is quiet.
func Lingering() string {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	self, err := os.Readlink("/proc/thread-self") // PID/task/TID
	if err != nil {
		return ""
	}
	time.Sleep(lingerAfter)
	began := time.Now()
	computed := lingering(self)
	if computed > 0 {
		// Go's own threads collect and return memory: they are done with it now.
		debug.FreeOSMemory()
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
		computed = lingering(self)
	}
	if computed == 0 {
		return ""
	}
	return fmt.Sprintf("the function goes on after its return: from %d to %d ms later %d of its threads compute, which no time here holds",
		lingerAfter.Milliseconds(), (lingerAfter + time.Since(began)).Milliseconds(), computed)
}

// lingering is how many threads of this process, self not, compute without a rest.
func lingering(self string) (computed int) {
	before := map[string]time.Duration{}
	tasks, _ := filepath.Glob("/proc/self/task/*")
	for _, task := range tasks {
		if filepath.Base(task) != filepath.Base(self) {
			before[task], _ = hadProcessor(task)
		}
	}
	for look := 1; ; look++ {
		computed = 0
		for task, then := range before {
			now, ok := hadProcessor(task)
			switch {
			case !ok || !runnable(task):
				delete(before, task)
			case now-then >= lingerWork:
				computed++
			}
		}
		if look == lingerMost || len(before) == 0 || look >= lingerLooks && computed == len(before) {
			return computed
		}
		time.Sleep(lingerApart)
	}
}

// runnable is whether a thread has a processor or waits for one, by its stat (proc_pid_stat(5)).
func runnable(task string) bool {
	text, err := bounded.ReadFile(filepath.Join(task, "stat"), bounded.MostLine)
	if err != nil {
		return false // it has ended
	}
	_, behind, _ := bytes.Cut(text[max(0, bytes.LastIndexByte(text, ')')):], []byte(" "))
	return bytes.HasPrefix(behind, []byte("R"))
}

// hadProcessor is for how long a thread had a processor, by its schedstat, of which that is the first number in
// nanoseconds (the kernel's sched-stats.rst).
func hadProcessor(task string) (time.Duration, bool) {
	text, err := bounded.ReadFile(filepath.Join(task, "schedstat"), bounded.MostLine)
	if err != nil {
		return 0, false
	}
	var had time.Duration
	_, err = fmt.Sscan(string(text), &had)
	return had, err == nil
}
