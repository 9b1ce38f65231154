// Package linux provides what the program uses of Linux: its system calls, and ties between a process and
// the one that starts it. On other systems, where the program only reads results, everything here fails
// with ErrElsewhere.
package linux

import (
	"fmt"
	"runtime"
)

// ErrElsewhere says that the system is not Linux.
var ErrElsewhere error = elsewhere{}

type elsewhere struct{}

func (elsewhere) Error() string { return fmt.Sprintf("needs Linux, and this is %s", runtime.GOOS) }

// Tie is a way in which a process depends on the one that starts it. Ties can be combined.
type Tie int

// The ties.
const (
	OwnGroup             Tie = 1 << iota // its own process group
	OwnSession                           // its own session
	KilledWithCaller                     // killed when the thread that starts it ends
	TerminatedWithCaller                 // told to end (SIGTERM) then
	WokenWithCaller                      // continued then, if it was stopped (SIGCONT)
)
