package linux

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"example.org/bench/internal/lazy"
)

// controls are the control groups (cgroups(7), the second version) of what Start starts, where this
// process may make them: each command has its own. What the command starts stays in the group, whatever
// becomes of its parents, its session and its mark. Groups whose maker is gone are ended by the next
// process that looks: a watcher, or one that starts something.
var controls struct {
	looked bool
	under  string         // the folder of this process's own group; empty where no group can be made
	name   string         // common beginning of the names of this process's groups
	made   int            // number of groups
	of     map[int]string // folders, by the process that was put there
}

// controlName matches the folder of a group: the PID namespace, the maker's number there and its start
// time, and the number of the group.
var controlName = lazy.Regexp(`^bench-(\d+)-(\d+)-(\d+)-\d+$`)

// ownControl returns the folder of this process's group; it is empty where there is none.
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

// namespace returns a number that all processes in the same PID namespace share; it is empty where it is
// not known.
func namespace() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.Trim(space, "pid:[]")
}

// begun returns the start time of a process; 0 for one that has ended.
func begun(pid int) uint64 {
	s, err := statOf(pid)
	if err != nil || s.state == "Z" || s.state == "X" {
		return 0
	}
	return s.begun
}

// controlled makes a command start in a group of its own. It returns the group's folder, which is empty
// where there is none, and a file to close after the start. The caller holds started.
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

// startsWithin reports whether processes can be started in a group (clone3(2), CLONE_INTO_CGROUP, from
// Linux 5.7 on, and where nothing forbids it). It tries with a process that begins there and finds no
// program.
func startsWithin(group *os.File) bool {
	cmd := &exec.Cmd{Path: "/proc/self/none", SysProcAttr: &syscall.SysProcAttr{UseCgroupFD: true, CgroupFD: int(group.Fd())}}
	return errors.Is(cmd.Start(), os.ErrNotExist)
}

// controlOf returns the folder of the group that Start put a process into; it is empty where there is
// none.
func controlOf(pid int) string {
	started.Lock()
	defer started.Unlock()
	return controls.of[pid]
}

// killControl kills all processes in a group and in the groups below it.
func killControl(folder string) {
	if folder == "" || os.WriteFile(filepath.Join(folder, "cgroup.kill"), []byte("1"), 0) == nil {
		return
	}
	// Kernels before 5.14 need this.
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

// removeControl kills all processes in a group, and removes the group once they are gone.
func removeControl(folder string) {
	if folder == "" {
		return
	}
	for deadline := time.Now().Add(endTime); ; time.Sleep(time.Millisecond) {
		killControl(folder)
		below, _ := filepath.Glob(filepath.Join(folder, "*", "cgroup.procs")) // the pattern is well formed
		for _, path := range below {
			removeControl(filepath.Dir(path))
		}
		if err := os.Remove(folder); err == nil || os.IsNotExist(err) || time.Now().After(deadline) {
			return
		}
	}
}

// sweepControls ends the groups in a folder whose maker is gone.
func sweepControls(under string) {
	if under == "" {
		return
	}
	here := namespace()
	entries, _ := os.ReadDir(under) // no folder means nothing to end
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
