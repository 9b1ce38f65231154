package battery

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// laptop is a root directory with one battery.
func laptop(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "sys/class/power_supply/BAT0")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestSample(t *testing.T) {
	files := map[string]string{"status": "Discharging\n", "voltage_now": "12000000\n", "current_now": "-1500000\n"}
	root := laptop(t, files)
	s, err := Factory().Open(framework.SensorEnv{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if role := s.Channels()[0].Role; role != framework.Total {
		t.Errorf("role %s, want total", role)
	}
	watts := make([]float64, len(s.Channels()))
	read := func() float64 {
		if err := s.Sample(watts); err != nil {
			t.Fatal(err)
		}
		return watts[0]
	}
	if got := read(); math.Abs(got-18) > 1e-9 {
		t.Errorf("%g W, want 12 V · 1.5 A = 18 W", got)
	}
	// The kernel rewrites the values in place.
	if err := os.WriteFile(filepath.Join(root, "sys/class/power_supply/BAT0/current_now"), []byte("2000000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := read(); math.Abs(got-24) > 1e-9 {
		t.Errorf("%g W after the current changed, want 24 W", got)
	}
	if n := testing.AllocsPerRun(100, func() { read() }); n > 0 {
		t.Errorf("a sample allocates %g times, beside the kernel", n)
	}
}

func TestAbsence(t *testing.T) {
	good := map[string]string{"status": "Discharging\n", "voltage_now": "1\n", "current_now": "1\n"}
	if s, err := open(laptop(t, good), true); err != nil || s.Channels()[0].Role != framework.Carrier {
		t.Errorf("beside another total: %v, want a carrier", err)
	}
	for want, root := range map[string]string{
		"no battery":       t.TempDir(),
		"unplug the mains": laptop(t, map[string]string{"status": "Charging\n"}),
		"current_now":      laptop(t, map[string]string{"status": "Discharging\n", "voltage_now": "1\n"}),
	} {
		if s, err := open(root, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v; want an error with %q", s, err, want)
		}
	}
}
