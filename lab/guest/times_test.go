package guest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// checkTimes: the guest's clock went forwards and back by days all the while, and the
// run's times are as far from each other as it took.
func checkTimes(t *testing.T, info, journal string) {
	var run struct{ Started, Ended time.Time }
	if err := json.Unmarshal([]byte(info), &run); err != nil {
		t.Fatalf("%v:\n%s", err, info)
	}
	took, last, points := time.Duration(0), run.Started, 0
	for text := range strings.Lines(journal) {
		var line struct {
			Started *struct{ Time time.Time }
			Result  *struct {
				Started time.Time
				Elapsed float64 `json:"elapsed_s"`
			}
		}
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		at := last
		switch {
		case line.Started != nil:
			at = line.Started.Time
		case line.Result != nil:
			at = line.Result.Started
			elapsed := time.Duration(line.Result.Elapsed * float64(time.Second))
			took += elapsed
			points++
			if at.Add(elapsed).After(run.Ended.Add(time.Millisecond)) {
				t.Errorf("a point of %v and %v ends after its run, at %v", at, elapsed, run.Ended)
			}
		}
		if at.Before(last) {
			t.Errorf("%v comes after %v", at, last)
		}
		last = at
	}
	if whole := run.Ended.Sub(run.Started); points == 0 || took <= 0 || whole < took || whole > took+time.Minute {
		t.Errorf("from %v to %v it is %v, and %d points took %v", run.Started, run.Ended, whole, points, took)
	}
}
