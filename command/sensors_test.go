package command_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/bench/test/tree"
)

func orin(t *testing.T) string {
	t.Helper()
	return tree.Unpack(t, "../sensors/ina3221/testdata/jetson-orin-l4t35.txtar")
}

// second is the folder of a board's chip 1-0041.
func second(t *testing.T, root string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(root, "sys/bus/i2c/drivers/ina3221/1-0041/hwmon/hwmon*"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	return found[0]
}

func TestSensorsRefuse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sensors", "--device", "cuda:x"}, `--device "cuda:x" is none of cuda:0, cuda:1, …`},
		{[]string{"sensors", "--device", "foo"}, `--device "foo" is none of`},
		{[]string{"sensors", "--device", "sim"}, `--device "sim" is none of`},
		{[]string{"sensors", "--root", dir + "/none"}, "the folder " + dir + "/none does not exist"},
		{[]string{"sensors", "--root", dir}, "--root: " + dir + " has no folder sys, as the root of a copied tree has"},
		{[]string{"sensors", "--watch", "--json", "--root", dir}, "has no folder sys"},
		{[]string{"sensors", "--watch", "--root", file}, file + " is not a folder"},
		{[]string{"doctor", "--root", dir + "/none"}, "the folder " + dir + "/none does not exist"},
	} {
		status, out, errOut := execute(t, dir, benchPath, c.args...)
		if status != 2 || out != "" || !strings.Contains(errOut, c.want) || strings.Count(errOut, "\n") != 1 {
			t.Errorf("%q: status %d, want 2 and one line with %s:\n%s%s", c.args, status, c.want, out, errOut)
		}
	}
}

// TestRootWithoutSys: doctor shows what else a tree has, with a warning.
func TestRootWithoutSys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, sys := range []bool{false, true} {
		status, out, errOut := execute(t, dir, benchPath, "doctor", "--root", dir)
		if warned := strings.Contains(errOut, "warning: --root: "+dir+" has no folder sys, as the root of a copied tree has\n"); status != 0 || out == "" || warned == sys {
			t.Errorf("sys %v: status %d, %q", sys, status, errOut)
		}
		write(t, filepath.Join(dir, "sys/none"), "")
	}
}

