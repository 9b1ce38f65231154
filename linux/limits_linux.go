package linux

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// leastSpace is the address space that threads, their stacks and the loader's maps
// are sure to fit in, in bytes: with 1.4 GiB some runs end in a thread that cannot
// be made, which no Go program survives.
const leastSpace = 2 << 30

// leastFiles is a number of open files with which neither a run nor a library that
// it loads fails; with 7 Go's runtime does not start, with 16 a worker may not.
const leastFiles = 64

// Enough says which limit of the system is too low to run at all.
func Enough() error {
	if err := enoughSpace(); err != nil {
		return err
	}
	return enoughFiles()
}

// enoughFiles refuses a limit of open files (ulimit -n) that is too low.
func enoughFiles() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur >= leastFiles {
		return nil
	}
	return fmt.Errorf("at most %d files may be open, and a run needs up to %d: raise the limit (ulimit -n)", limit.Cur, leastFiles)
}

// enoughSpace refuses a limit of the address space (ulimit -v) that is too low.
func enoughSpace() error {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur >= leastSpace {
		return nil
	}
	return fmt.Errorf("the address space is limited to %.3g GiB, and threads need %d GiB of it, however little memory they use: raise the limit (ulimit -v)",
		float64(limit.Cur)/(1<<30), leastSpace>>30)
}
