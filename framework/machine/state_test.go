package machine_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
	"example.org/bench/test/tree"
)

// describe writes a state in one line: clocks as NAME MIN-MAX NOW GOVERNOR in MHz.
func describe(s machine.State) string {
	var parts []string
	for _, c := range s.Clocks {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %.6g-%.6g %.6g %s", c.Name, c.Min/1e6, c.Max/1e6, c.Current/1e6, c.Governor)))
	}
	for _, m := range []map[string]float64{s.Events, s.Cooling, s.Fans} {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			parts = append(parts, fmt.Sprintf("%s=%g", name, m[name]))
		}
	}
	return strings.Join(append(parts, s.Alarms...), ", ")
}

// TestStateOfBoards reads what the copied trees of six boards tell; what they do not
// have is absent.
func TestStateOfBoards(t *testing.T) {
	for board, want := range map[string]string{
		"jetson-tx1-l4t28":  "CPU 0-3 102-1734 102 interactive, GPU 76.8-998.4 76.8 nvhost_podgov, EMC 0-0 408",
		"jetson-tx2-l4t28":  "CPU 0,3-5 345.6-2035.2 345.6 schedutil, GPU 140.25-1122 140.25 nvhost_podgov, EMC 40.8-1600 1600",
		"jetson-tx2-l4t32":  "CPU 0,3-5 345.6-2035.2 345.6 schedutil, GPU 114.75-1134.75 114.75 nvhost_podgov, EMC 40.8-1600 1600",
		"jetson-nano-l4t32": "CPU 0-3 102-1479 102 schedutil, GPU 76.8-921.6 76.8 nvhost_podgov, EMC 0-0 204",
		"jetson-orin-l4t35": "CPU 0-11 729.6-2201.6 729.6 schedutil, GPU 306-1300.5 306 nvhost_podgov, EMC 204-3199 204, oc1=0, oc2=0, oc3=0, rpm=1200",
		"jetson-orin-l4t36": "CPU 0-7 729.6-1728 729.6 schedutil, GPU 306-612 306 nvhost_podgov, EMC 204-3199 2133, oc1=0, oc2=0, oc3=0",
	} {
		s := machine.Tree(tree.Unpack(t, "testdata/"+board+".txtar")).State()
		if got := describe(s); got != want {
			t.Errorf("%s: %s\nwant %s", board, got, want)
		}
		if pinned, known := s.Pinned(); pinned || !known {
			t.Errorf("%s: pinned %v, known %v", board, pinned, known)
		}
	}
	if s := machine.Tree(t.TempDir()).State(); describe(s) != "" {
		t.Errorf("of no files: %s", describe(s))
	}
}

// set writes files of a tree.
func set(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestThrottled: a counter that rises, a cooling device that is not a fan and an alarm show
// it, and pinned clocks are seen.
func TestThrottled(t *testing.T) {
	root := tree.Unpack(t, "testdata/jetson-orin-l4t36.txtar")
	board := machine.Tree(root)
	before := board.State()
	if by := machine.Throttled(before, board.State()); by != nil {
		t.Errorf("nothing changed, throttled by %q", by)
	}
	const oc, monitor = "sys/devices/platform/soctherm-oc-event/hwmon/hwmon2/", "sys/devices/platform/bus@0/c240000.i2c/i2c-1/1-0040/hwmon/hwmon3/"
	set(t, root, map[string]string{
		oc + "oc3_event_cnt":                              "41",
		monitor + "curr1_crit_alarm":                      "1",
		"sys/class/thermal/cooling_device0/type":          "thermal-cpufreq-0",
		"sys/class/thermal/cooling_device0/cur_state":     "2",
		"sys/class/thermal/cooling_device1/type":          "pwm-fan",
		"sys/class/thermal/cooling_device1/cur_state":     "3",
		"sys/devices/pwm-fan/cur_pwm":                     "120",
		"sys/devices/system/cpu/cpu0/cpufreq/unused_file": "",
	})
	after := board.State()
	if got := strings.Join(machine.Throttled(before, after), "; "); got != "VDD_GPU_SOC curr1_crit_alarm; oc3; thermal-cpufreq-0" {
		t.Errorf("throttled by %s", got)
	}
	if after.Fans["pwm"] != 120 || len(after.Cooling) != 1 {
		t.Errorf("fans %v, cooling %v", after.Fans, after.Cooling)
	}
	for _, c := range after.Clocks {
		if c.Name == machine.GPUClock {
			set(t, root, map[string]string{"sys/devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu/min_freq": fmt.Sprintf("%.0f", c.Max)})
		}
	}
	for cpu := range 12 {
		set(t, root, map[string]string{fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_min_freq", cpu): "1728000"})
	}
	if pinned, known := board.State().Pinned(); !pinned || !known {
		t.Errorf("pinned %v, known %v: %s", pinned, known, describe(board.State()))
	}
	if _, known := (machine.State{}).Pinned(); known {
		t.Error("a machine without a Jetson's GPU is pinned or not")
	}
}
