package machine

import (
	"maps"
	"strings"
	"testing"
)

func TestWarnings(t *testing.T) {
	if got := loaded(10, 2, 2); got != nil {
		t.Errorf("an idle machine gives %q", got)
	}
	if got := loaded(50, 1, 2); len(got) != 1 || !strings.Contains(got[0], "50 %") {
		t.Errorf("half of the CPUs busy gives %q", got)
	}
	if got := loaded(0, 3, 2); len(got) != 1 || !strings.Contains(got[0], "load average 3") {
		t.Errorf("load average 3 on 2 CPUs gives %q", got)
	}
	cpufreq := func(governors ...string) map[string]string {
		files := map[string]string{}
		for n, g := range governors {
			files[cpuFile(n, "cpufreq/scaling_governor")] = g + "\n"
		}
		return files
	}
	supply := func(name string, lines ...string) map[string]string {
		files := map[string]string{}
		for i := 0; i < len(lines); i += 2 {
			files["sys/class/power_supply/"+name+"/"+lines[i]] = lines[i+1] + "\n"
		}
		return files
	}
	for _, c := range []struct {
		files map[string]string
		warns string // a part of the only warning; empty: none
	}{
		{nil, ""},
		{cpufreq("performance"), ""},
		{cpufreq("performance", "schedutil"), "governor is schedutil:"},
		{cpufreq("powersave", "schedutil", "powersave"), "governor is powersave and schedutil:"},
		{supply("AC", "type", "Mains", "online", "0"), ""},
		{supply("full", "type", "Battery", "status", "Full"), ""},
		{supply("mouse", "type", "Battery", "status", "Discharging", "scope", "Device"), ""},
		{supply("BAT0", "type", "Battery", "status", "Discharging"), "runs on its battery"},
		{merged(supply("BAT0", "type", "Battery", "status", "Full"), supply("BAT1", "type", "Battery", "status", "Discharging")), "runs on its battery"},
		{merged(supply("BAT0", "type", "Battery", "status", "Discharging"), supply("BAT1", "type", "Battery", "status", "Full")), "runs on its battery"},
	} {
		got := tree(t, c.files).warnings()
		if c.warns == "" && got == nil || c.warns != "" && len(got) == 1 && strings.Contains(got[0], c.warns) {
			continue
		}
		t.Errorf("%v gives %q, want %q", c.files, got, c.warns)
	}
	for _, w := range Warnings() {
		if strings.TrimSpace(w) == "" || strings.Contains(w, "NaN") {
			t.Errorf("warning %q", w)
		}
	}
}

func TestBusy(t *testing.T) {
	files := map[string]string{"proc/stat": "cpu  10 0 10 1000 0 0 0 0 0 0\n", "proc/loadavg": "7.5 1 1 1/300 4242\n"}
	if percent, average := tree(t, files).busy(); percent != 0 || average != 7.5 {
		t.Errorf("CPUs that stand still: %v %%, load %v, want 0 and 7.5", percent, average)
	}
	if percent, average := tree(t, nil).busy(); percent != 0 || average != 0 {
		t.Errorf("no files: %v %%, load %v", percent, average)
	}
}

func merged(a, b map[string]string) map[string]string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
