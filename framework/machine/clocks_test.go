package machine

import (
	"os"
	"reflect"
	"testing"
)

// nano has two kinds of cores, one of them half off, a GPU that hides its
// device tree, and the memory's clock with a limit of nvpmodel.
var nano = map[string]string{
	cpuFile(0, "cpufreq/scaling_min_freq"):                    "102000\n",
	cpuFile(0, "cpufreq/scaling_max_freq"):                    "1479000\n",
	cpuFile(0, "cpufreq/scaling_cur_freq"):                    "204000\n",
	cpuFile(1, "cpufreq/scaling_min_freq"):                    "102000\n",
	cpuFile(1, "cpufreq/scaling_max_freq"):                    "1479000\n",
	cpuFile(1, "cpufreq/scaling_cur_freq"):                    "1479000\n",
	cpuFile(1, "online"):                                      "1\n",
	cpuFile(2, "cpufreq/scaling_max_freq"):                    "2035200\n",
	cpuFile(3, "cpufreq/scaling_max_freq"):                    "2035200\n",
	cpuFile(3, "online"):                                      "0\n",
	cpuFile(4, "online"):                                      "1\n", // no clock of its own
	cpuFile(10, "cpufreq/scaling_min_freq"):                   "102000\n",
	cpuFile(10, "cpufreq/scaling_max_freq"):                   "1479000\n",
	"sys/devices/system/cpu/cpufreq/policy0/scaling_governor": "schedutil\n",
	"sys/class/devfreq/57000000.gpu/min_freq":                 "76800000\n",
	"sys/class/devfreq/57000000.gpu/max_freq":                 "921600000\n",
	"sys/class/devfreq/57000000.gpu/cur_freq":                 "153600000\n",
	"sys/class/devfreq/13e00000.host1x/max_freq":              "408000000\n",
	"sys/kernel/debug/bpmp/debug/clk/emc/max_rate":            "1866000000\n",
	"sys/kernel/debug/bpmp/debug/clk/emc/min_rate":            "204000000\n",
	"sys/kernel/debug/clk/emc/clk_rate":                       "1600000000\n",
	"sys/kernel/nvpmodel_clk_cap/emc":                         "1331200000\n",
}

