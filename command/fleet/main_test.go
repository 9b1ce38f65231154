package fleet

import (
	"os"
	"testing"
)

// TestMain keeps the key of seals in a folder of the tests' own.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-fleet-state")
	if err != nil {
		panic(err)
	}
	os.Setenv("STATE_DIRECTORY", dir)
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}
