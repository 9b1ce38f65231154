package measure

import (
	"strings"
	"sync/atomic"
	"testing"
)

// TestLingering: a thread that computes on is told, however busy the machine is, and a quiet process is not.
func TestLingering(t *testing.T) {
	if len(threadTimes()) == 0 {
		t.Fatal("the system tells no times of threads")
	}
	if said := Lingering(); said != "" {
		t.Errorf("of a quiet process: %s", said)
	}
	var stop atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for !stop.Load() {
		}
	}()
	told := ""
	for range 20 { // a look on a busy machine may say nothing
		if told = Lingering(); told != "" {
			break
		}
	}
	stop.Store(true)
	<-ended
	if !strings.Contains(told, "goes on after its return: 20 ms later 1 of its threads compute") {
		t.Errorf("of a thread that computes: %q", told)
	}
}
