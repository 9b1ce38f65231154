package record

import "testing"

// What was not measured is null, and the text says what is known of the calibration.
func TestEnergyReport(t *testing.T) {
	run := &Run{Rows: make([]Row, 1), Info: Info{Sensors: []Sensor{{Name: "rapl"}, {Name: "nvml", Absent: "no GPU"}}}}
	w := &run.Rows[0]
	w.Time.Median, w.Time.Samples = Measured(2), Counted(5)
	e := EnergyReportOf(run, []string{"true"}, "results/true")
	if e.Time == nil || *e.Time != 2 || e.Samples != 5 || e.Energy != nil || len(e.Sensors) != 1 || e.Sensors[0] != "rapl" || e.Text() != "" {
		t.Errorf("%+v", e)
	}
	energy := Energy{Total: Measured(12), Uncertainty: Measured(0.5), AboveIdle: Measured(4)}
	power := Power{Idle: Measured(4), Window: Measured(10), Runs: Counted(5)}
	w.Energy, w.Power = RareOf(energy), RareOf(power)
	want := "energy of one execution 12.0 ± 0.5 J, if measured again; the sensor's calibration is unknown\n" +
		"idle 4.000 W, above idle 4.000 J, over 5 executions in 10.00 s\n"
	if got := EnergyReportOf(run, nil, "").Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	energy.Combined, power.Calibration = Measured(1), "data sheet"
	w.Energy, w.Power = RareOf(energy), RareOf(power)
	want = "energy of one execution 12.0 ± 0.5 J, if measured again; 12.0 ± 1.0 J with the calibration (data sheet)\n" +
		"idle 4.000 W, above idle 4.000 J, over 5 executions in 10.00 s\n"
	if got := EnergyReportOf(run, nil, "").Text(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
