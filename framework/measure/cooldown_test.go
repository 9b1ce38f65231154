package measure

import (
	"math"
	"testing"
	"time"
)

func TestCoolDown(t *testing.T) {
	const limit = 10 * time.Second
	start := map[string]float64{"CPU": 40, "GPU": 45}
	for _, c := range []struct {
		name    string
		at      func(seconds float64) map[string]float64
		seconds float64
		above   float64
	}{
		{"cool already", func(float64) map[string]float64 { return map[string]float64{"CPU": 41, "GPU": 47} }, 0, 2},
		{"cools by a degree a second", func(s float64) map[string]float64 { return map[string]float64{"CPU": 48 - s, "GPU": 45} }, 6, 2},
		{"stays warm", func(float64) map[string]float64 { return map[string]float64{"CPU": 40, "GPU": 60} }, 10, 15},
		{"a zone that has gone", func(float64) map[string]float64 { return map[string]float64{"CPU": 40} }, 0, 0},
		{"a new zone", func(float64) map[string]float64 { return map[string]float64{"CPU": 40, "GPU": 45, "x": 99} }, 0, 0},
		{"none", func(float64) map[string]float64 { return nil }, 0, math.Inf(-1)},
	} {
		var passed time.Duration
		above := CoolDown(start, limit, func() map[string]float64 { return c.at(passed.Seconds()) }, func(d time.Duration) { passed += d })
		if passed.Seconds() != c.seconds || above != c.above || StillWarm(above) != (c.above > 2) {
			t.Errorf("%s: %v °C above after %v s; want %v after %v s", c.name, above, passed.Seconds(), c.above, c.seconds)
		}
	}
}
