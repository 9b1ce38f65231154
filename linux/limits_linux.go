package linux

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

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
	if err := enoughFiles(); err != nil {
		return err
	}
	limit := unix.Rlimit{Cur: unix.RLIM_INFINITY}
	_ = unix.Getrlimit(unix.RLIMIT_NPROC, &limit) // where it is unknown, there may be none
	return enoughThreads("/", limit.Cur, manyProcesses())
}

// Heed has the memory collected more often as it nears the limit of the address space (ulimit
// -v), and not only where it has doubled: leastSpace of it is for others, and a sixteenth of the
// rest for what comes before it is collected.
func Heed() {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur > math.MaxInt64 || debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return
	}
	rest := int64(limit.Cur) - leastSpace
	debug.SetMemoryLimit(max(rest-rest/16, int64(limit.Cur/4)))
	debug.SetGCPercent(heeding)
}

// heeding is by how many percent memory grows before it is collected where there is a limit:
// what was mapped counts for ever, also where it was large and is free.
const heeding = 30

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

// leastThreads is how many processes and threads a run needs beside those that are there:
// of this program and of its worker, each of which has some for each CPU, and of a program
// or compiler. With two CPUs, some runs fail with 15 and none with 18.
func leastThreads() int64 { return int64(12 + 4*runtime.NumCPU()) }

// enoughThreads refuses a limit of processes and threads that is too low: the user's
// (ulimit -u) or a control group's (pids.max), which containers and login nodes have.
func enoughThreads(root string, limit uint64, exempt bool) error {
	need := leastThreads()
	if !exempt && limit < math.MaxInt64 && int64(limit)-allThreads(root) < need { // all of the machine: a look is cheap
		if used := userThreads(root, unix.Getuid()); int64(limit)-used < need {
			return tooFewThreads(need, int64(limit), used, "a user's, ulimit -u")
		}
	}
	for _, folder := range pidsGroups(root) {
		most, err := numberIn(filepath.Join(folder, "pids.max"))
		if err != nil { // there is none, or it is "max"
			continue
		}
		used, err := numberIn(filepath.Join(folder, "pids.current"))
		if err == nil && most-used < need {
			return tooFewThreads(need, most, used, "of "+filepath.Join(folder, "pids.max"))
		}
	}
	return nil
}

func tooFewThreads(need, most, used int64, which string) error {
	return fmt.Errorf("at most %d processes and threads may run, %d do, and a run needs up to %d more: raise the limit (%s)", most, used, need, which)
}

func numberIn(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// allThreads is how many processes and threads the machine has, of which this user's are
// some (proc(5), loadavg); very many where it is not known.
func allThreads(root string) int64 {
	text, err := os.ReadFile(filepath.Join(root, "proc/loadavg"))
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 3 {
		if _, all, found := strings.Cut(fields[3], "/"); found {
			if n, err := strconv.ParseInt(all, 10, 64); err == nil {
				return n
			}
		}
	}
	return math.MaxInt32
}

// userThreads is how many processes and threads a user has here.
func userThreads(root string, uid int) (n int64) {
	paths, _ := filepath.Glob(filepath.Join(root, "proc/[0-9]*/status")) // the pattern is good
	for _, path := range paths {
		text, _ := os.ReadFile(path) // it may have ended
		mine, threads := false, int64(0)
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			switch fields := strings.Fields(value); {
			case len(fields) == 0:
			case name == "Uid":
				mine = fields[0] == strconv.Itoa(uid)
			case name == "Threads":
				threads, _ = strconv.ParseInt(fields[0], 10, 64)
			}
		}
		if mine {
			n += threads
		}
	}
	return n
}

// pidsGroups are the folders of the control group that this process is in and of those
// above it, for both versions (cgroups(7)). Within a container the group's own name may
// be missing, and the topmost folder is its own.
func pidsGroups(root string) (folders []string) {
	text, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup")) // none: no limits
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) < 3 {
			continue
		}
		for _, top := range map[string][]string{"": {"sys/fs/cgroup", "sys/fs/cgroup/unified"}, "pids": {"sys/fs/cgroup/pids"}}[parts[1]] {
			for group := filepath.Clean("/" + parts[2]); ; group = filepath.Dir(group) {
				folders = append(folders, filepath.Join(root, top, group))
				if group == "/" {
					break
				}
			}
		}
	}
	return folders
}

// manyProcesses reports whether the limit of a user's processes does not hold for this
// one (getrlimit(2), RLIMIT_NPROC).
func manyProcesses() bool {
	if os.Geteuid() == 0 {
		return true
	}
	var data [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<unix.CAP_SYS_ADMIN|1<<unix.CAP_SYS_RESOURCE) != 0
}
