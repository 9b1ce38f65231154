package tree

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/test/damage"
)

// CheckSensor demands of what opens a sensor on a tree an error of one line, or notes and
// channels of one line each and readings that are numbers of the unit, or none, with a reason.
func CheckSensor(t testing.TB, s framework.Sensor, err error, lowest float64) {
	t.Helper()
	damage.CheckError(t, err)
	if err != nil {
		return
	}
	defer s.Close()
	for _, note := range s.Notes() {
		damage.CheckLine(t, note)
	}
	v := make([]float64, len(s.Channels()))
	if len(v) == 0 {
		t.Error("a sensor without channels")
	}
	if err := s.Sample(v); err != nil {
		damage.CheckError(t, err)
		return
	}
	for i, c := range s.Channels() {
		damage.CheckLine(t, c.Name)
		damage.CheckLine(t, c.Address)
		if math.IsInf(v[i], 0) || v[i] < lowest || c.Counter && (v[i] > c.WrapsAt || !(c.WrapsAt > 0)) {
			t.Errorf("%s reads %v %s and begins anew at %v", c.Name, v[i], c.Unit, c.WrapsAt)
		}
		if f, ok := s.(framework.Failing); ok && math.IsNaN(v[i]) {
			if f.Failure(i) == nil {
				t.Errorf("%s reads nothing, for no reason", c.Name)
			}
			damage.CheckError(t, f.Failure(i))
		}
	}
}
