package machine

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"
)

// Earliest is when the first results can have been measured: the program and its formats
// are younger. Boards whose clock has no battery begin at 1970, or at the date on which
// their system was built.
var Earliest = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// skew is how far two machines' clocks may be apart without a doubt.
const skew = 24 * time.Hour

// DateDoubt says why a date on which something was measured cannot be right, as seen now;
// empty if it may be.
func DateDoubt(date, now time.Time) string {
	switch {
	case date.Before(Earliest):
		return fmt.Sprintf("before %d, when there was no bench", Earliest.Year())
	case now.After(Earliest) && date.Sub(now) > skew: // of a clock that is wrong all is in the future
		return "in the future"
	}
	return ""
}

// clockDoubt says why the clock cannot be right; empty if it may be. built is the
// earliest date on which this program can have been made.
func clockDoubt(now, built time.Time) string {
	if built.Before(Earliest) {
		built = Earliest
	}
	if built.Sub(now) <= skew {
		return ""
	}
	return fmt.Sprintf("the clock says %s, before this program was made (%s): what is measured now is dated wrong, and bench history leaves it out; set the clock first (timedatectl)",
		now.UTC().Format(time.DateOnly), built.UTC().Format(time.DateOnly))
}

// ClockDoubt says why the clock of this machine cannot be right; empty if it may be.
func ClockDoubt() string { return clockDoubt(time.Now(), built()) }

// built is the date of this program's source or file, the later; zero where neither is
// known.
func built() (date time.Time) {
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == "vcs.time" {
				date, _ = time.Parse(time.RFC3339, s.Value) // zero if it is none
			}
		}
	}
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil && info.ModTime().After(date) {
			date = info.ModTime()
		}
	}
	return date
}
