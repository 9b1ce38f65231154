package dynlib

import (
	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

const noExec = unix.ST_NOEXEC

// mounted returns the flags of the file system that holds path; 0 where they are not known.
var mounted = func(path string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return 0
	}
	return int64(s.Flags)
}

func dlopen(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func dlsym(library uintptr, symbol string) (uintptr, error) { return purego.Dlsym(library, symbol) }

func dlclose(library uintptr) error { return purego.Dlclose(library) }
