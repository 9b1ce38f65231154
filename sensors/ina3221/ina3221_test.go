package ina3221

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
)

// describe writes the rails as "address name role watts".
func describe(t *testing.T, s *Sensor) (lines []string, total float64) {
	t.Helper()
	v := make([]float64, len(s.Channels()))
	if err := s.Sample(v); err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Channels() {
		if c.Unit != "W" || c.Counter {
			t.Errorf("%s: unit %s, counter %v", c.Name, c.Unit, c.Counter)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s %.3f", c.Address, c.Name, c.Role, v[i]))
		if c.Role == framework.Total {
			total += v[i]
		}
	}
	return lines, total
}

const tx2Rails = `0-0040 VDD_SYS_GPU part 0.153
0-0040 VDD_SYS_SOC part 0.689
0-0040 VDD_4V0_WIFI part 0.000
0-0041 VDD_IN total 3.063
0-0041 VDD_SYS_CPU part 0.153
0-0041 VDD_SYS_DDR part 0.878
0-0042 VDD_MUX carrier 4.291
0-0042 VDD_5V0_IO_SYS carrier 0.980
0-0042 VDD_3V3_SYS carrier 0.428
0-0043 VDD_3V3_IO_SLP carrier 0.026
0-0043 VDD_1V8_IO carrier 0.043
0-0043 VDD_3V3_SYS_M2 carrier 0.000`

func TestBoards(t *testing.T) {
	for _, c := range []struct {
		name, rails string
		total       float64
		averaging   float64
		notes       []string
	}{
		{"jetson-tx1-l4t28", `1-0040 VDD_IN total 2.532
1-0040 VDD_GPU part 0.019
1-0040 VDD_CPU part 0.076
1-0042 VDD_MUX carrier 4.038
1-0042 VDD_5V_IO_SYS carrier 0.940
1-0042 VDD_3V3_SYS carrier 0.401
1-0043 VDD_3V3_IO carrier 0.026
1-0043 VDD_1V8_IO carrier 0.043
1-0043 VDD_M2_IN carrier 0.000`, 2.532, -1, nil},
		{"jetson-tx2-l4t28", tx2Rails, 3.063, -1, nil},
		{"jetson-tx2-l4t32", tx2Rails, 3.063, -1, nil},
		{"jetson-nano-l4t32", `6-0040 POM_5V_IN total 1.022
6-0040 POM_5V_GPU part 0.000
6-0040 POM_5V_CPU part 0.204`, 1.022, -1, nil},
		// mV times mA: 12008·280, 12008·40, 4968·980 and 4968·60.
		{"jetson-orin-l4t35", `1-0040 VDD_GPU_SOC total 3.362
1-0040 VDD_CPU_CV total 0.480
1-0040 VIN_SYS_5V0 total 4.869
1-0041 VDDQ_VDD2_1V8AO part 0.298`, 8.7112, 0.43, []string{
			"1-0040 averages 512 samples over 430 ms", "1-0041 averages 512 samples over 430 ms",
			"1-0041 channel 1 left out: not connected", "1-0041 channel 3 left out: not connected"}},
		{"jetson-orin-l4t36", `1-0040 VDD_GPU_SOC total 2.631
1-0040 VDD_CPU_CV total 0.376
1-0040 VIN_SYS_5V0 total 4.769
1-0041 VDDQ_VDD2_1V8AO part 0.298`, 7.77584, 0.43, []string{
			"1-0040 averages 512 samples over 430 ms", "1-0041 averages 512 samples over 143 ms",
			"1-0041 channel 1 left out: disabled", "1-0041 channel 3 left out: disabled"}},
		{"jetson-orin-l4t39", `1-0040 VDD_GPU_SOC total 2.631
1-0040 VDD_CPU_CV total 0.376
1-0040 VIN_SYS_5V0 total 4.769
1-0041 VDDQ_VDD2_1V8AO part 0.298`, 7.77584, 0.43, []string{
			"1-0040 averages 512 samples over 430 ms", "1-0041 averages 512 samples over 143 ms",
			"1-0041 channel 1 left out: disabled", "1-0041 channel 3 left out: disabled"}},
		// A GPU that is off reads a step below zero: 19600·(-20), 19600·340 and 5016·1300.
		{"jetson-thor-l4t38", `2-0040 VDD_GPU total -0.392
2-0040 VDD_CPU_SOC_MSS total 6.664
2-0040 VIN_SYS_5V0 total 6.521`, 12.7928, 0.43, []string{"2-0040 averages 512 samples over 430 ms"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, hook := fixture(t, c.name)
			s, err := open(machine.Tree(root), hook)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			rails, total := describe(t, s)
			if got := strings.Join(rails, "\n"); got != c.rails {
				t.Errorf("rails\n%s\nwant\n%s", got, c.rails)
			}
			if math.Abs(total-c.total) > 1e-9 {
				t.Errorf("total %v W, want %v", total, c.total)
			}
			c.notes = append(c.notes, "the total is "+totals[c.name])
			if got, want := strings.Join(s.Notes(), "\n"), strings.Join(c.notes, "\n"); got != want {
				t.Errorf("notes\n%s\nwant\n%s", got, want)
			}
			if s.Averaging() != c.averaging {
				t.Errorf("averaging %v s, want %v", s.Averaging(), c.averaging)
			}
			if own := s.ChannelAveraging(0); own != c.averaging {
				t.Errorf("the first chip averages over %v s, want %v", own, c.averaging)
			}
		})
	}
}

// totals are what makes up each board's total, and by what.
var totals = map[string]string{
	"jetson-tx1-l4t28": byInput, "jetson-tx2-l4t28": byInput, "jetson-tx2-l4t32": byInput,
	"jetson-nano-l4t32": "POM_5V_IN, by the known rails of Nano",
	"jetson-orin-l4t35": byOrin, "jetson-orin-l4t36": byOrin, "jetson-orin-l4t39": byOrin,
	"jetson-thor-l4t38": "VDD_GPU + VDD_CPU_SOC_MSS + VIN_SYS_5V0, by the known rails of AGX Thor",
}

const (
	byInput = "VDD_IN, by the known rails of TX1, TX2, TX2 NX, Xavier NX, Orin NX, Orin Nano"
	byOrin  = "VDD_GPU_SOC + VDD_CPU_CV + VIN_SYS_5V0, by the known rails of AGX Orin"
)

// TestMeasuringReadsTheModuleOnly: no file of the carrier's rails is read by a sample.
func TestMeasuringReadsTheModuleOnly(t *testing.T) {
	for board, want := range map[string]int{"jetson-tx1-l4t28": 3, "jetson-tx2-l4t28": 6, "jetson-orin-l4t36": 2 * 4, "jetson-nano-l4t32": 3} {
		root, hook := fixture(t, board)
		reads := 0
		s, err := open(machine.Tree(root), func(path string) (rails.Attribute, error) {
			f, err := hook(path)
			return counted{f, &reads}, err
		})
		if err != nil {
			t.Fatal(err)
		}
		all := len(s.Channels())
		s.leaveOutCarriers()
		reads = 0
		v := make([]float64, len(s.Channels()))
		if err := s.Sample(v); err != nil || reads != want {
			t.Errorf("%s: %d files are read for a sample, %v; want %d", board, reads, err, want)
		}
		if told := strings.Contains(strings.Join(s.Notes(), "\n"), "not read while measuring"); told != (len(v) < all) {
			t.Errorf("%s: %d of %d rails are read, notes %q", board, len(v), all, s.Notes())
		}
		for i, c := range s.Channels() {
			if c.Role == framework.Carrier || c.Name != s.rails[i].name || math.IsNaN(v[i]) {
				t.Errorf("%s: channel %+v reads %v of %s", board, c, v[i], s.rails[i].name)
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// counted counts the reads of a file.
type counted struct {
	rails.Attribute
	reads *int
}

func (c counted) ReadAt(b []byte, off int64) (int, error) {
	*c.reads++
	return c.Attribute.ReadAt(b, off)
}

// hwmon and iio write a chip as the two drivers show it. Every rail has 5 V
// and 100 mA.
func hwmon(address string, rails ...string) string {
	dir := "sys/bus/i2c/drivers/ina3221/" + address + "/hwmon/hwmon7/"
	out := ""
	for i, r := range rails {
		out += fmt.Sprintf("-- %sin%d_label --\n%s\n-- %sin%d_input --\n5000\n-- %scurr%d_input --\n100\n", dir, i+1, r, dir, i+1, dir, i+1)
	}
	return out
}

func iio(address string, rails ...string) string {
	dir := "sys/bus/i2c/drivers/ina3221x/" + address + "/iio:device0/"
	out := ""
	for i, r := range rails {
		out += fmt.Sprintf("-- %srail_name_%d --\n%s\n-- %sin_power%d_input --\n500\n", dir, i, r, dir, i)
	}
	return out
}

func TestRoles(t *testing.T) {
	xavier := []string{"GPU", "CPU", "SOC", "CV", "VDDRQ", "SYS5V"}
	for _, c := range []struct {
		name, archive, roles string
		note                 string
	}{
		{"TX1, bare iio_device", strings.ReplaceAll(iio("1-0040", "VDD_IN", "VDD_GPU", "VDD_CPU"), "iio:device0", "iio_device"), "total part part", "the total is VDD_IN, by the known rails of TX1"},
		{"TX2i without WIFI", iio("0-0040", "VDD_SYS_GPU", "VDD_SYS_SOC") + iio("0-0041", "VDD_IN", "VDD_SYS_CPU", "VDD_SYS_DDR"), "part part total part part", "0-0040 channel 2 left out: no name"},
		{"TX2 NX", iio("7-0040", "VDD_IN", "VDD_CPU_GPU", "VDD_SOC"), "total part part", "the total is VDD_IN, by the known rails of TX1"},
		{"Xavier NX", iio("7-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"), "total part part", "the total is VDD_IN, by the known rails of TX1"},
		{"Xavier NX, L4T 35", hwmon("7-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"), "total part part", "the total is VDD_IN, by the known rails of TX1"},
		{"Orin Nano", hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"), "total part part", "the total is VDD_IN, by the known rails of TX1"},
		{"AGX Xavier", iio("1-0040", xavier[:3]...) + iio("1-0041", xavier[3:]...), "total total total total total total", "sum of six rails"},
		{"AGX Xavier, L4T 35", hwmon("1-0040", xavier[:3]...) + hwmon("1-0041", xavier[3:]...), "total total total total total total", "sum of six rails"},
		{"AGX Xavier lacking a rail", iio("1-0040", xavier[:3]...) + iio("1-0041", xavier[3:5]...), "unknown unknown unknown unknown unknown", "no total: the rails GPU, CPU, SOC, CV, VDDRQ belong to no known board"},
		{"unknown board", hwmon("2-0040", "VBAT", "VBUS", "VSYS"), "unknown unknown unknown", "no total: the rails VBAT, VBUS, VSYS belong to no known board"},
		{"unknown rail", hwmon("1-0040", "VDD_IN", "VDD_CAMERA", "VDD_SOC"), "total unknown part", "rail VDD_CAMERA is unknown"},
		{"failing total", hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC") + "-- _errno --\nsys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/in1_input EIO\n", "part part", "no total: it needs VDD_IN, which gives no reading"},
		{"failing part of a total", hwmon("1-0040", "VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0") + "-- _errno --\nsys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/curr3_input ENODATA\n", "part part", "no total: it needs VIN_SYS_5V0, which gives no reading"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, hook := unpack(t, c.archive)
			s, err := open(machine.Tree(root), hook)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			var roles []string
			for _, ch := range s.Channels() {
				roles = append(roles, string(ch.Role))
			}
			if got := strings.Join(roles, " "); got != c.roles {
				t.Errorf("roles %s, want %s", got, c.roles)
			}
			if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
				t.Errorf("notes %q, want %q among them", notes, c.note)
			}
			if s.Averaging() != -1 || s.ChannelAveraging(0) != -1 {
				t.Errorf("averaging %v and %v s, which no file states", s.Averaging(), s.ChannelAveraging(0))
			}
			v := make([]float64, len(s.Channels()))
			if err := s.Sample(v); err != nil {
				t.Fatal(err)
			}
			for i := range v {
				if math.Abs(v[i]-0.5) > 1e-12 {
					t.Errorf("%s reads %v W, want 0.5", s.Channels()[i].Name, v[i])
				}
			}
		})
	}
}

func TestAbsent(t *testing.T) {
	root := t.TempDir()
	if _, err := open(machine.Tree(root), rails.Open); err == nil || !strings.Contains(err.Error(), "no INA3221 power monitor") {
		t.Errorf("a machine without monitors gives error %v", err)
	}
	// The driver may be loaded without a chip.
	if err := os.MkdirAll(filepath.Join(root, "sys/bus/i2c/drivers/ina3221/module"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Factory().Open(framework.SensorEnv{Root: root}); err == nil {
		t.Error("a driver without a chip gives no error")
	}
	root, hook := unpack(t, hwmon("1-0040", "NC", "NC", "NC"))
	if _, err := open(machine.Tree(root), hook); err == nil || !strings.Contains(err.Error(), "not connected") {
		t.Errorf("a chip without connected channels gives error %v", err)
	}
}

func TestFactoryReadsLiveFiles(t *testing.T) {
	root, _ := fixture(t, "jetson-nano-l4t32")
	s, err := Factory().Open(framework.SensorEnv{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(s.Channels()))
	read := func() float64 {
		if err := s.Sample(v); err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	if got := read(); got != 1.022 {
		t.Errorf("POM_5V_IN is %v W, want 1.022", got)
	}
	// The open file shows the next value.
	path := filepath.Join(root, "sys/bus/i2c/drivers/ina3221x/6-0040/iio:device0/in_power0_input")
	if err := os.WriteFile(path, []byte("12345\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != 12.345 {
		t.Errorf("POM_5V_IN is %v W after it changed, want 12.345", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if read(); !math.IsNaN(v[0]) {
		t.Errorf("a closed sensor reads %v W, want NaN", v[0])
	}
}

func TestFailingReads(t *testing.T) {
	root, hook := fixture(t, "jetson-orin-l4t36")
	opened := map[string]*faulty{}
	s, err := open(machine.Tree(root), func(path string) (rails.Attribute, error) {
		f, err := hook(path)
		if err == nil {
			opened[filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)] = f.(*faulty)
		}
		return f, err
	})
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float64, len(s.Channels()))
	current := opened["hwmon3/curr1_input"]
	current.err, current.times, current.reads = syscall.EAGAIN, 2, 0
	if err := s.Sample(v); err != nil || math.Abs(v[0]-18.792*0.140) > 1e-12 || current.reads != 3 {
		t.Errorf("after two EAGAIN: %v W in %d reads, %v; want the value at the third", v[0], current.reads, err)
	}
	current.times, current.reads = -1, 0
	if err := s.Sample(v); err != nil || !math.IsNaN(v[0]) || current.reads < 2 {
		t.Errorf("with lasting EAGAIN: %v W in %d reads, %v; want NaN, never 0", v[0], current.reads, err)
	}
	if math.IsNaN(v[1]) || math.IsNaN(v[2]) {
		t.Errorf("one failing rail made others fail: %v", v)
	}
	current.err, current.reads = syscall.EIO, 0
	if s.Sample(v); !math.IsNaN(v[0]) || current.reads != 1 {
		t.Errorf("with EIO: %v W in %d reads, want NaN at once", v[0], current.reads)
	}
	if why := s.Failure(0); !errors.Is(why, syscall.EIO) || !strings.HasSuffix(why.Error(), "hwmon3/curr1_input: no value: input/output error") || s.Failure(1) != nil {
		t.Errorf("the causes are %v and %v, want the file and the error, and none", why, s.Failure(1))
	}
	current.err = nil
	if s.Sample(v); math.IsNaN(v[0]) || s.Failure(0) != nil {
		t.Errorf("the rail does not come back after its errors end: %v", s.Failure(0))
	}
}

func TestSampleAllocatesNothing(t *testing.T) {
	root, _ := fixture(t, "jetson-orin-l4t36")
	s, err := open(machine.Tree(root), rails.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := make([]float64, len(s.Channels()))
	if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations per sample", n)
	}
}
