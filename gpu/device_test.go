package gpu_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"example.org/bench/gpu"
)

// memory is a device whose address 100 is the first of its numbers.
type memory struct {
	gpu.Device
	numbers []int32
	fails   int // the call that fails, from 1; 0: none
	calls   int
}

const origin = 100

var errLost = errors.New("lost")

func (m *memory) CopyToHost(dst unsafe.Pointer, src gpu.Pointer, bytes int64) error {
	if m.calls++; m.calls == m.fails {
		return errLost
	}
	at := int64(src-origin) / 4
	copy(unsafe.Slice((*int32)(dst), bytes/4), m.numbers[at:at+bytes/4])
	return nil
}

func TestDownloadParts(t *testing.T) {
	for n := range 12 {
		m := &memory{}
		for i := range n {
			m.numbers = append(m.numbers, int32(i))
		}
		var got []int32
		var parts []int
		err := gpu.DownloadParts(m, n, 4, origin, func(at int, part []int32) {
			if at != len(got) || len(part) > 4 {
				t.Errorf("%d numbers: a part of %d at %d after %d", n, len(part), at, len(got))
			}
			got, parts = append(got, part...), append(parts, len(part))
		})
		if err != nil || !slices.Equal(got, m.numbers) || len(parts) != (n+3)/4 {
			t.Errorf("%d numbers: %v in parts of %v, %v", n, got, parts, err)
		}
	}
	m := &memory{numbers: make([]int32, 20), fails: 3}
	taken := 0
	if err := gpu.DownloadParts(m, 20, 4, origin, func(_ int, part []int32) { taken += len(part) }); !errors.Is(err, errLost) || taken != 8 || m.calls != 3 {
		t.Errorf("a copy that fails: %v after %d of 8 numbers, %d calls", err, taken, m.calls)
	}
}

// A driver of OpenCL may tell a first-level cache of a GPU with memory of its own.
func TestCacheBytes(t *testing.T) {
	for _, c := range []struct {
		facts gpu.Facts
		want  int64
	}{
		{gpu.Facts{L2Bytes: 50 << 20}, 50 << 20},
		{gpu.Facts{L2Bytes: 16 << 10, OpenCL: &gpu.OpenCL{Type: "GPU"}}, 64 << 20},
		{gpu.Facts{L2Bytes: 96 << 20, OpenCL: &gpu.OpenCL{Type: "GPU"}}, 96 << 20},
		{gpu.Facts{L2Bytes: 1 << 20, Integrated: true, OpenCL: &gpu.OpenCL{Type: "GPU"}}, 1 << 20},
		{gpu.Facts{L2Bytes: 0, Integrated: true, OpenCL: &gpu.OpenCL{Type: "GPU"}}, 0},
		{gpu.Facts{L2Bytes: 32 << 20, OpenCL: &gpu.OpenCL{Type: "CPU"}}, 32 << 20},
	} {
		if got := c.facts.CacheBytes(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.facts, got, c.want)
		}
	}
}
