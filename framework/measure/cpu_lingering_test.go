package measure

import "testing"

// TestLingering: a quiet process has no thread that goes on. One that does is C code's, as a thread of Go's rests
// whenever its goroutine is preempted: TestThreadsThatGoOn of package command has such functions.
func TestLingering(t *testing.T) {
	if said := Lingering(); said != "" {
		t.Errorf("of a quiet process: %s", said)
	}
}
