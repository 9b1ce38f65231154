package rapl

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
)

// zones writes a powercap tree; each line has address, name, energy and
// range ("empty" for none) in µJ, or a power in µW and "power".
func zones(t *testing.T, lines string) framework.SensorEnv {
	t.Helper()
	root := t.TempDir()
	for line := range strings.Lines(lines) {
		f := strings.Fields(line)
		files := map[string]string{"name": f[1], "energy_uj": f[2], "max_energy_range_uj": strings.TrimPrefix(f[3], "empty")}
		if f[3] == "power" {
			files = map[string]string{"name": f[1], "power_uw": f[2]}
		}
		for file, text := range files {
			path := filepath.Join(root, "sys/class/powercap", f[0], file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	return framework.SensorEnv{Root: root}
}

const server = `intel-rapl:0 package-0 5000000 262143328850
intel-rapl:0:0 core 3000000 262143328850
intel-rapl:0:1 dram 1500000 65712999613
intel-rapl:1 package-1 7000000 262143328850
intel-rapl:1:0 core 3500000 262143328850
intel-rapl:1:1 dram 2500000 65712999613`

func describe(t *testing.T, s framework.Sensor) string {
	t.Helper()
	v := make([]float64, len(s.Channels()))
	if err := s.Sample(v); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, c := range s.Channels() {
		if c.Counter != (c.Unit == "J") || c.Counter != (c.WrapsAt > 0) {
			t.Errorf("%s: unit %s, counter %v, wraps at %v", c.Name, c.Unit, c.Counter, c.WrapsAt)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %g wraps at %g", c.Address, c.Name, c.Role, v[i], c.WrapsAt))
	}
	return strings.Join(lines, "\n")
}

func TestZones(t *testing.T) {
	for _, c := range []struct{ name, tree, want, note string }{
		{"server", server, `intel-rapl:0 package-0 total 5 wraps at 262143.32885
intel-rapl:0:0 core-0 part 3 wraps at 262143.32885
intel-rapl:0:1 dram-0 total 1.5 wraps at 65712.999613
intel-rapl:1 package-1 total 7 wraps at 262143.32885
intel-rapl:1:0 core-1 part 3.5 wraps at 262143.32885
intel-rapl:1:1 dram-1 total 2.5 wraps at 65712.999613`, ""},
		{"laptop", "intel-rapl-mmio:0 package-0 999 9000000\nintel-rapl:0 package-0 2000000 9000000\nintel-rapl:0:0 core 1 9000000\nintel-rapl:0:1 uncore 1 9000000\nintel-rapl:1 psys 4000000 9000000",
			`intel-rapl:0 package-0 total 2 wraps at 9
intel-rapl:0:0 core-0 part 1e-06 wraps at 9
intel-rapl:0:1 uncore-0 part 1e-06 wraps at 9
intel-rapl:1 psys-0 carrier 4 wraps at 9`, "intel-rapl-mmio:0 left out: it shows package-0 a second time"},
		{"a counter without a number", "intel-rapl:0 package-0 2000000 9000000\nintel-rapl:0:0 core x 9000000",
			"intel-rapl:0 package-0 total 2 wraps at 9", "core-0 (intel-rapl:0:0) left out: no whole number"},
		{"a part without a range", strings.Replace(server, "3000000 262143328850", "3000000 empty", 1), `intel-rapl:0 package-0 total 5 wraps at 262143.32885
intel-rapl:0:1 dram-0 total 1.5 wraps at 65712.999613
intel-rapl:1 package-1 total 7 wraps at 262143.32885
intel-rapl:1:0 core-1 part 3.5 wraps at 262143.32885
intel-rapl:1:1 dram-1 total 2.5 wraps at 65712.999613`, `core-0 (intel-rapl:0:0) left out: max_energy_range_uj holds no whole number: ""`},
		// The sum of the other zones would be taken for the machine's power.
		{"a package without a range", "intel-rapl:0 package-0 2000000 empty\nintel-rapl:1 package-1 3000000 9000000",
			"intel-rapl:1 package-1 part 3 wraps at 9", "no total: it needs package-0, which gives no reading"},
		{"a package without a number", "intel-rapl:0 package-0 x 9000000\nintel-rapl:1 package-1 3000000 9000000",
			"intel-rapl:1 package-1 part 3 wraps at 9", "no total: it needs package-0, which gives no reading"},
		{"a package that counts nothing", "intel-rapl:0 package-0 2000000 0\nintel-rapl:1 package-1 3000000 9000000",
			"intel-rapl:1 package-1 part 3 wraps at 9", "package-0 (intel-rapl:0) left out: max_energy_range_uj is 0"},
		{"counters with all bits set", "intel-rapl:0 package-0 2000000 9000000\nintel-rapl:0:0 core 18446744073709551615 9000000\nintel-rapl:0:1 uncore -1 9000000",
			"intel-rapl:0 package-0 total 2 wraps at 9", "core-0 (intel-rapl:0:0) left out: no whole number"},
		{"a counter above its range", "intel-rapl:0 package-0 9000001 9000000\nintel-rapl:1 package-1 9000000 9000000",
			"intel-rapl:1 package-1 part 9 wraps at 9", "package-0 (intel-rapl:0) left out: 9000001 is above max_energy_range_uj, 9000000, where the counter begins anew"},
		// A counter passes through every number.
		{"a counter of 32 bits", "intel-rapl:0 package-0 4294967295 9000000000", "intel-rapl:0 package-0 total 4294.967295 wraps at 9000", ""},
		{"the second view without a range", "intel-rapl-mmio:0 package-0 999 empty\nintel-rapl:0 package-0 2000000 9000000",
			"intel-rapl:0 package-0 total 2 wraps at 9", "intel-rapl-mmio:0 left out: it shows package-0 a second time"},
	} {
		s, err := Factory().Open(zones(t, c.tree))
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(t, s); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q", c.name, notes, c.note)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestOtherControlTypes: zones whose relation nothing tells are added to nothing but by the user's
// file of rails; those of dtpm are named as what they are. Trees by Linux, dtpm.c (names of zones,
// power_uw without a counter) and arm_scmi_powercap.c.
func TestOtherControlTypes(t *testing.T) {
	const arm = "dtpm:0 soc 1500000 power\ndtpm:0:0 cpu0-cpufreq 900000 power\ndtpm:0:0:0 package 400000 power\narm-scmi:0 SYS 3000000 power\narm-scmi:0:0 CPU 7000000 9000000"
	const file = `{"board": "mine", "source": "its firmware", "rails": [{"driver": "arm-scmi", "label": "SYS", "role": "total", "feeds": "soc"},
		{"driver": "arm-scmi", "label": "CPU", "role": "part", "feeds": "cpu"}, {"driver": "dtpm", "role": "part"}]}`
	for _, c := range []struct{ name, tree, file, want, note string }{
		{"alone", arm, "", `arm-scmi:0 SYS-0 unknown 3 wraps at 0
arm-scmi:0:0 CPU-0 unknown 7 wraps at 9
dtpm:0 soc-0 unknown 1.5 wraps at 0
dtpm:0:0 cpu0-cpufreq-0 unknown 0.9 wraps at 0
dtpm:0:0:0 package-0 unknown 0.4 wraps at 0`, "no total: the rails SYS, CPU, soc, cpu0-cpufreq, package belong to no known board"},
		{"the user's file", arm, file, `arm-scmi:0 SYS-0 total 3 wraps at 0
arm-scmi:0:0 CPU-0 part 7 wraps at 9
dtpm:0 soc-0 part 1.5 wraps at 0
dtpm:0:0 cpu0-cpufreq-0 part 0.9 wraps at 0
dtpm:0:0:0 package-0 part 0.4 wraps at 0`, "zones of dtpm are no measurement"},
		{"beside RAPL", "dtpm:0 soc 1500000 power\nintel-rapl:0 package-0 2000000 9000000", "", `dtpm:0 soc-0 unknown 1.5 wraps at 0
intel-rapl:0 package-0 total 2 wraps at 9`, "zones of dtpm"},
		{"below zero", "arm-scmi:0 SYS -5 power\narm-scmi:1 CPU 1 power", "", "arm-scmi:1 CPU-0 unknown 1e-06 wraps at 0", "SYS-0 (arm-scmi:0) left out: -5 is no power"},
		{"a model's package fails", "dtpm:0 package x power\nintel-rapl:0 package-0 2000000 9000000", "", "intel-rapl:0 package-0 total 2 wraps at 9", "package-0 (dtpm:0) left out"},
		{"no number", "arm-scmi:0 SYS x power\narm-scmi:1 CPU 1 power", file, "arm-scmi:1 CPU-0 part 1e-06 wraps at 0", "no total: it needs SYS arm-scmi, which gives no reading"},
	} {
		env := zones(t, c.tree)
		if c.file != "" {
			path := filepath.Join(env.Root, "etc/bench/rails.json")
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(c.file), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		s, err := Factory().Open(env)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if got := describe(t, s); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
		if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("%s: notes %q, want %q", c.name, notes, c.note)
		}
	}
}

// TestMeasuringLeavesOutTheUnknown: a zone that is added to nothing lengthens no run.
func TestMeasuringLeavesOutTheUnknown(t *testing.T) {
	env := zones(t, "dtpm:0 soc 1500000 power")
	env.Measuring = true
	if _, err := Factory().Open(env); err == nil || !strings.Contains(err.Error(), "dtpm:0 not read while measuring") {
		t.Error(err)
	}
}

func TestTotalIsNotCountedTwice(t *testing.T) {
	env := zones(t, server)
	env.HasTotal = true
	s, err := Factory().Open(env)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range s.Channels() {
		if c.Role == framework.Total {
			t.Errorf("%s is a total beside another sensor's", c.Name)
		}
	}
}

func TestAbsent(t *testing.T) {
	if _, err := Factory().Open(framework.SensorEnv{Root: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no RAPL") {
		t.Errorf("without powercap: %v", err)
	}
	if _, err := Factory().Open(zones(t, "intel-rapl:0 package-0 2000000 empty")); err == nil ||
		!strings.Contains(err.Error(), "package-0 (intel-rapl:0) left out: max_energy_range_uj holds no whole number") {
		t.Errorf("with a bad zone alone: %v", err)
	}
	env := zones(t, server)
	_, err := open(env, func(path string) (counter, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	})
	if err == nil || !strings.Contains(err.Error(), "root only") || !strings.Contains(err.Error(), "intel-rapl:0/energy_uj") {
		t.Errorf("without permission: %v", err)
	}
	env.GPU = "GPU-1"
	if _, err := Factory().Open(env); err == nil {
		t.Error("a CPU's counters are opened for a GPU")
	}
}

func TestReadsLiveFiles(t *testing.T) {
	env := zones(t, server)
	s, err := Factory().Open(env)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(s.Channels()))
	path := filepath.Join(env.Root, "sys/class/powercap/intel-rapl:0/energy_uj")
	if err := os.WriteFile(path, []byte("6900000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if s.Sample(v); v[0] != 6.9 {
		t.Errorf("package-0 is %v J after it changed, want 6.9", v[0])
	}
	if err := os.WriteFile(path, []byte("262143328851\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if s.Sample(v); !math.IsNaN(v[0]) || v[1] != 3 || s.(framework.Failing).Failure(0) == nil {
		t.Errorf("package-0 is %v J above its range", v[0])
	}
	if err := os.WriteFile(path, []byte("6900000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations per sample", n)
	}
	s.Close()
	if s.Sample(v); !math.IsNaN(v[0]) {
		t.Errorf("a closed counter reads %v J, want NaN", v[0])
	}
	if why := s.(framework.Failing).Failure(0); why == nil || why.Error() != path+": no value: file already closed" {
		t.Errorf("the cause is %v, want the file and the error", why)
	}
}
