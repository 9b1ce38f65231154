package ina3221

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework/machine"
)

// TestCalibration: 80 µV are 16 mA on 5 mΩ; both ways in which the resistor is stated.
func TestCalibration(t *testing.T) {
	root, opener := unpack(t, `
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/in1_label --
VDD_IN
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/in1_input --
5000
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/curr1_input --
1000
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/shunt1_resistor --
5000
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/in2_label --
VDD_SOC
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/in2_input --
5000
-- sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/curr2_input --
100
-- sys/bus/i2c/drivers/ina3221x/2-0041/iio:device0/rail_name_0 --
VDD_GPU
-- sys/bus/i2c/drivers/ina3221x/2-0041/iio:device0/in_power0_input --
1000
-- sys/bus/i2c/drivers/ina3221x/2-0041/iio:device0/in_voltage0_input --
19000
-- proc/device-tree/model --
Test board
`)
	node := filepath.Join(root, "sys/bus/i2c/drivers/ina3221x/2-0041/of_node/channel@0")
	if err := os.MkdirAll(node, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(node, "ti,shunt-resistor-mohm"), []byte{0, 0, 0, 2}, 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := open(machine.Tree(root), opener)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	gain := math.Sqrt((0.0025*0.0025 + 0.0025*0.0025 + 0.01*0.01) / 3)
	for i, c := range s.Channels() {
		want := map[string]float64{"VDD_IN": 0.016 * 5 / math.Sqrt(3), "VDD_SOC": 0, "VDD_GPU": 0.040 * 19 / math.Sqrt(3)}[c.Name]
		k := s.Calibration(i)
		if math.Abs(k.Offset-want) > 1e-9 || want > 0 && (math.Abs(k.Gain-gain) > 1e-12 || k.Source == "") || want == 0 && k.Source != "" {
			t.Errorf("%s: %+v, want an offset of %v W", c.Name, k, want)
		}
	}
	if s.Identity() != "" {
		t.Errorf("identity %q without a kernel", s.Identity())
	}
}