func TestSensors(t *testing.T) {
	t.Parallel()
	root := orin(t)
	write(t, filepath.Join(second(t, root), "update_interval"), "143\n")
	status, out, _ := execute(t, t.TempDir(), benchPath, "sensors", "--root", root)
	flat := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{
		"copied files: readings of when they were copied, and no times",
		"ina3221 1-0040 VDD_GPU_SOC total gpu, soc 3.362 W - 430 ms not probed - ina3221",
		"ina3221 1-0041 VDDQ_VDD2_1V8AO part memory 298.1 mW - 143 ms not probed -",
		"ina3221: 1-0041 averages 512 samples over 143 ms",
		"ina3221: 1-0040 averages 512 samples over 430 ms",
		"ina3221: 1-0041 channel 1 left out: not connected",
		"nvml: no GPU is measured",
		"rapl: no RAPL energy counters",
		"external: no config says where to read",
	} {
		if status != 0 || !strings.Contains(flat, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
	// doctor says what was left out as well.
	if _, out, _ := execute(t, t.TempDir(), benchPath, "doctor", "--root", root); !strings.Contains(out, "1-0041 channel 1 left out: not connected") {
		t.Errorf("doctor does not say which channel is left out:\n%s", out)
	}
}

// TestUsersRails: a file of the board's says what a rail without a label is; its faults, and what a
// board cannot measure, are lines of sensors and of doctor.
func TestUsersRails(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	chip := filepath.Join(root, "sys/class/hwmon/hwmon0")
	write(t, filepath.Join(chip, "name"), "rpi_volt\n")
	both := func(want string) {
		t.Helper()
		for _, verb := range []string{"sensors", "doctor"} {
			if _, out, _ := execute(t, t.TempDir(), benchPath, verb, "--root", root); !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
				t.Errorf("%s: want %q in\n%s", verb, want, out)
			}
		}
	}
	both("no power among what rpi_volt shows, of which rpi_volt is an alarm of too low a voltage: such a board's power needs a meter, by the sensor external")
	write(t, filepath.Join(chip, "name"), "ina226\n")
	write(t, filepath.Join(chip, "power1_input"), "7000000\n")
	both("no total: the rails ina226-hwmon0 belong to no known board")
	rails := filepath.Join(root, "etc/bench/rails.json")
	const good = `{"board": "mine", "source": "schematic", "rails": [{"driver": "ina226", "name": "VBAT", "role": "total", "feeds": "board"}]}`
	write(t, rails, strings.Replace(good, "total", "sum", 1))
	both(rails + `: rails.0.role: "sum" is unknown; want one of "total", "part", "carrier"`)
	write(t, rails, good)
	both("the total is VBAT, by /etc/bench/rails.json (schematic)")
	if _, out, _ := execute(t, t.TempDir(), benchPath, "sensors", "--root", root); !strings.Contains(strings.Join(strings.Fields(out), " "), "hwmon hwmon0 VBAT total board 7 W") {
		t.Error(out)
	}
}

func TestSensorsJSON(t *testing.T) {
	t.Parallel()
	root := orin(t)
	write(t, filepath.Join(second(t, root), "update_interval"), "143\n")
	counter := filepath.Join(root, "sys/class/powercap/intel-rapl:0")
	write(t, filepath.Join(counter, "name"), "package-0\n")
	write(t, filepath.Join(counter, "max_energy_range_uj"), "262143328850\n")
	write(t, filepath.Join(counter, "energy_uj"), "1500000\n")
	status, out, errOut := execute(t, t.TempDir(), benchPath, "sensors", "--json", "--root", root)
	var v struct {
		Copied  bool
		Sensors []struct {
			Name, Absent string
			Read         float64  `json:"read_s"`
			Averaging    *float64 `json:"averaging_s"`
			Channels     []struct {
				Name, Role, Unit, Address string
				Value                     *float64
				Averaging                 *float64 `json:"averaging_s"`
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil || status != 0 || !v.Copied || len(v.Sensors) != 5 {
		t.Fatalf("status %d, %v: %d sensors of\n%s\n%s", status, err, len(v.Sensors), out, errOut)
	}
	ina, rapl := v.Sensors[1], v.Sensors[2]
	if ina.Name != "ina3221" || ina.Averaging == nil || *ina.Averaging != 0.43 || ina.Read != 0 || len(ina.Channels) != 4 {
		t.Errorf("ina3221 is %+v", ina)
	} else if c := ina.Channels[0]; c.Address != "1-0040" || c.Role != "total" || c.Unit != "W" || c.Value == nil || *c.Value != 3.36224 {
		t.Errorf("its first channel is %+v", c)
	}
	for i, want := range []float64{0.43, 0.43, 0.43, 0.143} { // the last is another chip's
		if got := ina.Channels[i].Averaging; got == nil || *got != want {
			t.Errorf("channel %d averages over %v s, want %v", i, got, want)
		}
	}
	if rapl.Name != "rapl" || len(rapl.Channels) != 1 || *rapl.Channels[0].Value != 1.5 || rapl.Channels[0].Unit != "J" {
		t.Errorf("rapl is %+v", rapl)
	}
	if v.Sensors[0].Absent == "" {
		t.Error("nvml does not say why it is absent")
	}
}

func TestSensorsWatch(t *testing.T) {
	t.Parallel()
	root := orin(t)
	cmd := exec.Command(benchPath, "sensors", "--watch", "--json", "--root", root)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewScanner(out)
	read := func() (v struct {
		Ina3221 map[string]*float64
	}) {
		t.Helper()
		if !lines.Scan() {
			t.Fatal("the output ends")
		}
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := read().Ina3221["VDD_CPU_CV"]; v == nil || math.Abs(*v-0.48032) > 1e-9 {
		t.Error("VDD_CPU_CV is not 0.48032 W")
	}
	current := filepath.Join(root, "sys/bus/i2c/drivers/ina3221/1-0040/hwmon")
	folder, err := os.ReadDir(current)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(current, folder[0].Name(), "curr2_input"), []byte("1000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for range 3 { // the next line may have been under way
		if v := read().Ina3221["VDD_CPU_CV"]; v != nil && math.Abs(*v-12.008) < 1e-9 {
			cmd.Process.Signal(syscall.SIGINT)
			if err := cmd.Wait(); err != nil {
				t.Errorf("interrupted: %v", err)
			}
			return
		}
	}
	t.Error("the change does not show")
}
