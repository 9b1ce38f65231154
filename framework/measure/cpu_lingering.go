package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	// lingerAfter is how long threads of a function may wait for its next call, as those of OpenMP do
	// for about a millisecond.
	lingerAfter = 20 * time.Millisecond
	lingerFor   = 20 * time.Millisecond
)

// Lingering says what goes on in this process after a function returned for the last time, where
// nothing should: that of foreign code is work beside the time of its runs. Empty where threads took less
// than half a processor.
func Lingering() string {
	time.Sleep(lingerAfter)
	before, begin, start := threadTimes(), processorTime(), time.Now()
	time.Sleep(lingerFor)
	took, during := processorTime()-begin, time.Since(start)
	if took < during/2 {
		return ""
	}
	busy := 0
	for thread, t := range threadTimes() {
		if t-before[thread] > during/8 {
			busy++
		}
	}
	return fmt.Sprintf("the function goes on after its return: %d ms later its threads (%d of them at work) took %.3g ms of a processor within %.3g ms, which no time here holds",
		lingerAfter.Milliseconds(), busy, took.Seconds()*1e3, during.Seconds()*1e3)
}

// threadTimes are the processor times of this process's threads, where the system tells them.
func threadTimes() map[string]time.Duration {
	list, _ := filepath.Glob("/proc/self/task/*/schedstat")
	times := map[string]time.Duration{}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // ended meanwhile
		}
		first, _, _ := strings.Cut(string(text), " ")
		if ns, err := strconv.ParseInt(first, 10, 64); err == nil {
			times[name] = time.Duration(ns)
		}
	}
	return times
}
