package ceilings

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"example.org/bench/framework/machine"
)

func TestCPUCeilings(t *testing.T) {
	processors, resident := runtime.GOMAXPROCS(0), residentBytes(t)
	start := time.Now()
	rate, single, double, err := CPU(1)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start).Seconds()
	t.Logf("1 worker: copy %.1f GB/s, FMA %.1f and %.1f GFLOP/s, in %.2f s", rate/1e9, single/1e9, double/1e9, took)
	// Wide enough for an emulated CPU on a loaded machine, and for the largest
	// server: only a wrong count of bytes, lanes or seconds falls outside.
	if rate < 50e6 || rate > 10e12 {
		t.Errorf("copy of %v B/s", rate)
	}
	for _, rate := range []float64{single, double} {
		if rate < 50e6 || rate > 2*256e9*float64(runtime.NumCPU()) {
			t.Errorf("multiply-adds of %v FLOP/s on %d CPUs", rate, runtime.NumCPU())
		}
	}
	// A register holds half as many of the longer numbers; without vectors as many.
	if ratio := double / single; ratio < 0.3 || ratio > 1.5 {
		t.Errorf("float64 at %.2f of the rate of float32, want between a half and 1", ratio)
	}
	if runtime.GOMAXPROCS(0) != processors {
		t.Errorf("GOMAXPROCS was %d, is %d", processors, runtime.GOMAXPROCS(0))
	}
	if more := residentBytes(t) - resident; more > leastCopy/2 {
		t.Errorf("%d bytes of memory are not given back", more)
	}
	if _, _, _, err := CPU(0); err == nil {
		t.Error("no workers is not an error")
	}
}

// residentBytes is how much memory this process has.
func residentBytes(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// TestCopyBytes: four times the caches within bounds, and an eighth of the memory.
func TestCopyBytes(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		caches, free int64
		workers      int
		want         int
	}{
		{32 << 20, 64 * gib, 1, 64 << 20}, // 128 MiB, read and written
		{32 << 20, 64 * gib, 4, 16 << 20}, // by four
		{32 << 20, 64 * gib, 3, 20 << 20}, // 21.3 MiB, in units of 2 MiB
		{1 << 20, 64 * gib, 1, 32 << 20},  // at least 64 MiB
		{8 * gib, 1024 * gib, 1, 2 * gib}, // at most 4 GiB
		{8 * gib, 8 * gib, 1, gib / 2},    // of 8 GiB of memory
		{32 << 20, 96 << 20, 3, 2 << 20},  // of 96 MiB
	} {
		if got, err := copyBytes(c.caches, c.free, c.workers); err != nil || got != c.want {
			t.Errorf("%d bytes of caches, %d free, %d workers: %d, %v; want %d", c.caches, c.free, c.workers, got, err, c.want)
		}
	}
	if _, err := copyBytes(32<<20, 95<<20, 3); err == nil {
		t.Error("too little memory is not an error")
	}
}

