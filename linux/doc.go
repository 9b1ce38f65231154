// Package linux is what the program uses of Linux: its system calls, and how a process
// is tied to the one that starts it. On other systems, where only what reads results
// runs, everything here fails with ErrElsewhere.
package linux

import (
	"fmt"
	"runtime"
)

// ErrElsewhere says that this is not Linux.
var ErrElsewhere error = elsewhere{}

type elsewhere struct{}

func (elsewhere) Error() string { return fmt.Sprintf("needs Linux, and this is %s", runtime.GOOS) }

// Tie is how a process depends on the one that starts it; ties add up.
type Tie int

// The ties.
const (
	OwnGroup             Tie = 1 << iota // a process group of its own
	OwnSession                           // a session of its own
	KilledWithCaller                     // killed when the thread that starts it ends
	TerminatedWithCaller                 // told to end (SIGTERM) then
	WokenWithCaller                      // goes on then, if it was stopped (SIGCONT)
)
