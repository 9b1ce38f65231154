package linux

// A Confinement lists what a program, and everything that it starts, may reach. A folder stands for
// everything below it; what does not exist is left out.
type Confinement struct {
	Read  []string // files and folders that may be read
	Run   []string // may be read, and started as programs
	Write []string // may be read and changed
	Grow  []string // may be read, written and added to; what is in them is not removed or renamed
}

// Protection is what the kernel offers to confine programs.
type Protection struct {
	// Landlock is the version of Landlock (landlock(7)); 0 where there is none and files cannot be
	// protected.
	Landlock int `json:"landlock"`
	// Seccomp says whether system calls can be refused (seccomp(2)).
	Seccomp bool `json:"seccomp"`
}

// The versions of Landlock that added protections beyond the first version's.
const (
	landlockTruncate = 3
	landlockNetwork  = 4
	landlockDevices  = 5
	landlockScopes   = 6
)

// Missing returns what a confined program could reach nevertheless, one string for each part; nil where
// it can reach nothing else.
func (p Protection) Missing() (parts []string) {
	if p.Landlock == 0 {
		parts = append(parts, "files, as this kernel has no Landlock")
	} else if p.Landlock < landlockTruncate {
		parts = append(parts, "truncating files, as this kernel's Landlock is older than that of Linux 6.2")
	}
	if !p.Seccomp {
		parts = append(parts, "the network and other processes, as this kernel refuses no system calls (seccomp)")
	}
	return parts
}
