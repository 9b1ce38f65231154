package executable

import (
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// FuzzReport checks that whatever a program prints is either refused or read as times and counts.
func FuzzReport(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`{"times_s": [1, 2e-9], "runs": 2, "nominal_flops": 2e9, "nominal_bytes": 0, "error": null, "error_bound": 1e-300}`))
	f.Add([]byte(`{"time_s": 1e999, "flops": 9223372036854775808, "load_bytes": -0.0}`))
	many := []config.Argument{{Value: framework.IntValue(3)}}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := parse(line)
		if err != nil {
			return
		}
		if r.timed() == nil && len(r.times) == 0 || r.countRuns(many) < 1 || min(r.flops, r.load, r.store, r.load+r.store) < 0 {
			t.Errorf("%s: %+v", line, r)
		}
		for _, x := range r.times {
			if framework.CheckSeconds(x) != nil {
				t.Errorf("%s: time %v", line, x)
			}
		}
	})
}
