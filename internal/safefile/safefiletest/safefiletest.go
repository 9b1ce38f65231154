// Package safefiletest holds folders for tests.
package safefiletest

import (
	"testing"

	"example.org/bench/internal/safefile"
)

// Hold makes a folder, unless it is there, and holds it until the test ends.
func Hold(t testing.TB, path string) *safefile.Folder {
	t.Helper()
	d, err := safefile.MakeFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}