func TestClocks(t *testing.T) {
	root := tree(t, nano)
	want := []Clock{
		{"CPU 0-1,10", 102e6, 1479e6, 204e6, ""},
		{"CPU 2", 0, 2035.2e6, 0, ""},
		{GPUClock, 76.8e6, 921.6e6, 153.6e6, ""},
		{"EMC", 204e6, 1331.2e6, 1600e6, ""},
	}
	if got := root.Clocks(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := tree(t, nil).Clocks(); got != nil {
		t.Errorf("no files give %+v", got)
	}
	// A limit without the clock that it limits, which only root may read, and
	// one above what the clock can do.
	if got, want := tree(t, map[string]string{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap": "800000000"}).Clocks(), []Clock{{"EMC", 0, 800e6, 0, ""}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	files := map[string]string{"sys/kernel/nvpmodel_emc_cap/emc_iso_cap": "1866000000", "sys/kernel/debug/bpmp/debug/clk/emc/max_rate": "1600000000"}
	if got, want := tree(t, files).Clocks(), []Clock{{"EMC", 0, 1600e6, 0, ""}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestGPUFolder(t *testing.T) {
	const devfreq = "sys/class/devfreq/"
	for _, c := range []struct {
		files map[string]string
		want  string
	}{
		{nil, ""},
		{map[string]string{devfreq + "17000000.gp10b/device/of_node/name": "gp10b\x00", devfreq + "1300000.emc/device/of_node/name": "external-memory-controller\x00"}, devfreq + "17000000.gp10b"},
		{map[string]string{devfreq + "17000000.ga10b/max_freq": "1"}, devfreq + "17000000.ga10b"},
		{map[string]string{devfreq + "17000000.gpu/device/of_node/name": "vic"}, ""},
		{map[string]string{devfreq + "gpu/max_freq": "1"}, ""},
		{map[string]string{devfreq + "bwmgr/max_freq": "1", devfreq + "gpu-gpc-0/max_freq": "1", devfreq + "gpu-nvd-0/max_freq": "1"}, devfreq + "gpu-gpc-0"},
		{map[string]string{devfreq + "gpu-nvd-0/max_freq": "1"}, ""},
	} {
		if got := tree(t, c.files).GPUFolder(); got != c.want {
			t.Errorf("%v: %q, want %q", c.files, got, c.want)
		}
	}
}

func TestJetson(t *testing.T) {
	for name, is := range map[string]bool{"proc/device-tree/compatible": true, "etc/nv_tegra_release": true, "sys/class/devfreq/gpu-gpc-0/max_freq": true,
		"proc/device-tree/model": false, "sys/class/devfreq/13e00000.host1x/max_freq": false} {
		if got := tree(t, map[string]string{name: "nvidia,p4071-0000+p3834-0008\x00nvidia,tegra264\x00"}).Jetson(); got != is {
			t.Errorf("a tree with %s alone: %v", name, got)
		}
	}
}

func TestTree(t *testing.T) {
	root := tree(t, map[string]string{"etc/a": " \tone\x00\n", "etc/b": "1.5\n", "lib/c": "there"})
	if err := os.Symlink("/lib/c", root.Path("etc/absolute")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../lib/c", root.Path("etc/relative")); err != nil {
		t.Fatal(err)
	}
	if got := root.Text("etc/a"); got != "one" {
		t.Errorf("text %q", got)
	}
	if got := root.Text("etc/absent"); got != "" {
		t.Errorf("text of nothing %q", got)
	}
	if a, b := root.number("etc/b", 1e3), root.number("etc/a", 1); a != 1500 || b != 0 {
		t.Errorf("numbers %v, %v", a, b)
	}
	if got, want := root.Target("etc/absolute"), root.Path("lib/c"); got != want {
		t.Errorf("target %s, want %s", got, want)
	}
	for _, name := range []string{"etc/relative", "etc/a", "etc/absent"} {
		if got, want := root.Target(name), root.Path(name); got != want {
			t.Errorf("target %s, want %s", got, want)
		}
	}
	if !root.Exists("etc") || !root.Exists("etc/a") || root.Exists("etc/absent") {
		t.Error("wrong about what exists")
	}
	if got := root.List("etc"); !reflect.DeepEqual(got, []string{"a", "absolute", "b", "relative"}) {
		t.Errorf("list %q", got)
	}
	if got := root.List("absent"); got != nil {
		t.Errorf("list of nothing %q", got)
	}
}

// TestMarksAreNoNumbers: what drivers show where they know no value.
func TestMarksAreNoNumbers(t *testing.T) {
	const cpufreq = "sys/devices/system/cpu/cpu0/cpufreq/"
	for _, mark := range []string{"<unknown>", "<unsupported>", "nan", "inf", "-inf", "-1", "4294967295", "2147483647", "18446744073709551615", "9223372036854775807", "0", ""} {
		root := tree(t, map[string]string{
			cpufreq + "scaling_cur_freq":                  mark + "\n",
			cpufreq + "scaling_max_freq":                  "2000000\n",
			"sys/class/devfreq/17000000.gpu/cur_freq":     mark + "\n", // 0 of a GPU that is suspended
			"sys/class/devfreq/17000000.gpu/max_freq":     "900000000\n",
			"sys/class/hwmon/hwmon0/name":                 "pwmfan\n",
			"sys/class/hwmon/hwmon0/fan1_input":           mark + "\n",
			"sys/class/hwmon/hwmon0/fan2_input":           "1200\n",
			"sys/class/hwmon/hwmon0/fan2_fault":           "1\n",
			"sys/class/thermal/cooling_device0/type":      "cpufreq-cpu0\n",
			"sys/class/thermal/cooling_device0/cur_state": mark + "\n",
		})
		s := root.State()
		if want := []Clock{{"CPU 0", 0, 2e9, 0, ""}, {GPUClock, 0, 900e6, 0, ""}}; !reflect.DeepEqual(s.Clocks, want) {
			t.Errorf("%q: %+v, want %+v", mark, s.Clocks, want)
		}
		if mark == "0" || mark == "-1" { // numbers of these, the last of no device
			continue
		}
		if s.Fans != nil || s.Cooling != nil {
			t.Errorf("%q: fans %v, cooling %v", mark, s.Fans, s.Cooling)
		}
	}
}
