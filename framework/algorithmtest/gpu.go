//go:build gpu

package algorithmtest

import (
	"runtime"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
)

func init() {
	openGPU = func(t *testing.T) gpu.Device {
		t.Helper()
		runtime.LockOSThread()
		g, err := driver.Open(0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := g.Close(); err != nil {
				t.Error(err)
			}
			runtime.UnlockOSThread()
		})
		return g
	}
}
