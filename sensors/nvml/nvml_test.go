package nvml

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu/cuda/nvml"
)

var errUnsupported = errors.New("not supported")

// fake is a GPU whose quantities fail by name.
type fake struct {
	failing map[string]bool
	average bool
	reasons nvml.Reasons
	major   int
	module  float64 // W; 0: not a superchip
}

func (f *fake) get(name string, v float64) (float64, error) {
	if f.failing[name] {
		return 0, errUnsupported
	}
	return v, nil
}
func (f *fake) Power() (float64, error)       { return f.get("power", 123.5) }
func (f *fake) Energy() (float64, error)      { return f.get("energy", 1e6) }
func (f *fake) Temperature() (float64, error) { return f.get("temperature", 41) }
func (f *fake) Clock(d nvml.Domain) (float64, error) {
	if d == nvml.Memory {
		return f.get("memory_clock", 2.6e9)
	}
	return f.get("sm_clock", 1.98e9)
}
func (f *fake) MemoryPower() (float64, error) { return f.get("memory_power", 30) }
func (f *fake) ModulePower() (float64, error) {
	if f.module == 0 {
		return 0, errUnsupported
	}
	return f.get("module_power", f.module)
}
func (f *fake) ClockReasons() (nvml.Reasons, error) {
	_, err := f.get("throttled", 0)
	return f.reasons, err
}
func (f *fake) Instant() bool { return !f.average }
func (f *fake) ComputeCapability() (int, error) {
	_, err := f.get("capability", 0)
	return f.major, err
}
func (f *fake) Name() (string, error)        { return "Test GPU", nil }
func (f *fake) PowerLimit() (float64, error) { return f.get("limit", 700) }

func names(s *Sensor) string {
	var n []string
	for _, c := range s.Channels() {
		n = append(n, c.Name)
	}
	return strings.Join(n, " ")
}

