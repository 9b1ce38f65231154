package record

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/plan"
)

// stateAt is a Jetson's state: clocks free to move or pinned, and a counter.
func stateAt(gpuMin, gpu, oc3 float64) *machine.State {
	return &machine.State{
		Clocks: []machine.Clock{{Name: "CPU 0-3", Min: 1e9, Max: 1e9, Current: 1e9, Governor: "schedutil"},
			{Name: machine.GPUClock, Min: gpuMin, Max: 612e6, Current: gpu}, {Name: machine.EMCClock, Max: 3199e6}},
		Events: map[string]float64{"oc3": oc3}, Cooling: map[string]float64{"thermal-cpufreq-0": 0}, Fans: map[string]float64{"pwm": 80},
	}
}

// TestStateCells: limits and first values, last values, and what counters rose by over
// all instances; what is not told has no cell, and files give all back.
func TestStateCells(t *testing.T) {
	quiet := Result{Status: OK, StateBefore: stateAt(612e6, 612e6, 7), StateAfter: stateAt(612e6, 612e6, 7)}
	throttled := Result{Status: OK, StateBefore: stateAt(306e6, 306e6, 7), StateAfter: stateAt(306e6, 612e6, 9)}
	again := Result{Status: OK, StateBefore: stateAt(306e6, 306e6, 20), StateAfter: stateAt(306e6, 408e6, 23)}
	again.StateAfter.Alarms = []string{"VDD_IN curr1_max_alarm"}
	for _, c := range []struct {
		instances []Result
		want      state
	}{
		{[]Result{{}}, nil},
		{[]Result{quiet}, state{"jetson_clocks": "on", "throttled_by": "none", "throttle_events_oc3": "0", "clock_GPU_min_Hz": "6.12e+08", "clock_GPU_after_Hz": "6.12e+08", "current_alarms": ""}},
		{[]Result{throttled, again}, state{"jetson_clocks": "off", "throttled_by": "VDD_IN curr1_max_alarm; oc3", "throttle_events_oc3": "5", "clock_GPU_min_Hz": "3.06e+08",
			"clock_GPU_before_Hz": "3.06e+08", "clock_GPU_after_Hz": "4.08e+08", "clock_CPU_0_3_governor": "schedutil", "clock_EMC_max_Hz": "3.199e+09", "clock_EMC_before_Hz": "",
			"cooling_thermal_cpufreq_0_after": "0", "fan_pwm_before": "80", "current_alarms": "VDD_IN curr1_max_alarm"}},
	} {
		got := stateCells(c.instances)
		if c.want == nil && got != nil {
			t.Errorf("nothing is told: %v", got)
		}
		for column, want := range c.want {
			if got[column] != want {
				t.Errorf("%s is %q, want %q", column, got[column], want)
			}
		}
	}

	quiet.Point.ID, throttled.Point.ID = 1, 2
	quiet.Point.Processor, throttled.Point.Processor = framework.GPU, framework.GPU
	results := []Result{{Point: plan.Point{Processor: framework.CPU}, Status: OK}, quiet, throttled}
	for i := range results {
		results[i].Point.Algorithm, results[i].Point.Version = "a", "v"
	}
	run := NewRun(Info{}, "x", nil, results)
	dir := filepath.Join(t.TempDir(), "x")
	if err := Write(dir, run); err != nil {
		t.Fatal(err)
	}
	back, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range run.Rows {
		if len(row.State) != len(back.Rows[i].State) || len(row.State) > 0 && !reflect.DeepEqual(row.State, back.Rows[i].State) {
			t.Errorf("row %d: wrote %v, read %v", i, row.State, back.Rows[i].State)
		}
	}
}

// TestBoardWarning is one line, and none where clocks were pinned and nothing throttled.
func TestBoardWarning(t *testing.T) {
	quiet := Result{Status: OK, StateBefore: stateAt(612e6, 612e6, 7), StateAfter: stateAt(612e6, 612e6, 7)}
	throttled := Result{Status: OK, StateBefore: stateAt(306e6, 306e6, 7), StateAfter: stateAt(306e6, 612e6, 9)}
	failed := Result{Status: Failed, StateBefore: stateAt(306e6, 306e6, 7)}
	if got := BoardWarning([]Result{quiet, failed, {Status: OK}}); got != "" {
		t.Errorf("warning %q", got)
	}
	const want = "clocks were free to move at 1 of 2 points (sudo jetson_clocks pins them); the board throttled at 1 of 2 points, by oc3"
	if got := BoardWarning([]Result{quiet, throttled, failed}); got != want || strings.Contains(got, "\n") {
		t.Errorf("warning %q, want %q", got, want)
	}
}
