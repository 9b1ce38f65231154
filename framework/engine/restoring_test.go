package engine

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

// restored is a stand-in whose inputs are restored before each run.
type restored struct{ *standIn }

func (restored) Reset() error { return nil }

// TestRestoringIsMeasuredAlone: where a version restores its inputs that has a window of its own, in
// a run and in turns; else there is none.
func TestRestoringIsMeasuredAlone(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	for i, v := range b.opt.Factory.Versions {
		if v.Name == "tires" {
			b.opt.Factory.Versions[i].New = func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
				return restored{&standIn{"ok", b.log, nil, b.hang, 0}}, nil
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