// Where /proc/meminfo cannot be read, memory is not taken for none.
func TestFreeBytes(t *testing.T) {
	tree := t.TempDir()
	if each, err := copyBytes(32<<20, freeBytes(machine.Tree(tree)), 1); err != nil || each != 64<<20 {
		t.Errorf("without /proc/meminfo: %d bytes, %v", each, err)
	}
	if err := os.Mkdir(filepath.Join(tree, "proc"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tree, "proc/meminfo"), []byte("MemTotal: 4096 kB\nMemFree: 1024 kB\nMemAvailable: 2048 kB\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := freeBytes(machine.Tree(tree)); got != 2<<20 {
		t.Errorf("%d bytes are free, want 2 MiB", got)
	}
}

// TestTeam: every worker is bound to its own CPU where there are enough, and runs at
// the same time as the others.
func TestTeam(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	one, free := newTeam(1)
	one.run(func(int) {
		var set unix.CPUSet
		if err := unix.SchedGetaffinity(0, &set); err != nil || set.Count() != 1 {
			t.Errorf("a thread of %d CPUs, %v; want one", set.Count(), err)
		}
	})
	free()
	many, free := newTeam(processors + 1)
	var together sync.WaitGroup
	together.Add(processors + 1)
	many.run(func(int) { together.Done(); together.Wait() }) // else it never ends
	if got := runtime.GOMAXPROCS(0); got != processors+1 {
		t.Errorf("GOMAXPROCS is %d for %d workers", got, processors+1)
	}
	free()
	if got := runtime.GOMAXPROCS(0); got != processors {
		t.Errorf("GOMAXPROCS was %d, is %d", processors, got)
	}
}

// TestShortest of made-up passes: two that each take all the time there is, and as
// many quick ones as fit.
func TestShortest(t *testing.T) {
	for _, test := range []struct {
		seconds []float64 // of the first passes; the last one's goes on
		want    float64
		passes  int
	}{
		{[]float64{3 * copyTime, 2 * copyTime}, 2 * copyTime, 2},
		{[]float64{2 * copyTime, 3 * copyTime}, 2 * copyTime, 2},
		{[]float64{copyTime / 2, copyTime / 4, copyTime / 8}, copyTime / 8, 4},
	} {
		passes := 0
		got := shortest(func() float64 {
			passes++
			return test.seconds[min(passes, len(test.seconds))-1]
		})
		if got != test.want || passes != test.passes {
			t.Errorf("%v: %v s in %d passes, want %v in %d", test.seconds, got, passes, test.want, test.passes)
		}
	}
}

// TestTeamRun: a pass takes as long as its slowest worker.
func TestTeamRun(t *testing.T) {
	team, free := newTeam(2)
	defer free()
	slowest := 0.0
	seconds := team.run(func(w int) {
		if w == 1 {
			begin := time.Now()
			time.Sleep(time.Millisecond)
			slowest = time.Since(begin).Seconds()
		}
	})
	if slowest == 0 || seconds < slowest {
		t.Errorf("%v s, the slowest worker took %v", seconds, slowest)
	}
}

// TestFMARate of a kernel that takes 100 ns of processor time an iteration: a pass is
// found by doubling, and the rate is of all threads.
func TestFMARate(t *testing.T) {
	const each = 100e-9
	team, free := newTeam(2)
	defer free()
	var lock sync.Mutex
	var calls []int64
	rate := team.fmaRate(fmaKernel{flops: 3, run: func(iterations int64) (int, float64) {
		for begin := threadTime(); threadTime()-begin < each*float64(iterations); {
		}
		lock.Lock()
		defer lock.Unlock()
		calls = append(calls, iterations)
		return 0, 0
	}})
	if want := 2 * 3 / each; rate > want || rate < want/2 {
		t.Errorf("%v FLOP/s, want nearly %v", rate, want)
	}
	passes := calls[len(calls)-2*fmaPasses:]
	if slices.Min(passes) != slices.Max(passes) || float64(passes[0])*each > fmaPass || float64(passes[0])*each < fmaPass/2 {
		t.Errorf("passes of %v iterations, want %v s each", passes, fmaPass)
	}
	for i, n := range calls[:len(calls)-2*fmaPasses] {
		if n != 2000<<(i/2) || float64(n)*each > fmaPass/2 {
			t.Errorf("the clock ramps up by %v iterations, want doubles of 2000 until %v s", calls, fmaPass/4)
		}
	}
}

// TestFMAKernelsCountTheirFLOPs compares the FLOPs that a kernel claims with
// its lanes: each lane counts its multiply-adds.
func TestFMAKernelsCountTheirFLOPs(t *testing.T) {
	single, double := fmaKernels()
	for _, k := range slices.Concat(single, double, []fmaKernel{portableFMA()}) {
		for _, n := range []int64{1, 2, 1000, 123457} {
			if lanes, each := k.run(n); each != float64(n) || k.flops != 2*float64(lanes) {
				t.Errorf("%v FLOPs an iteration: %d iterations left %v in each of %d lanes", k.flops, n, each, lanes)
			}
		}
	}
}

func TestWaysToCopy(t *testing.T) {
	ways := waysToCopy()
	if runtime.GOARCH == "amd64" && len(ways) != 2 {
		t.Errorf("%d ways to copy on amd64 with AVX2, want 2", len(ways))
	}
	team, free := newTeam(1)
	defer free()
	for _, way := range ways {
		team.run(func(int) {
			src, room := make([]byte, 1<<20), make([]byte, 1<<20+64)
			r := rand.NewChaCha8([32]byte{1})
			r.Read(src)
			at := 32 - int(uintptr(start(room))%32)
			dst := room[at : at+len(src)]
			way(dst, src)
			if !bytes.Equal(dst, src) {
				t.Error("copy differs from its source")
			}
			if room[at-1] != 0 || room[at+len(src)] != 0 {
				t.Error("copy wrote outside its destination")
			}
		})
	}
}
