package command_test

import (
	"testing"
	"time"
)

// settled repeats a measurement until its figures are right, for at most a minute
// and a half: other programs on the machine spoil some measurements, a fault of the
// tool spoils all. measure returns what is wrong with the figures; empty where
// nothing is.
func settled(t *testing.T, measure func() string) {
	t.Helper()
	const most = 90 * time.Second
	for start, pause := time.Now(), 200*time.Millisecond; ; pause *= 2 {
		wrong := measure()
		if wrong == "" {
			return
		}
		if time.Since(start)+pause > most {
			t.Error(wrong)
			return
		}
		t.Logf("once more: %s", wrong)
		time.Sleep(pause)
	}
}
