package measure

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// TestLingering: a quiet process has no thread that goes on, and one that computes is named, however long it waits for
// a processor. A C thread's is measured by TestThreadsThatGoOn of package command.
func TestLingering(t *testing.T) {
	if said := Lingering(); said != "" {
		t.Errorf("of a quiet process: %s", said)
	}
	var over atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		for !over.Load() {
		}
	}()
	if said := Lingering(); !strings.Contains(said, "1 of its threads compute") {
		t.Errorf("of one that computes: %q", said)
	}
	over.Store(true)
	<-ended
}
