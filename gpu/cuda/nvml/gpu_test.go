//go:build gpu

package nvml

import (
	"testing"
	"time"
)

func TestReads(t *testing.T) {
	l, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d, err := l.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	uuid, err := d.UUID()
	if err != nil {
		t.Fatal(err)
	}
	if d, err = l.Find(uuid, ""); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func() (float64, error){
		"power": d.Power, "energy": d.Energy, "temperature": d.Temperature, "power limit": d.PowerLimit,
		"SM clock":      func() (float64, error) { return d.Clock(SM) },
		"memory clock":  func() (float64, error) { return d.Clock(Memory) },
		"max SM clock":  func() (float64, error) { return d.MaxClock(SM) },
		"lowest limit":  func() (float64, error) { a, _, err := d.Limits(); return a, err },
		"highest limit": func() (float64, error) { _, b, err := d.Limits(); return b, err },
	} {
		begin := time.Now()
		x, err := read()
		t.Logf("%-13s %v in %v", name, x, time.Since(begin))
		if err != nil || x <= 0 {
			t.Errorf("%s: %v, %v", name, x, err)
		}
	}
	driver, err := l.DriverVersion()
	reasons, err2 := d.ClockReasons()
	name, err3 := d.Name()
	t.Log(driver, err, reasons, err2, name, err3, uuid, "instant:", d.Instant())
	if err != nil || err2 != nil || err3 != nil {
		t.Error("a read failed")
	}
	if n := testing.AllocsPerRun(100, func() { d.Power(); d.Temperature() }); n != 0 {
		t.Errorf("a sample allocates %v times", n)
	}
}
