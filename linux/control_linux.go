package linux

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// What Start starts is put into a control group of its own (cgroups(7), the second version), where
// this process may make one: what is started from there stays in it, whatever becomes of its
// parents, its session and its mark. Groups whose maker is gone are ended by whoever looks next: a
// watcher, or the next process that starts something.
var controls struct {
	looked bool
	under  string         // the folder of this process's own group; empty: no group can be made
	name   string         // the first part of those of this process's groups
	made   int            // groups
	of     map[int]string // folders, by the process that was put there
}

// controlName matches the folder of a group: the namespace of processes, the maker's number there and the
// moment it began, and the number of the group.
var controlName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^bench-(\d+)-(\d+)-(\d+)-\d+$`) })

// ownControl is the folder of this process's group; empty where there is none.
func ownControl() string {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return ""
	}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return ""
	}
	for _, line := range strings.Split(string(groups), "\n") {
		path, unified := strings.CutPrefix(line, "0::")
		if !unified || strings.Contains(path, "..") { // outside of what this process sees
			continue
		}
		for _, mount := range strings.Split(string(mounts), "\n") {
			if f := strings.Fields(mount); len(f) > 2 && f[2] == "cgroup2" {
				return filepath.Join(f[1], path)
			}
		}
	}
	return ""
}

// namespace is a number that all processes share which see the same numbers of processes; empty where it is not told.
func namespace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.Trim(space, "pid:[]")
}

// begun is the moment at which a process began; 0 for one that has ended.
func begun(pid int) uint64 {
	s, err := statOf(pid)
	if err != nil || s.state == "Z" || s.state == "X" {
		return 0
	}
	return s.begun
}

// controlled has a command start in a group of its own, whose folder it returns, with what is to be closed
// once it was started; empty where there is none. The caller holds started.
func controlled(cmd *exec.Cmd) (folder string, opened *os.File) {
	c := &controls
	if !c.looked {
		c.looked, c.under, c.of = true, ownControl(), map[int]string{}
		c.name = fmt.Sprintf("bench-%s-%d-%d", namespace(), os.Getpid(), begun(os.Getpid()))
		sweepControls(c.under)
	}
	if folder, opened = makeControl(); opened == nil {
		c.under = ""
		return "", nil
	}
	if c.made == 1 && !startsWithin(opened) {
		c.under = ""
		opened.Close()
		_ = os.Remove(folder)
		return "", nil
	}
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(opened.Fd())
	return folder, opened
}

func makeControl() (folder string, opened *os.File) {
	c := &controls
	if c.under == "" {
		return "", nil
	}
	folder = filepath.Join(c.under, fmt.Sprintf("%s-%d", c.name, c.made+1))
	if os.Mkdir(folder, 0o700) != nil {
		return "", nil
	}
	opened, err := os.Open(folder)
	if err != nil {
		_ = os.Remove(folder)
		return "", nil
	}
	c.made++
	return folder, opened
}

// startsWithin tells whether processes can start in a group (clone3(2), CLONE_INTO_CGROUP, from Linux 5.7
// on, and where nothing forbids it): one that begins there and finds no program.
func startsWithin(group *os.File) bool {
	cmd := &exec.Cmd{Path: "/proc/self/none", SysProcAttr: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}}
	return errors.Is(cmd.Start(), os.ErrNotExist)
}

// controlOf is the folder of the group that a process of Start was put into; empty: none.
func controlOf(pid int) string {
	started.Lock()
	defer started.Unlock()
	return controls.of[pid]
}

// killControl ends all in a group, and in those below it.
func killControl(folder string) {
	if folder == "" || os.WriteFile(filepath.Join(folder, "cgroup.kill"), []byte("1"), 0) == nil {
		return
	}
	// A kernel before 5.14.
	_ = filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			text, _ := os.ReadFile(filepath.Join(path, "cgroup.procs"))
			for _, pid := range numbers(text) {
				Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
			}
		}
		return nil
	})
}

// removeControl ends all in a group, and removes it once that is gone.
func removeControl(folder string) {
	if folder == "" {
		return
	}
	for deadline := time.Now().Add(endTime); ; time.Sleep(time.Millisecond) {
		killControl(folder)
		below, _ := filepath.Glob(filepath.Join(folder, "*", "cgroup.procs")) // the pattern is good
		for _, path := range below {
			removeControl(filepath.Dir(path))
		}
		if err := os.Remove(folder); err == nil || os.IsNotExist(err) || time.Now().After(deadline) {
			return
		}
	}
}

// sweepControls ends groups in a folder whose maker is gone.
func sweepControls(under string) {
	if under == "" {
		return
	}
	here := namespace()
	entries, _ := os.ReadDir(under) // none: nothing is there to end
	for _, e := range entries {
		m := controlName().FindStringSubmatch(e.Name())
		if m == nil || m[1] != here {
			continue
		}
		pid, _ := strconv.Atoi(m[2])
		if moment, _ := strconv.ParseUint(m[3], 10, 64); begun(pid) != moment {
			removeControl(filepath.Join(under, e.Name()))
		}
	}
}
