package linux

// A Confinement is what a program, and all that it starts, may reach. Folders stand for all below
// them, and what does not exist is left out.
type Confinement struct {
	Read  []string // files and folders to read
	Run   []string // to read, and to start as programs
	Write []string // to read and to change
}

// Protection is what the kernel has to confine programs with.
type Protection struct {
	// Landlock is its version (landlock(7)); 0: there is none, and no file is out of reach.
	Landlock int `json:"landlock"`
	// Seccomp is whether system calls can be refused (seccomp(2)).
	Seccomp bool `json:"seccomp"`
}

// The versions of Landlock from which on it has more than files.
const (
	landlockTruncate = 3
	landlockNetwork  = 4
	landlockDevices  = 5
	landlockScopes   = 6
)

// Missing is what a confined program could reach nevertheless, a part each; none where all is out of reach.
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
