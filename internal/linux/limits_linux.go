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

// leastSpace is the address space, in bytes, that surely holds the threads, their stacks and the loader's
// maps. With 1.4 GiB some runs end in a thread that cannot be created, which no Go program survives.
const leastSpace = 2 << 30

// leastFiles is a number of open files with which neither a run nor a library that it loads fails. With 7
// Go's runtime does not start; with 16 a worker may not.
const leastFiles = 64

// Enough returns an error that names a limit of the system that is too low to run at all.
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

// Heed makes the garbage collector run more often near the limit of the address space (ulimit -v), not
// only when memory has doubled. leastSpace of it is left for other uses, and a sixteenth of the rest for
// what is allocated before memory is collected.
func Heed() {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur > math.MaxInt64 || debug.SetMemoryLimit(-1) < math.MaxInt64 {
		return
	}
	rest := int64(limit.Cur) - leastSpace
	debug.SetMemoryLimit(max(rest-rest/16, int64(limit.Cur/4)))
	debug.SetGCPercent(heeding)
}

// heeding is the growth in percent before memory is collected where there is a limit. Mapped memory
// counts for ever, even if it was large and is free.
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

// leastThreads returns the number of processes and threads that a run needs beyond the existing ones:
// those of this program and of its worker, each of which has some for each CPU, and those of a program or
// compiler. With two CPUs, some runs fail with 15 and none with 18.
func leastThreads() int64 { return int64(12 + 4*runtime.NumCPU()) }

// enoughThreads refuses a limit of processes and threads that is too low: the user's
// (ulimit -u) or a control group's (pids.max), which containers and login nodes have.
func enoughThreads(root string, limit uint64, exempt bool) error {
	need := leastThreads()
	if !exempt && limit < math.MaxInt64 && int64(limit)-allThreads(root) < need { // counting all of the machine's is cheap
		if used := userThreads(root, unix.Getuid()); int64(limit)-used < need {
			return tooFewThreads(need, int64(limit), used, "a user's, ulimit -u")
		}
	}
	for _, folder := range pidsGroups(root) {
		most, err := numberIn(filepath.Join(folder, "pids.max"))
		if err != nil { // there is no limit, or it is "max"
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

// allThreads returns the number of processes and threads of the machine, which include this user's
// (proc(5), loadavg); a very large number where it is not known.
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

// userThreads returns the number of processes and threads of a user.
func userThreads(root string, uid int) (n int64) {
	paths, _ := filepath.Glob(filepath.Join(root, "proc/[0-9]*/status")) // the pattern is well formed
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

// pidsGroups returns the folders of this process's control group and of those above it, for both versions
// (cgroups(7)). Within a container the group's own name may be missing, and the topmost folder is the
// container's own.
func pidsGroups(root string) (folders []string) {
	text, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup")) // no file means no limits
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

// manyProcesses reports whether this process is exempt from the limit of a user's processes
// (getrlimit(2), RLIMIT_NPROC).
func manyProcesses() bool {
	if os.Geteuid() == 0 {
		return true
	}
	var data [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	return unix.Capget(&header, &data[0]) == nil && data[0].Effective&(1<<unix.CAP_SYS_ADMIN|1<<unix.CAP_SYS_RESOURCE) != 0
}
