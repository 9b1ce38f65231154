package measure

import (
	"testing"
	"time"

	"example.org/bench/framework"
)

// sleeping takes time of the kernel's clock.
type sleeping struct{ framework.CPUAlgorithm }

func (sleeping) Run() error { time.Sleep(time.Millisecond); return nil }

// TestClock: the machine's own clock is right, whatever interrupts; one that shows a quarter is not.
func TestClock(t *testing.T) {
	for range 20 {
		if err := rightClock(sleeping{}, 1); err != nil {
			t.Error(err)
		}
	}
	const want = "the clock of the process shows 250 µs where the kernel's shows 1 ms: the version has changed it"
	if c := (&Clock{Mapped: 250e-6, Kernel: 1e-3}); !c.wrong() || c.Error() != want {
		t.Errorf("%v, wrong: %v", c, c.wrong())
	}
	if c := (&Clock{Mapped: 1e-3, Kernel: 1.09e-3}); c.wrong() {
		t.Error(c)
	}
}
