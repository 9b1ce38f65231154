package measure

import (
	"fmt"
	"path/filepath"
	"time"

	"bench/framework/bounded"
)

const (
	// lingerAfter is how long threads of a function may wait for its next call, as those of OpenMP do
	// for about a millisecond.
	lingerAfter = 20 * time.Millisecond
	lingerFor   = 20 * time.Millisecond
	// lingerShare is the least share of that time in which a thread that goes on computes, or waits for a
	// processor to.
	lingerShare = 0.75
	lingerTries = 5 // each twice as long as the one before: on a busy machine a look may end late
)

// Lingering says what threads of this process compute after a function returned for the last time, where
// nothing should: that of foreign code is work beside the time of its runs. It is empty where none does, or
// the system does not tell.
func Lingering() string {
	time.Sleep(lingerAfter)
	for try := range lingerTries {
		look := lingerFor << try
		before, start := threadTimes(), time.Now()
		time.Sleep(look)
		during := time.Since(start)
		after := threadTimes()
		if during > 2*look {
			continue // a thread that woke this one may have waited as long
		}
		busy, ran := 0, time.Duration(0)
		for thread, t := range after {
			had := before[thread]
			took, waited := t.ran-had.ran, t.waited-had.waited
			if (took + waited).Seconds() >= lingerShare*during.Seconds() {
				busy, ran = busy+1, ran+took
			}
		}
		if busy == 0 {
			return ""
		}
		return fmt.Sprintf("the function goes on after its return: %d ms later %d of its threads compute (%.3g ms of a processor within %.3g ms), which no time here holds",
			lingerAfter.Milliseconds(), busy, ran.Seconds()*1e3, during.Seconds()*1e3)
	}
	return ""
}

// threadTime is how long a thread had a processor, and how long it waited for one.
type threadTime struct{ ran, waited time.Duration }

// threadTimes are those of this process's threads.
func threadTimes() map[string]threadTime {
	list, _ := filepath.Glob("/proc/self/task/*/schedstat")
	times := map[string]threadTime{}
	for _, name := range list {
		var t threadTime
		text, err := bounded.ReadFile(name, bounded.MostLine)
		if err != nil {
			continue // ended meanwhile
		}
		if n, _ := fmt.Sscan(string(text), &t.ran, &t.waited); n == 2 {
			times[name] = t
		}
	}
	return times
}
