//go:build gpu

package nvml

import (
	"math"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/measure"
	"example.org/bench/gpu/cuda/driver"
)

func TestMeterOnGPU(t *testing.T) {
	gpu, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	defer gpu.Close()
	s, err := Factory().Open(framework.SensorEnv{Root: "/", GPU: gpu.Facts().UUID, PCI: gpu.Facts().PCIBusID})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	t.Logf("%s: channels %v, notes %q", gpu.Facts().Name, s.Channels(), s.Notes())
	start := time.Now()
	m, err := measure.NewMeter([]framework.Sensor{s}, config.Measure{PowerWindow: 2}, measure.Knowledge{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("watched for %.2f s", time.Since(start).Seconds())
	// Nothing runs: the window is as idle as the time before it.
	e, err := m.Measure(func(stop func(float64, int64) bool) (int64, float64, error) {
		start := time.Now()
		for runs := int64(1); ; runs++ {
			time.Sleep(time.Millisecond)
			if d := time.Since(start).Seconds(); stop(d, runs) {
				return runs, d, nil
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("window %.3f s, update period %.3f s, notes %q", e.Window, e.Period, e.Notes)
	var power, counter float64
	for _, c := range e.Channels {
		t.Logf("%+v", c)
		if c.Counter {
			counter = c.Energy
		} else {
			power = c.Energy
		}
		if c.Missing > 0 || c.Fresh < 5 {
			t.Errorf("%s: %d readings, %d fresh, %d missing", c.Channel, c.Readings, c.Fresh, c.Missing)
		}
		if c.Power < 5 || c.Power > 1000 {
			t.Errorf("%s: %v W", c.Channel, c.Power)
		}
	}
	if math.Abs(power/counter-1) > 0.1 {
		t.Errorf("integrated power %v J and counter %v J differ", power, counter)
	}
	v := make([]float64, len(s.Channels()))
	if n := testing.AllocsPerRun(20, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations per sample", n)
	}
}
