package linux

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestHeed: where the address space has a limit, memory is collected before it is reached; else,
// or where GOMEMLIMIT says otherwise, as Go does.
func TestHeed(t *testing.T) {
	if limited := os.Getenv("BENCH_TEST_HEED"); limited != "" {
		// Run gives a process its limits once it has started.
		for now := (unix.Rlimit{Cur: unix.RLIM_INFINITY}); limited == "true" && now.Cur == unix.RLIM_INFINITY; runtime.Gosched() {
			if err := unix.Getrlimit(unix.RLIMIT_AS, &now); err != nil {
				t.Fatal(err)
			}
		}
		Heed()
		fmt.Print(debug.SetMemoryLimit(-1), " ", debug.SetGCPercent(100), "\n")
		return
	}
	for _, c := range []struct {
		limit   uint64
		goLimit string
		most    int64
		percent int
	}{{6 << 30, "", 15 << 28, heeding}, {4 << 30, "", 15 << 27, heeding}, {2 << 30, "", 1 << 29, heeding}, {0, "", math.MaxInt64, 100}, {6 << 30, "1GiB", 1 << 30, 100}} {
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestHeed$")
		cmd.Env = append(os.Environ(), fmt.Sprint("BENCH_TEST_HEED=", c.limit > 0), "GOGC=", "GOMEMLIMIT="+c.goLimit)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Minute
		if _, err := Run(t.Context(), cmd, Limits{MemoryBytes: c.limit}); err != nil {
			t.Fatal(err, out.String())
		}
		var most int64
		var percent int
		if _, err := fmt.Sscan(out.String(), &most, &percent); err != nil || most != c.most || percent != c.percent {
			t.Errorf("of %d bytes: %s, want at most %d, %d percent", c.limit, out.String(), c.most, c.percent)
		}
	}
}
