package measure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"example.org/bench/internal/bounded"
)

const (
	// lingerAfter is how long threads of a function may wait for its next call. Those of OpenMP
	// wait for about a millisecond.
	lingerAfter = 20 * time.Millisecond
	// lingerLooks is the least number of looks, lingerApart from each other. A thread that rests
	// between them is not in all.
	lingerLooks, lingerMost = 10, 100
	lingerApart             = 20 * time.Millisecond
	// lingerWork is the least processor time that a lingering thread has had by the last look, and
	// lingerShare the least share of the time since the first look. A thread of Go's own, such as the one
	// that ends each wait between looks, may be found waiting for a processor at each look on a busy machine,
	// but has had less: some 0.1 ms a look.
	lingerWork  = time.Millisecond
	lingerShare = 0.01
)

// Lingering reports threads of this process that still compute after a function has returned for
// the last time. For foreign code that is work outside the timed runs. It returns "" if there are
// none, or if the system does not tell. It takes 20 ms if all is quiet.
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
		// Go's own threads collect and return memory. This makes them finish.
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

// lingering returns how many threads of this process, except self, compute without a rest.
func lingering(self string) (computed int) {
	before := map[string]time.Duration{}
	tasks, _ := filepath.Glob("/proc/self/task/*")
	for _, task := range tasks {
		if filepath.Base(task) != filepath.Base(self) {
			before[task], _ = hadProcessor(task)
		}
	}
	began := time.Now()
	for look := 1; ; look++ {
		computed = 0
		least := max(lingerWork, time.Duration(lingerShare*float64(time.Since(began))))
		for task, then := range before {
			now, ok := hadProcessor(task)
			switch {
			case !ok || !runnable(task):
				delete(before, task)
			case now-then >= least:
				computed++
			}
		}
		if look == lingerMost || len(before) == 0 || look >= lingerLooks && computed == len(before) {
			return computed
		}
		time.Sleep(lingerApart)
	}
}

// runnable reports whether a thread has a processor or waits for one, by its stat
// (proc_pid_stat(5)).
func runnable(task string) bool {
	text, err := bounded.ReadFile(filepath.Join(task, "stat"), bounded.MostLine)
	if err != nil {
		return false // it has ended
	}
	_, behind, _ := bytes.Cut(text[max(0, bytes.LastIndexByte(text, ')')):], []byte(" "))
	return bytes.HasPrefix(behind, []byte("R"))
}

// hadProcessor returns for how long a thread had a processor, which is the first number in its
// schedstat, in nanoseconds (the kernel's sched-stats.rst).
func hadProcessor(task string) (time.Duration, bool) {
	text, err := bounded.ReadFile(filepath.Join(task, "schedstat"), bounded.MostLine)
	if err != nil {
		return 0, false
	}
	var had time.Duration
	_, err = fmt.Sscan(string(text), &had)
	return had, err == nil
}
