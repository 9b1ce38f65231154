package measure

import (
	"math"
	"time"
)

const (
	// coolTo is how many degrees Celsius above the start count as cooled down.
	coolTo = 2
	// coolPoll is how often temperatures are read meanwhile.
	coolPoll = 250 * time.Millisecond
)

// CoolDown waits until no temperature is more than 2 °C above its start, for at most limit. Leakage
// grows with temperature, so what is measured hot takes more power. read returns the temperatures
// by name; those that it lacks are left out. wait sleeps. CoolDown returns how far the warmest
// still is above its start.
func CoolDown(start map[string]float64, limit time.Duration, read func() map[string]float64, wait func(time.Duration)) (above float64) {
	for waited := time.Duration(0); ; waited += coolPoll {
		now := read()
		above = math.Inf(-1)
		for name, t := range start {
			if x, ok := now[name]; ok {
				above = max(above, x-t)
			}
		}
		if above <= coolTo || waited >= limit {
			return above
		}
		wait(coolPoll)
	}
}

// StillWarm reports whether CoolDown ended above its aim.
func StillWarm(above float64) bool { return above > coolTo }
