package guest

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// frameRate is that of the releases, which does not beat with the readings.
const frameRate = 2.3

const frameConfig = `{"executable": "/bin/wave", "output_file_prefix": "frame", "processor": "CPU", "sensors": ["ina3221"],
	"run_arg": {"one": ["--pulse", 0.2]}, "static_args": {"rate_hz": 2.3},
	"measure": {"ceilings": false, "releases": 5, "min_samples": 5, "min_time_s": 1, "power_window_s": 8, "cooldown_s": 0, "timeout_s": 100, "point_timeout_s": 1000}}`

// checkFrame: a program that is released at a rate drives one rail with 2 W for a part of
// each period and with 0.5 W for the rest. The energy of a period that bench measures
// through the kernel's driver, idle time included and left out, is within 2 % of the
// guest's own account.
func checkFrame(t *testing.T, out map[string]string) {
	const rest = 0.5 // W of each of three rails
	energy, power := row(t, out["frame_energy.csv"]), row(t, out["frame_power.csv"])
	if energy["status"] != "ok" {
		t.Fatalf("the point is %s: %s\n%s", energy["status"], energy["reason"], out["frame"])
	}
	above, pulses := 0.0, 0
	for line := range strings.Lines(out["frame accounts"]) {
		var wave struct{ Joules, Seconds float64 }
		if err := json.Unmarshal([]byte(line), &wave); err != nil {
			t.Fatal(err)
		}
		above += wave.Joules - rest*wave.Seconds
		pulses++
	}
	above /= float64(pulses)
	window, runs := number(t, power, "window_s"), number(t, power, "runs")
	if periods := window * frameRate; runs < 10 || math.Abs(periods/runs-1) > 1e-3 {
		t.Errorf("a window of %v s holds %v periods and %v runs", window, periods, runs)
	}
	for column, truth := range map[string]float64{
		"energy_J": 3*rest/frameRate + above, "energy_above_idle_J": above,
		"ina3221_VDD_GPU_SOC_energy_J": rest/frameRate + above, "ina3221_VDD_GPU_SOC_energy_above_idle_J": above,
		"ina3221_VDD_CPU_CV_energy_J": rest / frameRate,
	} {
		compare(t, energy, column, truth)
	}
	// A driver that does not show the pulses fails.
	if above < 0.3 || above > 0.4 {
		t.Errorf("a pulse took %v J", above)
	}
}
