//go:build unix

package linux

import (
	"io/fs"
	"syscall"
)

// Owner returns a file's user, group and number of names; known is false where the system has none of
// these.
func Owner(info fs.FileInfo) (user, group int, names uint64, known bool) {
	s, known := info.Sys().(*syscall.Stat_t)
	if !known {
		return -1, -1, 0, false
	}
	return int(s.Uid), int(s.Gid), uint64(s.Nlink), true
}

// Taken returns the bytes of a file system that a file takes, those set aside for it included.
func Taken(info fs.FileInfo) int64 {
	const block = 512 // stat(2)
	if s, known := info.Sys().(*syscall.Stat_t); known {
		return block * int64(s.Blocks)
	}
	return info.Size()
}
