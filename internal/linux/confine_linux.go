package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights to files that Landlock distinguishes, by the version that introduced them (landlock(7)).
const (
	readRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runRights  = readRights | unix.LANDLOCK_ACCESS_FS_EXECUTE
	// fileRights are the rights that a rule about a file can give.
	fileRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	firstRights = unix.LANDLOCK_ACCESS_FS_MAKE_SYM<<1 - 1 // of version 1: all up to this
)

// writeRights allow making and changing files and folders, and no other kind of directory entry.
const writeRights = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER

// growRights leave all that was ever written where others can count it.
const growRights = writeRights &^ (unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REFER)

// handled returns the rights that a version of Landlock knows.
func handled(version int) uint64 {
	rights := uint64(firstRights)
	for from, right := range map[int]uint64{2: unix.LANDLOCK_ACCESS_FS_REFER, landlockTruncate: unix.LANDLOCK_ACCESS_FS_TRUNCATE, landlockDevices: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV} {
		if version >= from {
			rights |= right
		}
	}
	return rights
}

// Protections finds out, once, what this kernel offers.
var Protections = sync.OnceValue(func() (p Protection) {
	const versionOnly = 1 // LANDLOCK_CREATE_RULESET_VERSION
	if v, _, err := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, versionOnly); err == 0 {
		p.Landlock = int(v)
	}
	// Where filters exist, a filter at address 0 is a bad address.
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, 0)
	p.Seccomp = err == unix.EFAULT
	return p
})

// Start calls start, which starts a program that is confined from its beginning; this process is not
// confined. What depends on the thread that starts the program does so until end is called.
//
// Go's threads cannot all be confined at once in a program that loads libraries
// (syscall.AllThreadsSyscall), and this process must not be. Only one thread is confined: what it starts
// inherits the confinement, and the thread then ends.
func (c *Confinement) Start(start func() error) (end func(), err error) {
	_, _ = os.FindProcess(os.Getpid()) // the confined thread must not be the first to look for process descriptors
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this function
		err := c.enter()
		if err == nil {
			err = start()
		}
		started <- err
		if err == nil {
			<-ended
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return sync.OnceFunc(func() { close(ended) }), nil
}

// enter confines the calling thread.
func (c *Confinement) enter() error {
	has := Protections()
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("give up rights: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new rights: %w", err)
	}
	if has.Landlock > 0 {
		if err := c.restrict(has.Landlock); err != nil {
			return fmt.Errorf("confine to files (Landlock): %w", err)
		}
	}
	if !has.Seccomp {
		return nil
	}
	return install(refused(false), 0)
}

// keptCapabilities are the capabilities that a confined program of root keeps: reading other users' files
// within the confinement, and what measuring needs.
var keptCapabilities = []uint{unix.CAP_DAC_OVERRIDE, unix.CAP_IPC_LOCK, unix.CAP_SYS_NICE}

// dropCapabilities leaves only those to the calling thread. Programs that it starts gain no others,
// because of PR_SET_NO_NEW_PRIVS.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	var kept [2]uint32
	for _, c := range keptCapabilities {
		kept[c/32] |= 1 << (c % 32)
	}
	for i := range data {
		data[i] = unix.CapUserData{Effective: data[i].Effective & kept[i], Permitted: data[i].Permitted & kept[i]}
	}
	return unix.Capset(&header, &data[0])
}

// restrict limits the files that the calling thread can reach.
func (c *Confinement) restrict(version int) error {
	rights := handled(version)
	attr := unix.LandlockRulesetAttr{Handled_access_fs: rights}
	length := unsafe.Sizeof(attr.Handled_access_fs)
	if version >= landlockNetwork {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		length += unsafe.Sizeof(attr.Handled_access_net)
	}
	if version >= landlockScopes {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
		length += unsafe.Sizeof(attr.Scoped)
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), length, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	for _, list := range []struct {
		paths  []string
		rights uint64
	}{{c.Read, readRights}, {c.Run, runRights}, {c.Write, writeRights}, {c.Grow, growRights}} {
		for _, path := range list.paths {
			if err := allow(int(fd), path, list.rights&rights); err != nil {
				return err
			}
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// allow adds a rule for a file, or for a folder and everything below it. It adds none for a path that
// does not exist or cannot be reached anyway.
func allow(ruleset int, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOTDIR) {
			return nil
		}
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(at)
	var is unix.Stat_t
	if err := unix.Fstat(at, &is); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if is.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return &os.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}

// Isolate prevents all threads of this process, from now on, from starting a program or another process, from
// signalling, inspecting or changing another one, and from taking space that no name shows. It does nothing where
// the kernel cannot refuse system calls.
func Isolate() error {
	if !Protections().Seccomp {
		return nil
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil { // root does not need it
		return err
	}
	return install(refused(true), unix.SECCOMP_FILTER_FLAG_TSYNC)
}
