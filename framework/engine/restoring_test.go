package engine

import (
	"errors"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// restored is a stand-in that answers in place of its inputs, which are restored before each run.
type restored struct {
	*standIn
	answered *bool
}

func (r restored) Reset() error {
	*r.answered = false
	return nil
}

func (r restored) Run() error {
	*r.answered = true
	return r.standIn.Run()
}

// Recheck implements framework.Rechecker.
func (r restored) Recheck() ([]framework.Check, error) {
	if !*r.answered {
		return nil, errors.New("the inputs are there and no answer")
	}
	return r.standIn.Verify()
}

// TestRestoringIsMeasuredAlone: where a version restores its inputs that has a window of its own, in
// a run and in turns; else there is none. The answer is there to be verified after it.
func TestRestoringIsMeasuredAlone(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	for i, v := range b.opt.Factory.Versions {
		if v.Name == "tires" {
			b.opt.Factory.Versions[i].New = func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
				return restored{&standIn{"ok", b.log, nil, b.hang, 0}, new(bool)}, nil
			}
		}
	}
	for version, restores := range map[string]bool{"ok": false, "tires": true} {
		r, err := b.Measure(t.Context(), pointOf(version, 1), nil, watcher{b.log}, nil)
		if err != nil || r.Status != record.OK || r.Energy == nil || r.Energy.Runs == 0 {
			t.Fatalf("%s: %+v, %v", version, r, err)
		}
		alone := r.Energy.Restoring
		if (alone != nil) != restores {
			t.Errorf("%s: restoring %+v", version, alone)
		}
		if alone != nil && (alone.Runs == 0 || alone.Window <= 0 || alone.Channels[0].Power < 9 || len(r.Energy.Samples) == 0) {
			t.Errorf("%s: restoring %+v", version, alone)
		}
	}
}
