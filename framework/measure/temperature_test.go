package measure

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestTemperatures(t *testing.T) {
	root := t.TempDir()
	zone := func(n, name, milli string) {
		putFile(t, root, "sys/class/thermal/thermal_zone"+n+"/type", name+"\n")
		putFile(t, root, "sys/class/thermal/thermal_zone"+n+"/temp", milli+"\n")
	}
	zone("0", "CPU-therm", "41500")
	zone("1", "PMIC-Die", "100000")
	zone("2", "GPU-therm", "-3000")
	zone("3", "CPU-therm", "42000")
	zone("4", "cv0-thermal", "")
	// A zone that cannot be read: opening gives an error.
	if err := os.MkdirAll(filepath.Join(root, "sys/class/thermal/thermal_zone5/temp"), 0o777); err != nil {
		t.Fatal(err)
	}
	putFile(t, root, "sys/class/thermal/thermal_zone5/type", "cv1-thermal\n")
	putFile(t, root, "sys/class/hwmon/hwmon3/name", "k10temp\n")
	putFile(t, root, "sys/class/hwmon/hwmon3/temp1_input", "55250\n")
	putFile(t, root, "sys/class/hwmon/hwmon3/temp1_label", "Tctl\n")
	putFile(t, root, "sys/class/hwmon/hwmon4/name", "nvme\n")
	putFile(t, root, "sys/class/hwmon/hwmon4/temp1_input", "30000\n")
	want := map[string]float64{"CPU-therm": 41.5, "CPU-therm 2": 42, "GPU-therm": -3, "k10temp Tctl": 55.25}
	if got := Temperatures(root); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Temperatures(t.TempDir()); len(got) != 0 {
		t.Errorf("a machine without sensors gives %v", got)
	}
}
