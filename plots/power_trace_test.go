package plots

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/plots/picture"
)

// No two rails of a board look alike; the TX2 has twelve.
func TestTraceStyles(t *testing.T) {
	seen := map[string]string{}
	for style := range 24 {
		for _, peer := range []bool{false, true} {
			l := traceStyle(style, peer)
			look, name := fmt.Sprint(l.Color, l.Dashes), fmt.Sprintf("%d, peer %v", style, peer)
			if other, found := seen[look]; found {
				t.Errorf("line %s looks as line %s", name, other)
			}
			seen[look] = name
		}
	}
}

// tracedResults has a point with readings and one without.
func tracedResults() *record.Run {
	s := newSynthetic()
	s.add("stockham", 64, 0.9, func(r *record.Result) {
		r.Energy.Channels = append(r.Energy.Channels, measure.ChannelEnergy{Sensor: "nvml", Channel: "energy", Role: "total", Counter: true, Energy: 9},
			measure.ChannelEnergy{Sensor: "nvml", Channel: "memory", Role: "part", Energy: 9})
		for i := range 5000 {
			at := -1 + float64(i)/1000
			r.Energy.Samples = append(r.Energy.Samples, measure.PowerSample{Time: at, Sensor: "nvml", Channel: "gpu", Value: 400 + 50*math.Sin(5*at)},
				measure.PowerSample{Time: at, Sensor: "nvml", Channel: "memory", Value: 90},
				measure.PowerSample{Time: at, Sensor: "nvml", Channel: "energy", Value: 1e6 + at})
		}
	})
	s.add("stockham", 128, 0.9, withoutTimes(record.Failed, "no"))
	return s.run(sizes)
}

// tracedRun is the same with its readings, fewer of them.
func tracedRun() (*record.Run, []record.PowerSample) {
	run := tracedResults()
	other := func(name, unit string) framework.Channel {
		return framework.Channel{Name: name, Unit: unit, Role: framework.Other}
	}
	run.Info.Sensors = []record.Sensor{{Name: "nvml", Device: run.Rows[0].Device, Channels: []framework.Channel{other("sm_clock", "Hz"), other("memory_clock", "Hz"), other("temperature", "degC"), other("throttled", "1")}},
		{Name: "nvml", Device: "another", Channels: []framework.Channel{other("sm_clock", "Hz")}}}
	var samples []record.PowerSample
	for i := range 500 {
		at := -1 + float64(i)/100
		for channel, value := range map[string]float64{"gpu": 400 + 50*math.Sin(5*at), "memory": 90, "memory_clock": 2.6e9, "sm_clock": 1.9e9 - 1e8*max(0, math.Sin(5*at)), "temperature": 50 + 3*at, "throttled": float64(i / 100 % 2)} {
			samples = append(samples, record.PowerSample{Point: 0, Time: record.Measured(at), Sensor: "nvml", Channel: channel, Value: record.Measured(value)})
		}
	}
	return run, samples
}

// TestStrips: below the power are the clock that the kernel ran by and the temperature of the point's own GPU,
// under the same times, and when power or heat limited the clock.
func TestStrips(t *testing.T) {
	run, samples := tracedRun()
	trace := newTrace(run, &run.Rows[0], samples)
	var names []string
	for _, e := range trace.legend() {
		names = append(names, e.text)
	}
	if want := []string{"gpu", "memory (not in the total)", "idle, total", "sm_clock", "clocks limited by power or heat", "temperature", "window of the energy"}; !slices.Equal(names, want) {
		t.Errorf("legend %q, want %q", names, want)
	}
	if len(trace.strips) != 2 || trace.strips[0].y.Label != "GHz" || trace.strips[1].y.Label != "°C" {
		t.Errorf("%d strips: %+v", len(trace.strips), trace.strips)
	}
	run.Info.Sensors = run.Info.Sensors[1:] // another GPU's
	if trace := newTrace(run, &run.Rows[0], samples); len(trace.strips) != 0 {
		t.Errorf("%d strips of another GPU", len(trace.strips))
	}
}

func TestPowerTraces(t *testing.T) {
	run, dir := tracedResults(), t.TempDir()
	if err := record.Write(dir, run); err != nil {
		t.Fatal(err)
	}
	read, err := record.Read(dir) // as bench plot has it
	if err != nil {
		t.Fatal(err)
	}
	files, err := Screen.powerTraces(read, dir, safefiletest.Hold(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "fft_power_trace", "000_stockham.svg"); len(files) != len(formats) || files[0] != want {
		t.Fatalf("files %v, want %s and its other formats", files, want)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"power readings of point 0", ">gpu<", ">memory (not in the total)<", "mean 530.0 W, idle 75.00 W", ">idle, total<", ">window of the energy<"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the trace lacks %q", want)
		}
	}
	if strings.Contains(string(text), ">energy<") || len(text) > 300e3 {
		t.Errorf("the counter is in it, or %d bytes are too many", len(text))
	}
	samples, err := record.ReadPowerSamples(dir, run)
	if err != nil || len(samples) != 15000 || samples[0].Sensor != "nvml" {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, l := range newTrace(run, &run.Rows[0], samples).lines {
		first, last := l.Points[0], l.Points[len(l.Points)-1]
		if len(l.Points) > picture.MostReadings || first.X != -1 || last.X < 3.99 {
			t.Errorf("%s: %d points from %v s to %v s", l.Name, len(l.Points), first.X, last.X)
		}
	}
}
