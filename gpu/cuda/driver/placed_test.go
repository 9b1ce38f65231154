package driver_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// TestPlacedMemory of each kind holds what is copied to it and is given back; managed
// memory is never asked for beyond what is free.
func TestPlacedMemory(t *testing.T) {
	s := drivertest.Build(t)
	g := s.Open(t)
	defer g.Close()
	for _, kind := range []gpu.Memory{gpu.DeviceMemory, gpu.MappedMemory, gpu.ManagedMemory} {
		before := s.Get("used_bytes")
		d := g.Placed(kind)
		p, err := d.Alloc(64)
		if err != nil {
			t.Fatal(err)
		}
		if used := s.Get("used_bytes") > before; used == (kind == gpu.MappedMemory) {
			t.Errorf("%s: the device's memory is used: %v", kind, used)
		}
		want, got := []int32{1, 2, 3}, make([]int32, 3)
		if err := errors.Join(gpu.Upload(d, p, want), gpu.Download(d, got, p)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v", kind, got, err)
		}
		if kind == gpu.DeviceMemory {
			if d.View(p, 64) != nil {
				t.Error("the host can address the device's own memory")
			}
		} else if view := d.View(p+8, 4); len(view) != 4 || view[0] != 3 || d.View(p+8, 57) != nil || d.View(p-1, 4) != nil {
			t.Errorf("%s: the host sees %v", kind, view)
		}
		if err := d.Free(p); err != nil || s.Get("used_bytes") != before {
			t.Errorf("%s: %v, %d bytes are left", kind, err, s.Get("used_bytes")-before)
		}
		if d.View(p, 4) != nil {
			t.Errorf("%s: memory that was given back is seen", kind)
		}
		if _, err := d.Alloc(0); err == nil {
			t.Errorf("%s: nothing was allocated", kind)
		}
	}
	s.Fail("cuMemAllocManaged", 999)
	d := g.Placed(gpu.ManagedMemory)
	if _, err := d.Alloc(s.Get("memory_bytes") + 1); !errors.Is(err, gpu.ErrOutOfMemory) || !strings.Contains(err.Error(), "managed memory on cuda:0, which has") {
		t.Errorf("more than is free: %v", err)
	}
	if _, err := d.Alloc(64); err == nil || errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("a refusal of the driver: %v", err)
	}
}
