package sensors

import (
	"os"
	"slices"
	"testing"

	"example.org/bench/framework"
)

// TestEveryFolderIsListed fails for a sensor that nobody can use: the folder's
// name is the sensor's.
func TestEveryFolderIsListed(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var folders, names []string
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	for _, f := range All() {
		names = append(names, f.Name)
		if f.Doc == "" {
			t.Errorf("%s has no line of documentation", f.Name)
		}
	}
	slices.Sort(names)
	if !slices.Equal(folders, names) {
		t.Errorf("folders %v, sensors listed %v", folders, names)
	}
}

func TestAbsentSensorsSayWhy(t *testing.T) {
	for _, f := range All() {
		s, err := f.Open(framework.SensorEnv{Root: t.TempDir()})
		if err == nil {
			s.Close()
			t.Errorf("%s opens where there is no hardware", f.Name)
		} else if err.Error() == "" {
			t.Errorf("%s gives no reason", f.Name)
		}
	}
}
