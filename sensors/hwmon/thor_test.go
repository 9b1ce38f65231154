package hwmon

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
	"example.org/bench/test/tree"
)

const thor = "../ina3221/testdata/jetson-thor-l4t38.txtar"

// Beside a sensor with the module's total the input is a carrier rail; alone it is
// the total.
func TestThor(t *testing.T) {
	root := tree.Unpack(t, thor)
	for _, c := range []struct {
		hasTotal bool
		role     framework.Role
		notes    []string
	}{
		{true, framework.Carrier, []string{"VIN: not added, as another sensor has the total"}},
		{false, framework.Total, []string{"VIN is the board's input, with the carrier and the fan", "the total is VIN, by the known rails of the carrier of an AGX Thor"}},
	} {
		s, err := Factory().Open(framework.SensorEnv{Root: root, HasTotal: c.hasTotal})
		if err != nil {
			t.Fatal(err)
		}
		want := framework.Channel{Name: "VIN", Unit: "W", Role: c.role, Feeds: "board", Address: "2-0044"}
		if got := s.Channels(); len(got) != 1 || got[0] != want || !slices.Equal(s.Notes(), c.notes) {
			t.Errorf("%+v, notes %q; want %+v, %q", got, s.Notes(), want, c.notes)
		}
		v := []float64{0}
		if err := s.Sample(v); err != nil || v[0] != 22.9276 {
			t.Errorf("VIN is %v W, %v, want 22.9276", v[0], err)
		}
		if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
			t.Errorf("%v allocations per sample", n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if s.Sample(v); !math.IsNaN(v[0]) {
			t.Errorf("a closed sensor reads %v W", v[0])
		}
		if why := s.(framework.Failing).Failure(0); why == nil || !strings.HasSuffix(why.Error(), "hwmon5/power1_input: no value: file already closed") {
			t.Errorf("the cause is %v, want the file and the error", why)
		}
	}
}

// A run polls the input only where it is the total.
func TestMeasuring(t *testing.T) {
	root := tree.Unpack(t, thor)
	s, err := Factory().Open(framework.SensorEnv{Root: root, Measuring: true})
	if err != nil || s.Channels()[0].Role != framework.Total {
		t.Fatalf("without another total: %v", err)
	}
	s.Close()
	if s, err := Factory().Open(framework.SensorEnv{Root: root, Measuring: true, HasTotal: true}); err == nil || !strings.Contains(err.Error(), "no part of the total: VIN") {
		t.Errorf("beside a total: %v, %v", s, err)
	}
}

// The open file shows the next value.
func TestSampleIsLive(t *testing.T) {
	root := tree.Unpack(t, thor)
	s, err := open(framework.SensorEnv{Root: root, HasTotal: true}, rails.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.WriteFile(filepath.Join(root, machine.I2CDrivers, "ina238", "2-0044/hwmon/hwmon5/power1_input"), []byte("95000000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	v := []float64{0}
	if err := s.Sample(v); err != nil || v[0] != 95 {
		t.Errorf("VIN is %v W, %v, want 95", v[0], err)
	}
}

// Of two inputs by one name one is the total, or power would be counted twice.
func TestTwoInputs(t *testing.T) {
	const chip = "-- sys/bus/i2c/drivers/ina238/%[1]s/hwmon/hwmon%[2]d/in1_label --\nVIN\n-- sys/bus/i2c/drivers/ina238/%[1]s/hwmon/hwmon%[2]d/power1_input --\n5\n"
	root := tree.Write(t, txtar.Parse([]byte(fmt.Sprintf(chip, "10-0044", 1)+fmt.Sprintf(chip, "2-0045", 2)+fmt.Sprintf(chip, "2-0044", 3))))
	s, err := open(framework.SensorEnv{Root: root}, rails.Open)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	for _, c := range s.Channels() {
		got = append(got, c.Name+" "+string(c.Role))
	}
	if want := "VIN total, VIN-2-0045 part, VIN-10-0044 part"; strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
	const note = "rail VIN is there twice: that of 2-0044 is the total, and that of 2-0045 is taken to be contained in it"
	if !slices.Contains(s.Notes(), note) {
		t.Errorf("notes %q", s.Notes())
	}
}

func TestUnusualChips(t *testing.T) {
	for _, c := range []struct{ files, channel, note, fault string }{
		{"", "", "", "no power"},
		{"-- sys/bus/i2c/drivers/ina238/module/x --\n", "", "", "no power"},
		{"-- sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon1/power1_input --\n", "", "", "hwmon1/power1_input: no value: EOF"},
		{"-- sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon1/in1_label --\nVIN\n", "", "", "no power among what unnamed shows"},
		// Linux's own driver names no rail.
		{"-- sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon1/power1_input --\n5\n", "unnamed-2-0044", "no total: the rails unnamed-2-0044 belong to no known board", ""},
		{"-- sys/bus/i2c/drivers/ina238/2-0044/hwmon/hwmon1/power1_input --\n5\n-- sys/bus/i2c/drivers/ina238/3-0045/hwmon/hwmon2/in1_label --\nVIN\n-- sys/bus/i2c/drivers/ina238/3-0045/hwmon/hwmon2/power1_input --\nx\n", "unnamed-2-0044", "no total: it needs VIN, which gives no reading", ""},
	} {
		s, err := open(framework.SensorEnv{Root: tree.Write(t, txtar.Parse([]byte(c.files)))}, rails.Open)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%q: error %v, want %q", c.files, err, c.fault)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.files, err)
			continue
		}
		if got := s.Channels(); len(got) != 1 || got[0].Name != c.channel || got[0].Role != framework.Unknown {
			t.Errorf("%q: %+v", c.files, got)
		}
		if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, c.note) {
			t.Errorf("%q: notes %q, want %q", c.files, notes, c.note)
		}
		s.Close()
	}
}

// TestNoPower: the chip's register has no sign, and all bits set are no reading.
func TestNoPower(t *testing.T) {
	for text, want := range map[string]string{"-5": "-5 is no reading: the register has no sign", "4294967295": "all bits set", "2147483647": "all bits set"} {
		root := tree.Unpack(t, thor)
		files, err := filepath.Glob(filepath.Join(root, machine.I2CDrivers, "ina238", "*/hwmon/*/power1_input"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if err := os.WriteFile(files[0], []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Factory().Open(framework.SensorEnv{Root: root}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s µW: %v", text, err)
		}
	}
}
