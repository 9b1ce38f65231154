package measure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"bench/framework/bounded"
)

const (
	// lingerAfter is how long threads of a function may wait for its next call, as those of OpenMP do
	// for about a millisecond.
	lingerAfter = 20 * time.Millisecond
	// lingerLooks are taken so far apart: a thread that a busy machine lets wait is not in all of them.
	lingerLooks = 10
	lingerApart = 20 * time.Millisecond
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
	busy, _ := filepath.Glob("/proc/self/task/*/stat")
	for look := range lingerLooks {
		if look > 0 {
			time.Sleep(lingerApart)
		}
		var still []string
		for _, name := range busy {
			if filepath.Base(filepath.Dir(name)) != filepath.Base(self) && runnable(name) {
				still = append(still, name)
			}
		}
		if busy = still; len(busy) == 0 {
			return ""
		}
	}
	return fmt.Sprintf("the function goes on after its return: from %d to %d ms later %d of its threads compute, which no time here holds",
		lingerAfter.Milliseconds(), (lingerAfter + (lingerLooks-1)*lingerApart).Milliseconds(), len(busy))
}

// runnable is whether a thread has a processor or waits for one, by its stat (proc_pid_stat(5)).
func runnable(stat string) bool {
	text, err := bounded.ReadFile(stat, bounded.MostLine)
	if err != nil {
		return false // it has ended
	}
	_, behind, _ := bytes.Cut(text[max(0, bytes.LastIndexByte(text, ')')):], []byte(" "))
	return bytes.HasPrefix(behind, []byte("R"))
}
