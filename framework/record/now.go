package record

import "time"

var begun, upBegun = time.Now().Round(0), sinceBoot()

// Now returns the time of day for records: that at which the process began, and on by
// the time since the machine's start, which nobody sets. A clock that is set in
// mid-run, as that of a board without a battery once it reaches a time server,
// changes neither the order nor the distances of what a process records.
func Now() time.Time { return begun.Add(sinceBoot() - upBegun).UTC() }
