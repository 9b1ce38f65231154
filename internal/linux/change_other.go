//go:build !linux

package linux

import (
	"io/fs"
	"time"
)

// Change returns known false: nothing is measured on other systems.
func Change(fs.FileInfo) (at time.Time, file string, known bool) { return at, "", false }
