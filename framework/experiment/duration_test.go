package experiment_test

import (
	"testing"
	"time"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

// TestTimeOnABoard: the model counts what a board's power takes, which is more with the
// driver that does not say how it averages, and nothing for points that are skipped.
func TestTimeOnABoard(t *testing.T) {
	s := experiment.Named(toy())
	s.Config.Measure.PowerWindow = 0.5
	points := []plan.Point{{Device: "cpu"}, {Device: "jetson-tx1"}, {Device: "jetson-tx1", Skip: "no"}}
	facts := *plan.AnyGPU()
	on := func(major int) time.Duration {
		facts.ComputeMajor = major
		return experiment.OnBoard(s, points, facts) - experiment.Duration(s.Config, points, false)
	}
	// By driver: 1.5 + 0.5 + 1.5 + 2 + 0.05 s, and 1.505 + 0.5 + 1.505 + 0.86 + 0.01 s.
	if old, new := on(5), on(8); old.Round(10*time.Millisecond) != 11100*time.Millisecond || new.Round(time.Millisecond) != 8760*time.Millisecond {
		t.Errorf("two points take %v on a TX1 and %v on an Orin beside the timing", old, new)
	}
}

// TestBeside: what is announced says what it leaves out.
func TestBeside(t *testing.T) {
	s := experiment.Named(toy())
	session := &experiment.Session{Experiment: &experiment.Experiment{Subject: s}}
	if got := session.Beside(); got != "" {
		t.Errorf("nothing beside is %q", got)
	}
	s.Config.Measure.Stages = true
	s.Config.Counters = []string{"cycles"}
	if got, want := session.Beside(), ", and the stages of each run and counters beside"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
