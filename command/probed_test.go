package command_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/probes"
	"example.org/bench/sensors/ina3221"
)

// TestSensorsShowProbes: what a probe found of a board is shown for that board.
func TestSensorsShowProbes(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := orin(t)
	write(t, filepath.Join(root, "proc/sys/kernel/osrelease"), "5.10.104-tegra\n")
	write(t, filepath.Join(root, "proc/device-tree/model"), "Test board\n")
	s, err := ina3221.Factory().Open(framework.SensorEnv{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	identity := s.(framework.Identified).Identity()
	if identity == "" {
		t.Fatal("the board has no identity")
	}
	if err := probes.Save(probes.Probe{Identity: identity, Channels: map[string]measure.Seen{"VDD_CPU_CV": {Window: 0.123}}}); err != nil {
		t.Fatal(err)
	}
	_, out, errOut := execute(t, t.TempDir(), benchPath, "sensors", "--root", root)
	for line := range strings.Lines(out) {
		for rail, want := range map[string]string{"VDD_CPU_CV": "123 ms", "VDD_GPU_SOC": "not probed"} {
			if strings.Contains(line, " "+rail+" ") && !strings.Contains(line, "the total is") && !strings.Contains(line, want) {
				t.Errorf("%q: want %s", line, want)
			}
		}
	}
	if strings.Count(out, "123 ms") != 1 {
		t.Errorf("%s%s", out, errOut)
	}
	if status, _, errOut := execute(t, t.TempDir(), benchPath, "sensors", "--probe", "--watch"); status != 2 || !strings.Contains(errOut, "probe") {
		t.Errorf("status %d: %s", status, errOut)
	}
}
