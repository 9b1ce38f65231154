package machine

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// tree writes files under a new directory.
func tree(t *testing.T, files map[string]string) Tree {
	t.Helper()
	root := Tree(t.TempDir())
	for path, content := range files {
		full := root.Path(path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The layout of a Jetson TX2: two kinds of cores, one cpufreq policy each.
var tx2 = map[string]string{
	"proc/device-tree/model":                                   "quill\x00",
	"proc/cpuinfo":                                             "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd07\n\nprocessor\t: 1\nmodel name\t: ARMv8 Processor rev 0 (v8l)\nCPU implementer\t: 0x4e\nCPU part\t: 0x003\n\n",
	"proc/meminfo":                                             "MemTotal: 8041124 kB\nMemFree: 6000000 kB\nMemAvailable: 7000000 kB\n",
	"proc/loadavg":                                             "0.90 0.25 0.10 1/300 4242\n",
	"proc/sys/kernel/osrelease":                                "4.9.253-tegra\n",
	"etc/os-release":                                           "NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 18.04.6 LTS\"\n",
	"etc/nv_tegra_release":                                     "# R32 (release), REVISION: 7.1, GCID: 29818004, BOARD: t186ref\n",
	"sys/class/power_supply/mouse/type":                        "Battery\n",
	"sys/class/power_supply/mouse/scope":                       "Device\n",
	"sys/class/power_supply/mouse/status":                      "Discharging\n",
	"sys/devices/system/cpu/cpufreq/policy0/related_cpus":      "0 3 4 5\n",
	"sys/devices/system/cpu/cpufreq/policy0/scaling_governor":  "schedutil\n",
	"sys/devices/system/cpu/cpufreq/policy0/scaling_min_freq":  "345600\n",
	"sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq":  "2035200\n",
	"sys/devices/system/cpu/cpufreq/policy10/related_cpus":     "1 2\n",
	"sys/devices/system/cpu/cpufreq/policy10/scaling_governor": "performance\n",
	"sys/devices/system/cpu/cpufreq/policy10/scaling_max_freq": "2035200\n",
}

// Boards have their names, also where the device tree has another.
func TestBoardsAreNamed(t *testing.T) {
	for model, want := range map[string]string{"jetson_tx1": "Jetson TX1 (jetson_tx1)", "Jetson-AGX": "Jetson AGX Xavier (Jetson-AGX)",
		"NVIDIA Jetson Nano Developer Kit": "NVIDIA Jetson Nano Developer Kit"} {
		// Xavier's cores are NVIDIA's, Thor's are newer than gopsutil.
		m, _ := tree(t, map[string]string{"proc/device-tree/model": model + "\x00",
			"proc/cpuinfo": "processor\t: 0\nmodel name\t: ARMv8 Processor rev 0 (v8l)\nCPU implementer\t: 0x4e\nCPU part\t: 0x004\n\nprocessor\t: 1\nCPU implementer\t: 0x41\nCPU part\t: 0xd83\n"}).Facts()
		if m.Board != want || m.CPU != "Carmel + Neoverse-V3AE" {
			t.Errorf("%s is %q with %q", model, m.Board, m.CPU)
		}
	}
}

func TestFactsOfATX2(t *testing.T) {
	m, err := tree(t, tx2).Facts()
	if err != nil {
		t.Fatal(err)
	}
	if m.Board != "Jetson TX2 (quill)" || m.Kernel != "4.9.253-tegra" || m.CPUs != 2 || m.MemoryBytes != 8041124<<10 {
		t.Errorf("machine %+v", m)
	}
	if m.CPU != "Cortex-A57 + Denver 2" {
		t.Errorf("CPU %q", m.CPU)
	}
	if m.OS != "Ubuntu 18.04.6 LTS, L4T R32 (release), REVISION: 7.1" {
		t.Errorf("OS %q", m.OS)
	}
	if want := []float64{0.90, 0.25, 0.10}; !reflect.DeepEqual(m.Load, want) {
		t.Errorf("load %v, want %v", m.Load, want)
	}
	want := []Governor{
		{CPUs: "0 3 4 5", Governor: "schedutil", MinHz: 345.6e6, MaxHz: 2035.2e6},
		{CPUs: "1 2", Governor: "performance", MaxHz: 2035.2e6},
	}
	if !reflect.DeepEqual(m.Governors, want) {
		t.Errorf("governors %+v, want %+v", m.Governors, want)
	}
	if m.Battery != "" {
		t.Errorf("a mouse's battery counts as the machine's: %q", m.Battery)
	}
}

func TestBattery(t *testing.T) {
	for _, status := range []string{"Discharging", "Charging", "Full"} {
		m, _ := tree(t, map[string]string{
			"sys/class/power_supply/AC/type":     "Mains\n",
			"sys/class/power_supply/BAT0/type":   "Battery\n",
			"sys/class/power_supply/BAT0/status": status + "\n",
		}).Facts()
		if m.Battery != strings.ToLower(status) {
			t.Errorf("%s: battery %q", status, m.Battery)
		}
	}
}

func TestFactsSayWhatCannotBeRead(t *testing.T) {
	m, err := Tree(t.TempDir()).Facts()
	if m.Governors != nil || m.Battery != "" || m.Board != "" || m.CPUs != 0 || m.MemoryBytes != 0 || m.Load != nil {
		t.Errorf("machine %+v of an empty root", m)
	}
	for _, want := range []string{"CPUs", "memory"} {
		if err == nil || !strings.Contains(err.Error(), "machine: "+want) {
			t.Errorf("error %v, want it to name the %s", err, want)
		}
	}
}

func TestFactsLive(t *testing.T) {
	m, err := Live.Facts()
	if err != nil {
		t.Error(err)
	}
	if m.CPUs < 1 || m.MemoryBytes < 1<<26 || m.Kernel == "" || m.OS == "" || m.UsableCPUs < 1 || len(m.Load) != 3 {
		t.Errorf("machine %+v", m)
	}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if host, err := os.Hostname(); err == nil && len(host) > 3 && strings.Contains(string(b), host) {
		t.Errorf("the host's name %q is in %s", host, b)
	}
	lines := Live.Lines()
	if len(lines) < 5 {
		t.Errorf("lines %q", lines)
	}
	for _, l := range lines {
		if l[1] == "" {
			t.Errorf("the live machine's %s is unknown", l[0])
		}
	}
}

// A copied tree often lacks most files: what it does not tell is neither a
// zero nor this machine's.
func TestLinesOfATreeAreOfTheTree(t *testing.T) {
	cpufreq := func(n, governor string) map[string]string {
		folder := "sys/devices/system/cpu/cpu" + n + "/cpufreq/"
		return map[string]string{folder + "scaling_governor": governor, folder + "scaling_min_freq": "102000", folder + "scaling_max_freq": "1479000", folder + "scaling_cur_freq": n + "00"}
	}
	nano := map[string]string{"proc/device-tree/model": "NVIDIA Jetson Nano\x00", "etc/nv_tegra_release": "# R32 (release), REVISION: 4.3, GCID: 1"}
	maps.Copy(nano, cpufreq("0", "schedutil"))
	maps.Copy(nano, cpufreq("1", "performance"))
	maps.Copy(nano, cpufreq("2", "schedutil"))
	for _, c := range []struct {
		files map[string]string
		want  [][2]string
	}{
		{nil, [][2]string{{"board", ""}, {"CPU", ""}, {"memory", ""}, {"system", ""}, {"governor", ""}}},
		{nano, [][2]string{{"board", "NVIDIA Jetson Nano"}, {"CPU", ""}, {"memory", ""}, {"system", "Linux, L4T R32 (release), REVISION: 4.3"},
			{"governor", "schedutil, 0.10 to 1.48 GHz (CPUs 0 2)"}, {"governor", "performance, 0.10 to 1.48 GHz (CPUs 1)"}}},
		{tx2, [][2]string{{"board", "Jetson TX2 (quill)"}, {"CPU", "Cortex-A57 + Denver 2, 2 CPUs"}, {"memory", "7.7 GiB"},
			{"system", "Ubuntu 18.04.6 LTS, L4T R32 (release), REVISION: 7.1, kernel 4.9.253-tegra"},
			{"governor", "schedutil, 0.35 to 2.04 GHz (CPUs 0 3 4 5)"}, {"governor", "performance, up to 2.04 GHz (CPUs 1 2)"}}},
	} {
		if got := tree(t, c.files).Lines(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("lines %q, want %q", got, c.want)
		}
	}
}