func TestSensorReadsAll(t *testing.T) {
	closed := 0
	f := &fake{}
	s, err := newSensor(f, false, func() error { closed++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "power energy temperature sm_clock memory_clock memory_power throttled" || len(s.Notes()) != 0 {
		t.Errorf("channels %s, notes %q", got, s.Notes())
	}
	// A total of each kind: power, and a counter that is never added to it.
	totals := map[bool]int{}
	for _, c := range s.Channels() {
		if c.Role == framework.Total {
			totals[c.Counter]++
		}
	}
	if totals[false] != 1 || totals[true] != 1 {
		t.Errorf("%d totals of power, %d of counters, want one each", totals[false], totals[true])
	}
	v := make([]float64, 7)
	if err := s.Sample(v); err != nil || !slices.Equal(v, []float64{123.5, 1e6, 41, 1.98e9, 2.6e9, 30, 0}) {
		t.Errorf("sample %v, %v", v, err)
	}
	f.reasons = nvml.Idle
	if s.Sample(v); v[6] != 0 {
		t.Error("an idle GPU counts as throttled")
	}
	f.reasons |= nvml.PowerCap
	if s.Sample(v); v[6] != 1 {
		t.Error("a power cap does not count as throttling")
	}
	if s.Averaging() != 0.1 {
		t.Errorf("instant power is averaged over %v s", s.Averaging())
	}
	if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations per sample", n)
	}
	if err := s.Close(); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
}

// TestSuperchip: the module's power and a counter that may be the module's are not the GPU's.
func TestSuperchip(t *testing.T) {
	for module, want := range map[float64]string{300: "power total, energy carrier, module_power carrier", 123.5: "power total, energy total", 0: "power total, energy total"} {
		s, err := newSensor(&fake{module: module}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range s.Channels() {
			if c.Name == "power" || c.Name == "energy" || c.Name == "module_power" {
				got = append(got, c.Name+" "+string(c.Role))
			}
		}
		if strings.Join(got, ", ") != want || (len(s.Notes()) == 1) != (module == 300) {
			t.Errorf("module of %v W: %q, notes %q; want %s", module, got, s.Notes(), want)
		}
	}
}

func TestSensorLeavesOutWhatFails(t *testing.T) {
	s, err := newSensor(&fake{failing: map[string]bool{"energy": true}, average: true}, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "power temperature sm_clock memory_clock memory_power throttled" {
		t.Errorf("channels %s", got)
	}
	notes := strings.Join(s.Notes(), "\n")
	if !strings.Contains(notes, "energy left out: not supported") || !strings.Contains(notes, "no instant power") {
		t.Errorf("notes %q", notes)
	}
	if s.Averaging() != 1 {
		t.Errorf("plain power is averaged over %v s, want 1", s.Averaging())
	}
}

func TestNoPowerIsNoSensor(t *testing.T) {
	_, err := newSensor(&fake{failing: map[string]bool{"power": true}}, false, nil)
	if !errors.Is(err, errUnsupported) {
		t.Errorf("a GPU without power gives error %v", err)
	}
	if _, err := Factory().Open(framework.SensorEnv{Root: "/"}); err == nil || err.Error() != "no GPU is measured" {
		t.Errorf("a CPU version gives error %v", err)
	}
}

// On a Jetson NVML reads nothing or a part, and its power is within the board's.
func TestJetson(t *testing.T) {
	failing := map[string]bool{"power": true, "energy": true, "memory_power": true, "memory_clock": true}
	s, err := newSensor(&fake{failing: failing, average: true}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "temperature sm_clock throttled" || len(s.Notes()) != 4 || s.Averaging() != 0 {
		t.Errorf("channels %s, notes %q, averaging %v s", got, s.Notes(), s.Averaging())
	}
	if s, err = newSensor(&fake{}, true, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range s.Channels() {
		if c.Role == framework.Total {
			t.Errorf("%s is a total beside the board's", c.Name)
		}
	}
	for _, q := range []string{"temperature", "sm_clock", "throttled"} {
		failing[q] = true
	}
	if _, err = newSensor(&fake{failing: failing}, true, nil); err == nil || !strings.Contains(err.Error(), "power monitors") {
		t.Errorf("a Jetson of which NVML reads nothing gives error %v", err)
	}
}

func TestFailedReadingIsNaN(t *testing.T) {
	f := &fake{}
	s, err := newSensor(f, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, 7)
	f.failing = map[string]bool{"power": true}
	if err := s.Sample(v); err != nil || !math.IsNaN(v[0]) || v[1] != 1e6 {
		t.Errorf("sample %v, %v, want NaN and 1e6 first", v, err)
	}
	if !errors.Is(s.Failure(0), errUnsupported) || s.Failure(1) != nil {
		t.Errorf("the causes are %v and %v", s.Failure(0), s.Failure(1))
	}
	f.failing = map[string]bool{"power": true, "energy": true, "temperature": true, "sm_clock": true, "memory_clock": true, "memory_power": true, "throttled": true}
	if err := s.Sample(v); !errors.Is(err, errUnsupported) || !math.IsNaN(v[3]) {
		t.Errorf("nothing readable gives %v, %v", v, err)
	}
}

// TestCalibration: NVIDIA states one of power, and on Fermi and Kepler alone.
func TestCalibration(t *testing.T) {
	for _, c := range []struct {
		major, channel int
		failing        string
		want           float64
	}{{3, 0, "", 0.05 / math.Sqrt(3)}, {2, 0, "", 0.05 / math.Sqrt(3)}, {3, 1, "", 0}, {9, 0, "", 0}, {3, 0, "capability", 0}} {
		s, err := newSensor(&fake{major: c.major, failing: map[string]bool{c.failing: true}}, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		if k := s.Calibration(c.channel); k.Gain != c.want || (k.Source != "") != (c.want > 0) {
			t.Errorf("%+v: %+v", c, k)
		}
	}
}

// TestIdentity: a probe holds for one kind of GPU, driver and power.
func TestIdentity(t *testing.T) {
	f := &fake{}
	s, err := newSensor(f, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Identity() != "" {
		t.Errorf("identity %q without a driver's version", s.Identity())
	}
	s.driver = "580.1"
	if got := s.Identity(); got != "Test GPU, driver 580.1, instant power" || s.ChannelAveraging(0) >= 0 {
		t.Errorf("identity %q, averaged over %v s", got, s.ChannelAveraging(0))
	}
	f.average = true
	if got := s.Identity(); got != "Test GPU, driver 580.1, plain power" || s.ChannelAveraging(0) != 1 || s.ChannelAveraging(1) >= 0 {
		t.Errorf("identity %q, averaged over %v s", got, s.ChannelAveraging(0))
	}
}
