package linux

import (
	"fmt"
	"strings"
)

// Process is a process that was ended.
type Process struct {
	PID  int
	Name string // of the program, as ps prints it
}

func (p Process) String() string { return fmt.Sprintf("%s (pid %d)", p.Name, p.PID) }

// mostNamed is the largest number of processes that Left names.
const mostNamed = 5

// Left returns a text that names the ended processes of somebody; it is empty for none.
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

// Limits are the limits of a command and of each process that it starts; 0 for no limit.
type Limits struct {
	FileBytes   uint64 // of a file that it writes
	MemoryBytes uint64 // of address space
	// Threads is the number of threads and processes that may exist beyond those that the machine has
	// now, for a user who is not root.
	Threads uint64
	// Within is what Run confines the command to; nil for no confinement.
	Within *Confinement
}
