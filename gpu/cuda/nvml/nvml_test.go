package nvml_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu/cuda/nvml"
	"example.org/bench/internal/dynlib"
)

// load builds the test library and loads it.
func load(t *testing.T, macros ...string) (*nvml.Library, error) {
	t.Helper()
	return nvml.Load(build(t, macros...))
}

// build is the test library's path.
func build(t *testing.T, macros ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	args := []string{"-shared", "-fPIC", "-w", "-o", path, "testdata/libnvml.c"}
	for _, m := range macros {
		args = append(args, "-D"+m)
	}
	if text, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
		t.Fatalf("build the test library with gcc: %v\n%s", err, text)
	}
	return path
}

func device(t *testing.T, macros ...string) *nvml.Device {
	t.Helper()
	l, err := load(t, macros...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := l.Find("GPU-1", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return d
}

func TestReadsInBaseUnits(t *testing.T) {
	d := device(t)
	for _, c := range []struct {
		name string
		read func() (float64, error)
		want float64
	}{
		{"power", d.Power, 234.567},
		{"memory power", d.MemoryPower, 34.567},
		{"energy", d.Energy, 5000000000.5},
		{"temperature", d.Temperature, 35},
		{"SM clock", func() (float64, error) { return d.Clock(nvml.SM) }, 1001e6},
		{"memory clock", func() (float64, error) { return d.Clock(nvml.Memory) }, 1002e6},
		{"highest clock", func() (float64, error) { return d.MaxClock(nvml.SM) }, 1980e6},
		{"power limit", d.PowerLimit, 650},
		{"least limit", func() (float64, error) { x, _, err := d.Limits(); return x, err }, 200},
		{"highest limit", func() (float64, error) { _, x, err := d.Limits(); return x, err }, 700},
	} {
		if x, err := c.read(); err != nil || x != c.want {
			t.Errorf("%s: %v, %v; want %v", c.name, x, err, c.want)
		}
	}
	if !d.Instant() {
		t.Error("power is not instant")
	}
	r, err := d.ClockReasons()
	if err != nil || r.String() != "power cap, thermal slowdown" || !r.Throttled() {
		t.Errorf("reasons %v, %v", r, err)
	}
	if r := nvml.Idle | 1<<40; r.String() != "idle, 0x10000000000" || r.Throttled() || nvml.Reasons(0).String() != "none" {
		t.Errorf("reasons %v", r)
	}
	if name, err := d.Name(); name != "Test GPU" || err != nil {
		t.Errorf("name %q, %v", name, err)
	}
}

func TestSampleLeavesNoGarbage(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector purego's sync.Pool drops items at random")
	}
	d := device(t)
	n := testing.AllocsPerRun(100, func() {
		_, a := d.Power()
		_, b := d.Energy()
		_, c := d.Temperature()
		_, e := d.Clock(nvml.SM)
		if a != nil || b != nil || c != nil || e != nil {
			t.Fatal(a, b, c, e)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestPowerFallsBackToTheMean(t *testing.T) {
	for _, macro := range []string{"NO_INSTANT", "OLD"} {
		d := device(t, macro)
		if x, err := d.Power(); x != 123.456 || err != nil || d.Instant() {
			t.Errorf("%s: %v, %v, instant: %v", macro, x, err, d.Instant())
		}
	}
	d := device(t, "OLD")
	if x, err := d.PowerLimit(); x != 600 || err != nil {
		t.Errorf("limit %v, %v", x, err)
	}
	if _, err := d.Energy(); !errors.Is(err, nvml.ErrNotSupported) {
		t.Errorf("energy: %v", err)
	}
	if _, err := d.ClockReasons(); !errors.Is(err, nvml.ErrNotSupported) {
		t.Errorf("reasons: %v", err)
	}
}

func TestJetsonLoadsButReadsNothing(t *testing.T) {
	d := device(t, "JETSON")
	_, power := d.Power()
	_, energy := d.Energy()
	_, temperature := d.Temperature()
	_, clock := d.Clock(nvml.SM)
	_, limit := d.PowerLimit()
	for i, err := range []error{power, energy, temperature, clock, limit} {
		if !errors.Is(err, nvml.ErrNotSupported) {
			t.Errorf("read %d: %v", i, err)
		}
	}
}

func TestFind(t *testing.T) {
	l, err := load(t)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Find("GPU-9", "0000:01:00.0"); err != nil {
		t.Errorf("by PCI address: %v", err)
	}
	for _, c := range [][2]string{{"GPU-9", ""}, {"GPU-9", "0000:02:00.0"}, {"", ""}} {
		if _, err := l.Find(c[0], c[1]); !errors.Is(err, nvml.ErrNotFound) {
			t.Errorf("%q: %v", c, err)
		}
	}
	if v, err := l.DriverVersion(); v != "580.1" || err != nil {
		t.Errorf("driver %q, %v", v, err)
	}
}

func TestLibraryErrors(t *testing.T) {
	_, err := nvml.Load("libnvidia-ml-that-is-not-there.so")
	if !errors.Is(err, nvml.ErrLibraryNotFound) || !strings.Contains(err.Error(), "libnvidia-ml-that-is-not-there.so") {
		t.Errorf("absent: %v", err)
	}
	for code, text := range map[string]string{
		"INIT=9": "nvmlInit: NVML_ERROR_DRIVER_NOT_LOADED; load the nvidia kernel module", "INIT=18": "restart the machine", "INIT=77": "NVML_ERROR_77",
	} {
		if _, err := load(t, code); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", code, err)
		}
	}
	if _, err := load(t, "INIT=4"); !errors.Is(err, nvml.ErrNoPermission) {
		t.Errorf("permission: %v", err)
	}
	if _, err := load(t, "nvmlDeviceGetPowerUsage=gone"); err == nil || !strings.Contains(err.Error(), "no symbol nvmlDeviceGetPowerUsage") {
		t.Errorf("missing symbol: %v", err)
	}
}

func TestSettings(t *testing.T) {
	d := device(t)
	read := func(f func() (float64, error)) float64 {
		x, err := f()
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	clock := func() (float64, error) { return d.Clock(nvml.SM) }
	if set, standard := read(d.ConfiguredLimit), read(d.DefaultLimit); set != 600 || standard != 700 {
		t.Errorf("limit %v W, default %v W; want 600 and 700", set, standard)
	}
	if err := d.SetLimit(350.5); err != nil || read(d.ConfiguredLimit) != 350.5 {
		t.Errorf("limit %v W, %v; want 350.5", read(d.ConfiguredLimit), err)
	}
	if err := d.SetLimit(100); err == nil {
		t.Error("a limit that the GPU refuses is not an error")
	}
	clocks, err := d.SMClocks()
	if want := []float64{345e6, 1200e6, 1980e6}; err != nil || !slices.Equal(clocks, want) {
		t.Errorf("clocks %v, %v; want %v", clocks, err, want)
	}
	if err := d.LockClock(1200e6); err != nil || read(clock) != 1200e6 {
		t.Errorf("locked clock %v Hz, %v", read(clock), err)
	}
	if err := d.UnlockClock(); err != nil || read(clock) != 1001e6 {
		t.Errorf("unlocked clock %v Hz, %v", read(clock), err)
	}
	if err := device(t, "DENY").SetLimit(300); !errors.Is(err, nvml.ErrNoPermission) {
		t.Errorf("without permission: %v", err)
	}
	old := device(t, "OLD")
	for name, err := range map[string]error{"set": old.SetLimit(300), "lock": old.LockClock(1e9), "unlock": old.UnlockClock()} {
		if !errors.Is(err, nvml.ErrNotSupported) {
			t.Errorf("%s with an old library: %v", name, err)
		}
	}
}

// TestScopes: a superchip's module is told apart from its GPU and its memory; another GPU has none.
func TestScopes(t *testing.T) {
	d := device(t, "SUPERCHIP")
	for _, c := range []struct {
		read func() (float64, error)
		want float64
	}{{d.Power, 234.567}, {d.ModulePower, 412.345}, {d.MemoryPower, 34.567}} {
		if x, err := c.read(); err != nil || x != c.want {
			t.Errorf("%v, %v; want %v", x, err, c.want)
		}
	}
	if x, err := device(t).ModulePower(); err == nil {
		t.Errorf("a GPU without a module has %v W of one", x)
	}
}

// TestNotAvailableIsNoValue: NVML_VALUE_NOT_AVAILABLE, all bits set, comes without an error.
func TestNotAvailableIsNoValue(t *testing.T) {
	for _, macros := range [][]string{{"UNAVAILABLE"}, {"UNAVAILABLE", "NO_INSTANT"}} {
		d := device(t, macros...)
		for name, read := range map[string]func() (float64, error){
			"power": d.Power, "memory power": d.MemoryPower, "energy": d.Energy, "temperature": d.Temperature,
			"clock":         func() (float64, error) { return d.Clock(nvml.SM) },
			"highest clock": func() (float64, error) { return d.MaxClock(nvml.SM) },
			"power limit":   d.PowerLimit, "configured limit": d.ConfiguredLimit, "default limit": d.DefaultLimit,
			"range of limits": func() (float64, error) { _, x, err := d.Limits(); return x, err },
			"reasons":         func() (float64, error) { x, err := d.ClockReasons(); return float64(x), err },
		} {
			if x, err := read(); !errors.Is(err, nvml.ErrNotSupported) {
				t.Errorf("%s: %s is %v, %v", macros, name, x, err)
			}
		}
	}
}

// TestPowerIsOfOneKind: where the instant value is missing from the start the mean is read,
// and where it is missing later no other takes its place.
func TestPowerIsOfOneKind(t *testing.T) {
	path := build(t)
	lib, err := dynlib.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var unavailable func(int64)
	if err := lib.Func(&unavailable, "stub_unavailable"); err != nil {
		t.Fatal(err)
	}
	l, err := nvml.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		missing []int64 // in each read
		want    float64
	}{{[]int64{0, 1, 0}, 234.567}, {[]int64{1, 0}, 123.456}} {
		d, err := l.Find("GPU-1", "")
		if err != nil {
			t.Fatal(err)
		}
		var x float64
		for _, now := range c.missing {
			unavailable(now)
			if x, err = d.Power(); (err != nil) != (now == 1) {
				t.Errorf("%v: %v W, %v", c.missing, x, err)
			}
		}
		if x != c.want || d.Instant() != (c.want > 200) {
			t.Errorf("%v: %v W, instant %v; want %v", c.missing, x, d.Instant(), c.want)
		}
	}
}
