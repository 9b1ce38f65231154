package ina3221

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
)

// TestAveragingByTheDeviceTree: NVIDIA's driver tells its settings nowhere else. Where a
// reading starts a conversion the chip may be switched to the other setting.
func TestAveragingByTheDeviceTree(t *testing.T) {
	const continuous, once, trigger = 0x7c07, 0x7fff, 0x7003 // 512 of 280 µs, 1024 of 16.5 ms, one of 280 µs; of three channels
	for _, c := range []struct {
		mode               string
		trigger, config    uint32 // 0: absent
		averaging, updates float64
	}{
		{"1", 0, continuous, 512 * 3 * 280e-6, 3 * 280e-6},
		{"1", trigger, 0x1727, 64 * 2.2e-3, 2.2e-3}, // one channel, the driver's own default
		{"0", trigger, continuous, 512 * 3 * 280e-6, 3 * 280e-6},
		{"0", once, continuous, 1024 * 3 * 16.488e-3, 3 * 16.488e-3},
		{"0", 0, continuous, -1, 3 * 16.488e-3},
		{"1", trigger, 0, -1, 3 * 16.488e-3},
		{"", 0, 0, -1, 3 * 16.488e-3},
		{"1", 0, 0x0c07, -1, 3 * 16.488e-3}, // all channels off
	} {
		root, opener := unpack(t, iio("1-0040", "VDD_IN", "VDD_GPU", "VDD_CPU"))
		chip := filepath.Join(root, "sys/bus/i2c/drivers/ina3221x/1-0040")
		if err := os.MkdirAll(filepath.Join(chip, "of_node"), 0o755); err != nil {
			t.Fatal(err)
		}
		files := map[string][]byte{"iio:device0/running_mode": []byte(c.mode + "\n")}
		for name, config := range map[string]uint32{"of_node/ti,trigger-config": c.trigger, "of_node/ti,continuous-config": c.config} {
			if config != 0 {
				files[name] = binary.BigEndian.AppendUint32(nil, config)
			}
		}
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(chip, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := open(machine.Tree(root), opener)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Averaging()-c.averaging) > 1e-9 || s.ChannelAveraging(2) != s.Averaging() || math.Abs(s.ChannelUpdates(0)-c.updates) > 1e-9 {
			t.Errorf("mode %q, %#x and %#x: averages over %g s, new each %g s; want %g and %g", c.mode, c.trigger, c.config, s.Averaging(), s.ChannelUpdates(0), c.averaging, c.updates)
		}
		if told := strings.Contains(strings.Join(s.Notes(), "\n"), "by its device tree"); told != (c.averaging > 0) {
			t.Errorf("mode %q: notes %q", c.mode, s.Notes())
		}
		s.Close()
	}
}

// TestUpdatesOfLinuxDriver: its interval is that of all samples.
func TestUpdatesOfLinuxDriver(t *testing.T) {
	for files, want := range map[string][2]float64{
		"samples 512 update_interval 430": {0.43, 0.43 / 512}, "update_interval 430": {0.43, 0.43}, "samples 64": {-1, 3 * 16.488e-3},
	} {
		archive := hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC")
		words := strings.Fields(files)
		for i := 0; i < len(words); i += 2 {
			archive += "-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/" + words[i] + " --\n" + words[i+1] + "\n"
		}
		root, opener := unpack(t, archive)
		s, err := open(machine.Tree(root), opener)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Averaging()-want[0]) > 1e-9 || math.Abs(s.ChannelUpdates(1)-want[1]) > 1e-9 {
			t.Errorf("%s: averages over %g s, new each %g s; want %v", files, s.Averaging(), s.ChannelUpdates(1), want)
		}
		s.Close()
	}
}

// TestTimesThatTheChipCannotHave: what the chip cannot be set to is not known, and nothing
// follows from it.
func TestTimesThatTheChipCannotHave(t *testing.T) {
	const slow = 3 * 16.488e-3
	for _, c := range []struct {
		samples, interval  string
		averaging, updates float64
		note               string
	}{
		{"1024", "50652", 50.652, 50.652 / 1024, "averages 1024 samples over 50652 ms"},
		{"1024", "50653", -1, slow, `update_interval is "50653"; the chip takes at most 50652 ms for 1024 samples`},
		{"512", "300000000", -1, slow, `update_interval is "300000000"; the chip takes at most 25326 ms for 512 samples`},
		{"512", "3600000", -1, slow, "is not known: update_interval"},
		{"512", "-430", -1, slow, `update_interval is "-430"`},
		{"512", "0", -1, slow, `update_interval is "0"`},
		{"512", "nan", -1, slow, `update_interval is "nan"`},
		{"512", "inf", -1, slow, `update_interval is "inf"`},
		{"1", "430", -1, slow, "at most 50 ms for 1 samples"},
		{"0", "430", -1, slow, `samples is "0"; the chip takes 1, 4, `},
		{"-4", "430", -1, slow, `samples is "-4"`},
		{"1e9", "430", -1, slow, `samples is "1e9"`},
		{"", "430", 0.43, 0.43, "1-0040 averages over 430 ms"},
	} {
		const folder = "-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/"
		root, opener := unpack(t, hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC")+
			folder+"samples --\n"+c.samples+"\n"+folder+"update_interval --\n"+c.interval+"\n")
		s, err := open(machine.Tree(root), opener)
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(s.Notes(), "\n"); math.Abs(s.Averaging()-c.averaging) > 1e-9 || math.Abs(s.ChannelUpdates(0)-c.updates) > 1e-9 || !strings.Contains(notes, c.note) {
			t.Errorf("%q samples in %q: averages over %g s, new each %g s, notes %q; want %g and %g, %q", c.samples, c.interval, s.Averaging(), s.ChannelUpdates(0), notes, c.averaging, c.updates, c.note)
		}
		s.Close()
	}
}
