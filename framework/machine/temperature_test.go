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
	// Marks for "no reading": of Jetsons, of Linux, of a driver, and no number.
	for n, mark := range map[string]string{"7": "-256000", "8": "-274000", "9": "2147483647", "10": "-2147483648", "11": "NaN", "12": "inf"} {
		zone(n, "off-"+n, mark)
	}
	files["sys/class/thermal/thermal_zone5/type"] = "cv1-thermal\n"
	files["sys/class/hwmon/hwmon3/name"] = "k10temp\n"
	files["sys/class/hwmon/hwmon3/temp1_input"] = "55250\n"
	files["sys/class/hwmon/hwmon3/temp1_label"] = "Tctl\n"
	files["sys/class/hwmon/hwmon3/temp3_input"] = "-128000\n" // an open diode
	files["sys/class/hwmon/hwmon3/temp4_input"] = "61000\n"
	files["sys/class/hwmon/hwmon3/temp4_label"] = "Tccd2\n"
	files["sys/class/hwmon/hwmon3/temp4_fault"] = "1\n"
	files["sys/class/hwmon/hwmon3/temp5_input"] = "52000\n"
	files["sys/class/hwmon/hwmon3/temp5_label"] = "Tccd3\n"
	files["sys/class/hwmon/hwmon3/temp5_fault"] = "0\n"
	files["sys/class/hwmon/hwmon4/name"] = "nvme\n"
	files["sys/class/hwmon/hwmon4/temp1_input"] = "30000\n"
	root := tree(t, files)
	// A zone that cannot be read: opening gives an error.
	if err := os.MkdirAll(root.Path("sys/class/thermal/thermal_zone5/temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"CPU-therm": 41.5, "CPU-therm 2": 42, "CPU-therm 3": 43, "GPU-therm": -3, "k10temp Tctl": 55.25, "k10temp Tccd3": 52}
	if got := root.Temperatures(); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := tree(t, nil).Temperatures(); len(got) != 0 {
		t.Errorf("a machine without sensors gives %v", got)
	}
}

// TestZonesKeepTheirNames: of two zones of one name the second keeps its own while the
// first gives no reading.
func TestZonesKeepTheirNames(t *testing.T) {
	root := tree(t, map[string]string{
		"sys/class/thermal/thermal_zone0/type": "gpu\n", "sys/class/thermal/thermal_zone0/temp": "-256000\n",
		"sys/class/thermal/thermal_zone1/type": "gpu\n", "sys/class/thermal/thermal_zone1/temp": "42000\n",
	})
	if got, want := root.Temperatures(), map[string]float64{"gpu 2": 42}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
