package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/internal/safefile"
)

// energyCache is a cache folder with no calibration, in which the loads' compiled code stays for the next time: it is kept by
// the path of its source, and NVRTC takes a minute of processor time for it.
func energyCache(t *testing.T) string {
	t.Helper()
	user, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(user, "bench", "energy-test")
	if err := os.MkdirAll(filepath.Join(cache, "bench"), 0o700); err != nil {
		t.Fatal(err)
	}
	lock, err := os.OpenFile(filepath.Join(cache, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	if err := safefile.Lock(lock); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir(filepath.Join(cache, "bench"))
	for _, e := range kept {
		if e.Name() != "kernels" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(cache, "bench", e.Name())))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return cache
}
