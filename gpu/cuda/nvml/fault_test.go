package nvml_test

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/gpu/cuda/nvml"
	"example.org/bench/internal/dynlib"
)

// everything makes every call of the library that this package has, and closes
// it, whatever failed.
func everything(path string) (err error) {
	l, err := nvml.Load(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	d, err := l.Device(0)
	if err != nil {
		return err
	}
	if _, err := l.Find("", "0000:01:00.0"); err != nil {
		return err
	}
	if _, err := l.Find("GPU-1", ""); err != nil {
		return err
	}
	number := func(read func() (float64, error)) func() error {
		return func() error { _, err := read(); return err }
	}
	text := func(read func() (string, error)) func() error {
		return func() error { _, err := read(); return err }
	}
	for _, step := range []func() error{
		text(l.DriverVersion), text(d.Name), text(d.UUID), number(d.Power), number(d.MemoryPower), number(d.Energy), number(d.Temperature),
		number(func() (float64, error) { return d.Clock(nvml.SM) }), number(func() (float64, error) { return d.MaxClock(nvml.SM) }),
		number(d.PowerLimit), number(d.ConfiguredLimit), number(d.DefaultLimit),
		func() error { _, _, err := d.Limits(); return err },
		func() error { _, err := d.ClockReasons(); return err },
		func() error { _, err := d.ComputeCapability(); return err },
		func() error { _, err := d.SMClocks(); return err },
		func() error { _, err := d.Processes(); return err },
		func() error { _, err := d.Utilisation(time.Now().Add(-time.Second)); return err },
		func() error { _, err := d.MIG(); return err },
		func() error { return d.SetLimit(300) },
		func() error { return d.LockClock(1200e6) },
		d.UnlockClock,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Each call of the library fails once: the error is a line that names it and has
// NVML's name of the result.
func TestEveryCallFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "libnvidia-ml.so.1")
	if text, err := exec.Command("gcc", "-shared", "-fPIC", "-w", "-o", path, "testdata/libnvml.c").CombinedOutput(); err != nil {
		t.Fatalf("build the test library with gcc: %v\n%s", err, text)
	}
	lib, err := dynlib.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var fault func(at, code int64)
	var faulty func() string
	for fn, name := range map[any]string{&fault: "stub_fault", &faulty: "stub_faulty"} {
		if err := lib.Func(fn, name); err != nil {
			t.Fatal(err)
		}
	}
	for code, name := range map[int64]string{999: "NVML_ERROR_UNKNOWN", 15: "NVML_ERROR_GPU_IS_LOST; restart the machine", 4: "NVML_ERROR_NO_PERMISSION; run as root", 12345: "NVML_ERROR_12345"} {
		failed := map[string]bool{}
		for n := 1; ; n++ {
			fault(int64(n), code)
			err := everything(path)
			call := faulty()
			fault(0, 0)
			if call == "" {
				if err != nil {
					t.Fatalf("without a fault: %v", err)
				}
				break
			}
			failed[call] = true
			if text := fmt.Sprint(err); !strings.Contains(text, call+": "+name) || strings.Contains(text, "\n") {
				t.Errorf("call %d, %s: %v; want it with %s", n, call, err, name)
			}
		}
		for _, symbols := range nvml.Calls() {
			// Where there are instant values, the mean is not asked for; the limit in
			// force comes before the one that is set.
			if symbols[0] != "nvmlDeviceGetPowerUsage" && !slices.ContainsFunc(symbols, func(s string) bool { return failed[strings.TrimSuffix(s, "_v2")] }) {
				t.Errorf("%q did not fail with %d: the test does not call it", symbols, code)
			}
		}
	}
}

// Each call for the mean power fails once, where there are no instant values.
func TestMeanPowerFails(t *testing.T) {
	d := device(t, "JETSON", "OLD")
	if _, err := d.Power(); err == nil || err.Error() != "nvmlDeviceGetPowerUsage: NVML_ERROR_NOT_SUPPORTED" {
		t.Errorf("%v", err)
	}
}
