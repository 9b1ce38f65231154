//go:build !linux

package record

import "time"

var processStart = time.Now()

// sinceBoot is since this program's start: no run is measured here that a sleep
// could interrupt.
func sinceBoot() time.Duration { return time.Since(processStart) }
