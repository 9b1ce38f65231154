package ina3221

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
)

// TestOneNameOfTwoChips: the name of a total that is there twice is counted once.
func TestOneNameOfTwoChips(t *testing.T) {
	orin := []string{"VDD_GPU_SOC", "VDD_CPU_CV", "VIN_SYS_5V0"}
	nano := []string{"VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC"}
	for _, c := range []struct{ name, archive, rails, note string }{
		{"a carrier's copy", hwmon("1-0040", nano...) + hwmon("1-0041", nano...),
			"1-0040 total, 1-0040 part, 1-0040 part, 1-0041 part, 1-0041 part, 1-0041 part",
			"rail VDD_IN is there twice: that of 1-0040 is the total, and that of 1-0041 is taken to be contained in it"},
		{"by the numbers of buses", hwmon("10-0040", nano...) + hwmon("7-0040", nano...),
			"7-0040 total, 7-0040 part, 7-0040 part, 10-0040 part, 10-0040 part, 10-0040 part",
			"rail VDD_IN is there twice: that of 7-0040 is the total, and that of 10-0040"},
		{"one of several", hwmon("1-0040", orin...) + hwmon("1-0041", "VDD_GPU_SOC", "NC", "NC"), "1-0040 total, 1-0040 total, 1-0040 total, 1-0041 part",
			"rail VDD_GPU_SOC is there twice: that of 1-0040 is the total"},
		{"on one chip", hwmon("1-0040", "VDD_IN", "VDD_SOC", "VDD_IN"), "1-0040 total, 1-0040 part, 1-0040 part", "rail VDD_IN is there twice"},
		// What fails is not replaced by another of its name.
		{"the first fails", hwmon("1-0040", nano...) + hwmon("1-0041", nano...) + "-- _errno --\nsys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/in1_input EIO\n",
			"1-0040 part, 1-0040 part, 1-0041 part, 1-0041 part, 1-0041 part", "no total: it needs VDD_IN, which gives no reading"},
		{"one chip of both drivers", hwmon("1-0040", nano...) + iio("1-0040", nano...), "1-0040 total, 1-0040 part, 1-0040 part", "the total is VDD_IN"},
		{"one chip's folder and its copy", iio("1-0040", nano...) + strings.ReplaceAll(iio("1-0040", nano...), "iio:device0", "iio_device"), "1-0040 total, 1-0040 part, 1-0040 part", "the total is VDD_IN"},
		{"two chips of two drivers", hwmon("1-0041", nano...) + iio("1-0040", nano...), "1-0040 total, 1-0040 part, 1-0040 part, 1-0041 part, 1-0041 part, 1-0041 part", "that of 1-0040 is the total"},
	} {
		root, hook := unpack(t, c.archive)
		s, err := open(machine.Tree(root), hook)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, ch := range s.Channels() {
			got = append(got, ch.Address+" "+string(ch.Role))
		}
		if rails := strings.Join(got, ", "); rails != c.rails {
			t.Errorf("%s: %s\nwant %s", c.name, rails, c.rails)
		}
		if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q among them", c.name, notes, c.note)
		}
		s.Close()
	}
}

// TestFullRegisterIsNoReading: at the end of its range the chip shows the same for every
// higher current or voltage.
func TestFullRegisterIsNoReading(t *testing.T) {
	const folder = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/"
	root, hook := unpack(t, hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC")+"-- "+folder+"shunt1_resistor --\n5000\n-- "+folder+"shunt2_resistor --\n0\n")
	s, err := open(machine.Tree(root), hook)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v := make([]float64, 3)
	for _, c := range []struct {
		file, text string
		rail       int
		ok         bool
	}{
		// 163.8 mV on 5 mΩ are 32.76 A.
		{"curr1_input", "32759", 0, true}, {"curr1_input", "32760", 0, false}, {"curr1_input", "-32768", 0, false}, {"curr1_input", "-8", 0, true},
		{"in1_input", "26000", 0, true}, {"in1_input", "32760", 0, false}, {"in1_input", "0", 0, true},
		{"curr2_input", "99999", 1, true}, {"curr3_input", "99999", 2, true}, // of an unknown resistor
	} {
		if err := os.WriteFile(filepath.Join(root, folder, c.file), []byte(c.text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.Sample(v); err != nil {
			t.Fatal(err)
		}
		if why := s.Failure(c.rail); math.IsNaN(v[c.rail]) == c.ok || (why == nil) != c.ok || why != nil && !strings.HasSuffix(why.Error(), c.file+": "+rails.ErrFull.Error()) {
			t.Errorf("%s is %s: %v W, %v", c.file, c.text, v[c.rail], why)
		}
		if err := os.WriteFile(filepath.Join(root, folder, c.file), []byte("100\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAllBitsAreNoPower: as in all files of numbers.
func TestAllBitsAreNoPower(t *testing.T) {
	for file, text := range map[string]string{"in_power0_input": "4294967295", "in_power1_input": "2147483647"} {
		root, hook := unpack(t, iio("1-0040", "VDD_IN", "VDD_GPU", "VDD_CPU"))
		if err := os.WriteFile(filepath.Join(root, "sys/bus/i2c/drivers/ina3221x/1-0040/iio:device0", file), []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := open(machine.Tree(root), hook)
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(s.Notes(), "\n"); len(s.Channels()) != 2 || !strings.Contains(notes, file+": no value: all bits set") {
			t.Errorf("%s of %s: %d rails, notes %q", file, text, len(s.Channels()), notes)
		}
		s.Close()
	}
}

// TestPowerBelowZeroIsSaid: further below than the chip's offset and a step, 120 µV.
func TestPowerBelowZeroIsSaid(t *testing.T) {
	const folder = "-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon7/"
	for _, c := range []struct {
		ohms, current string // µΩ and mA, at 12 V
		said          bool
	}{
		{"2000", "-280", true}, {"2000", "-61", true}, {"2000", "-60", false}, {"2000", "-20", false}, {"2000", "280", false},
		{"0", "-280", true}, {"0", "-120", false}, {"2147483647", "-120", false}, {"inf", "-120", false},
	} {
		archive := hwmon("1-0040", "VDD_IN", "VDD_CPU_GPU_CV", "VDD_SOC")
		for file, text := range map[string]string{"shunt1_resistor": c.ohms, "in1_input": "12000", "curr1_input": c.current} {
			archive += folder + file + " --\n" + text + "\n"
		}
		root, hook := unpack(t, archive)
		s, err := open(machine.Tree(root), hook)
		if err != nil {
			t.Fatal(err)
		}
		if notes := strings.Join(s.Notes(), "\n"); strings.Contains(notes, "1-0040 VDD_IN reads -") != c.said || c.said != strings.Contains(notes, "below what the chip's offset explains") {
			t.Errorf("%s mA through %s µΩ: notes %q", c.current, c.ohms, notes)
		}
		s.Close()
	}
}
