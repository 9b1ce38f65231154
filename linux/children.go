package linux

import (
	"fmt"
	"strings"
)

// Process is one that was ended.
type Process struct {
	PID  int
	Name string // of the program, as ps has it
}

func (p Process) String() string { return fmt.Sprintf("%s (pid %d)", p.Name, p.PID) }

// mostNamed is how many processes Left names.
const mostNamed = 5

// Left says which processes of somebody were ended; empty for none.
func Left(ended []Process, whose string) string {
	if len(ended) == 0 {
		return ""
	}
	var names []string
	for _, p := range ended[:min(len(ended), mostNamed)] {
		names = append(names, p.String())
	}
	if len(ended) > mostNamed {
		names = append(names, "…")
	}
	processes := "process"
	if len(ended) > 1 {
		processes = "processes"
	}
	return fmt.Sprintf("ended %d %s that %s left: %s", len(ended), processes, whose, strings.Join(names, ", "))
}

// Limits are what a command, and each process that it starts, may use; 0: any.
type Limits struct {
	FileBytes   uint64 // of a file that it writes
	MemoryBytes uint64 // of address space
	// Threads is how many threads and processes there may be beside those that the machine has
	// now, of a user who is not root.
	Threads uint64
	// Within is what Run confines the command to; nil: nothing is out of its reach.
	Within *Confinement
}
