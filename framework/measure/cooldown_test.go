package measure

import (
	"errors"
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
		until   float64 // interrupted then; 0: never
		seconds float64
		above   float64
	}{
		{"cool already", func(float64) map[string]float64 { return map[string]float64{"CPU": 41, "GPU": 47} }, 0, 0, 2},
		{"cools by a degree a second", func(s float64) map[string]float64 { return map[string]float64{"CPU": 48 - s, "GPU": 45} }, 0, 6, 2},
		{"stays warm", func(float64) map[string]float64 { return map[string]float64{"CPU": 40, "GPU": 60} }, 0, 10, 15},
		{"a zone that has gone", func(float64) map[string]float64 { return map[string]float64{"CPU": 40} }, 0, 0, 0},
		{"a new zone", func(float64) map[string]float64 { return map[string]float64{"CPU": 40, "GPU": 45, "x": 99} }, 0, 0, 0},
		{"interrupted", func(float64) map[string]float64 { return map[string]float64{"CPU": 60} }, 3, 3, 20},
		{"none", func(float64) map[string]float64 { return nil }, 0, 0, math.Inf(-1)},
	} {
		var passed time.Duration
		above, err := CoolDown(start, limit, func() (map[string]float64, error) { return c.at(passed.Seconds()), nil }, func(d time.Duration) bool {
			passed += d
			return c.until == 0 || passed.Seconds() < c.until
		})
		if err != nil || passed.Seconds() != c.seconds || above != c.above || StillWarm(above) != (c.above > 2) {
			t.Errorf("%s: %v °C above after %v s, %v; want %v after %v s", c.name, above, passed.Seconds(), err, c.above, c.seconds)
		}
	}
	broken := errors.New("no worker")
	if _, err := CoolDown(start, limit, func() (map[string]float64, error) { return nil, broken }, nil); !errors.Is(err, broken) {
		t.Errorf("a failing read: %v", err)
	}
}
