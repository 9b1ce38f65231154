//go:build !unix

package linux

import "io/fs"

// Owner returns known false: Windows has no user numbers.
func Owner(fs.FileInfo) (user, group int, names uint64, known bool) { return -1, -1, 0, false }

// Taken returns a file's size.
func Taken(info fs.FileInfo) int64 { return info.Size() }
