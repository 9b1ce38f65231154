package analytical

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/occupancy"
)

// small is a multiprocessor of 20 warps and 10 blocks, with registers for 32 a
// thread.
var small = gpu.Facts{WarpSize: 32, MaxThreadsPerSM: 640, MaxThreadsBlock: 640, MaxBlocksPerSM: 10, RegistersPerSM: 20480, RegistersBlock: 20480,
	SharedPerSM: 10240, SharedPerBlock: 10240, SharedOptIn: 10240, ComputeMajor: 5}

// TestGuidelineSteps are the steps of section IV-A and what decides among equals.
func TestGuidelineSteps(t *testing.T) {
	for _, c := range []struct {
		name string
		list []Candidate
		want int
	}{
		{"none can run", []Candidate{{Threads: 641}, {Threads: 0}}, -1},
		{"what cannot run is left out", []Candidate{{Threads: 641, Elements: 8}, {Threads: 64, Elements: 2}}, 1},
		{"both at their maximum", []Candidate{{Threads: 640, Elements: 8}, {Threads: 64, Elements: 2}}, 1},
		{"both at their maximum, and more elements", []Candidate{{Threads: 64, Elements: 2}, {Threads: 64, Elements: 4}, {Threads: 64, Elements: 3}}, 1},
		// 5 blocks of 4 warps are all warps; 6 of 2 are 60 %, 5 of 2 are 50 %
		{"most blocks in the range", []Candidate{{Threads: 128, Elements: 8}, {Threads: 64, SharedBytes: 1536}, {Threads: 64, SharedBytes: 2048}}, 1},
		{"of as many blocks most elements", []Candidate{{Threads: 128, Elements: 2}, {Threads: 128, Elements: 4}, {Threads: 128, Elements: 1}}, 1},
		{"below the range most warps", []Candidate{{Threads: 32, SharedBytes: 1024, Elements: 9}, {Threads: 96, SharedBytes: 3072}, {Threads: 64, SharedBytes: 5120}}, 0},
		{"below the range, of as many warps most elements",
			[]Candidate{{Threads: 64, SharedBytes: 2560, Elements: 2}, {Threads: 128, SharedBytes: 5120, Elements: 4}, {Threads: 128, SharedBytes: 5120, Elements: 3}}, 1},
		{"below the range, of equals most blocks", []Candidate{{Threads: 128, SharedBytes: 5120}, {Threads: 64, SharedBytes: 2560}, {Threads: 256, SharedBytes: 10240}}, 1},
		{"equals: the first", []Candidate{{Threads: 64}, {Threads: 64}}, 0},
		{"a shuffle at 60 %", []Candidate{{Threads: 64}, {Threads: 64, SharedBytes: 1536, Shuffle: true}}, 1},
		{"a shuffle at 50 %", []Candidate{{Threads: 64}, {Threads: 64, SharedBytes: 2048, Shuffle: true}}, 0},
		// 48 registers leave 12 warps, 56 leave 8
		{"the largest radix whose registers leave 60 %", []Candidate{{Threads: 64, Radix: 2}, {Threads: 64, Radix: 4, Registers: 48}, {Threads: 64, Radix: 8, Registers: 56}}, 1},
		{"no radix leaves 60 %: the smallest", []Candidate{{Threads: 64, Radix: 8, Registers: 64}, {Threads: 64, Radix: 2, Registers: 80}, {Threads: 64, Radix: 4, Registers: 56}}, 1},
		{"the smallest comes first", []Candidate{{Threads: 64, Radix: 2, Registers: 80}, {Threads: 64, Radix: 4, Registers: 56}}, 0},
	} {
		got, o := Choose(small, c.list)
		if got != c.want {
			t.Errorf("%s: %d (%+v), want %d", c.name, got, o, c.want)
		}
	}
}

// TestOccupancyBounds are the cases at which a limit begins to count.
func TestOccupancyBounds(t *testing.T) {
	newer := small
	newer.ComputeMajor = 8
	for _, c := range []struct {
		name                              string
		f                                 gpu.Facts
		threads, registers, bytes, blocks int
		limit                             string
	}{
		{"threads and blocks at once: threads are named", small, 64, 0, 0, 10, "threads"},
		{"a thread", small, 1, 0, 0, 10, "blocks"},
		{"the largest block", small, 640, 0, 0, 1, "threads"},
		{"a block beyond it", small, 641, 0, 0, 0, "threads"},
		{"as many bytes as there are", small, 64, 0, 10240, 1, "shared memory"},
		{"one more", small, 64, 0, 10241, 0, "shared memory"},
		// in units of 256 bytes, 128 since compute capability 8.0
		{"units of 256", small, 64, 0, 1025, 8, "shared memory"},
		{"units of 128", newer, 64, 0, 1025, 8, "shared memory"},
		{"1152 bytes in units of 256", small, 64, 0, 1152, 8, "shared memory"},
		{"1100 bytes in units of 128", newer, 32, 0, 1100, 8, "shared memory"},
		{"1300 bytes in units of 256", small, 32, 0, 1300, 6, "shared memory"},
		{"1300 bytes in units of 128", newer, 32, 0, 1300, 7, "shared memory"},
	} {
		o := occupancy.Of(c.f, c.threads, c.registers, c.bytes)
		if o.Blocks != c.blocks || o.Limit != c.limit {
			t.Errorf("%s: %d blocks by %s, want %d by %s", c.name, o.Blocks, o.Limit, c.blocks, c.limit)
		}
	}
}

// TestSharedBytes: only a complex transform beyond 16 KiB is halved.
func TestSharedBytes(t *testing.T) {
	for _, c := range []struct {
		m              prefixModel
		elements, want int
	}{{fftModel, 1024, 8 << 10}, {fftModel, 2048, 16 << 10}, {fftModel, 4096, 16 << 10}, {systemModel, 2048, 32 << 10}} {
		if got := c.m.sharedBytes(c.elements); got != c.want {
			t.Errorf("%d elements of %d bytes: %d, want %d", c.elements, c.m.elementBytes, got, c.want)
		}
	}
}

// TestSmallestProblem: four elements, which a thread may hold alone.
func TestSmallestProblem(t *testing.T) {
	f := tx1(t).Facts
	for _, n := range []int{0, 1, 2, 3, 6} {
		if s, ok := SettingOf(f, "fft", "stockham", n); ok {
			t.Errorf("N = %d: %+v", n, s)
		}
	}
	if s, ok := SettingOf(f, "fft", "stockham", 4); !ok || s.P != 4 {
		t.Errorf("N = 4: %+v", s)
	}
}
