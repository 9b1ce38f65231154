package measure

import "testing"

// TestLingering: a quiet process has no thread that goes on. One with a C thread that does is measured by
// TestThreadsThatGoOn of package command.
func TestLingering(t *testing.T) {
	if said := Lingering(); said != "" {
		t.Errorf("of a quiet process: %s", said)
	}
}
