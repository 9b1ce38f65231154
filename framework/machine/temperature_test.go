package machine

import (
	"maps"
	"os"
	"testing"
)

func TestTemperatures(t *testing.T) {
	files := map[string]string{}
	zone := func(n, name, milli string) {
		files["sys/class/thermal/thermal_zone"+n+"/type"] = name + "\n"
		files["sys/class/thermal/thermal_zone"+n+"/temp"] = milli + "\n"
	}
	zone("0", "CPU-therm", "41500")
	zone("1", "PMIC-Die", "100000")
	zone("2", "GPU-therm", "-3000")
	zone("3", "CPU-therm", "42000")
	zone("4", "cv0-thermal", "")
	zone("6", "CPU-therm", "43000")
	files["sys/class/thermal/thermal_zone5/type"] = "cv1-thermal\n"
	files["sys/class/hwmon/hwmon3/name"] = "k10temp\n"
	files["sys/class/hwmon/hwmon3/temp1_input"] = "55250\n"
	files["sys/class/hwmon/hwmon3/temp1_label"] = "Tctl\n"
	files["sys/class/hwmon/hwmon4/name"] = "nvme\n"
	files["sys/class/hwmon/hwmon4/temp1_input"] = "30000\n"
	root := tree(t, files)
	// A zone that cannot be read: opening gives an error.
	if err := os.MkdirAll(root.Path("sys/class/thermal/thermal_zone5/temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"CPU-therm": 41.5, "CPU-therm 2": 42, "CPU-therm 3": 43, "GPU-therm": -3, "k10temp Tctl": 55.25}
	if got := root.Temperatures(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := tree(t, nil).Temperatures(); len(got) != 0 {
		t.Errorf("a machine without sensors gives %v", got)
	}
}
