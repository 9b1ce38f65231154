package digest

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func TestDigest(t *testing.T) {
	device := simtest.Open(t)
	held := framework.GPURun{Env: framework.Env{Device: device}}
	defer held.PostRun() //nolint:errcheck // the test has ended
	d, err := New(device)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // the test has ended
	most := 4 * 8 * device.Facts().Multiprocessors * 256
	seen := map[uint64]bool{0: true}
	for _, n := range []int{1, 3, 4, 7, 125, 4 * 256, 4*256 + 4, 4*256 + 6, most + 29} {
		list := make([]byte, n)
		for i := range list {
			list[i] = byte(uint32(i+1) * 0x9e3779b9 >> 24)
		}
		at, err := held.Alloc(int64(n))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name   string
			change func()
		}{
			{"none", func() {}},
			{"first", func() { list[0] ^= 1 }},
			{"middle", func() { list[n/2] ^= 1 << 7 }},
			{"last", func() { list[n-1]++ }},
			{"words exchanged", func() {
				if n >= 8 {
					for i := range 4 {
						list[i], list[4+i] = list[4+i], list[i]
					}
				} else {
					list[0] ^= 0x18
				}
			}},
		} {
			c.change()
			if err := gpu.Upload(device, at, list); err != nil {
				t.Fatal(err)
			}
			sum, err := d.Of(at, int64(n), 0)
			if want := Of(list); err != nil || sum != want {
				t.Errorf("%d bytes, changed: %s: %x on the device, %x here, %v", n, c.name, sum, want, err)
			}
			if seen[sum] {
				t.Errorf("%d bytes, changed: %s: the digest of another array", n, c.name)
			}
			seen[sum] = true
		}
	}
}
