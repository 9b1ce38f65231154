package algorithms

import (
	"os"
	"testing"

	"example.org/bench/framework"
)

// unlisted are the folders that All leaves out, each with its reason.
var unlisted = map[string]string{
	"executable": "its factory is made from a config, which names the program",
	"kernel":     "its factory is made from a config, which holds its definition",
}

func TestAllListsEveryFolder(t *testing.T) {
	listed := map[string]bool{}
	for _, f := range All() {
		if listed[f.Name] {
			t.Errorf("%s is listed twice", f.Name)
		}
		listed[f.Name] = true
		for _, v := range f.Versions {
			if v.HostBytes == nil || v.Processor == framework.GPU && v.DeviceBytes == nil {
				t.Errorf("%s %s does not say how much memory it takes", f.Name, v.Name)
			}
		}
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	present := map[string]bool{}
	for _, d := range folders {
		if !d.IsDir() {
			continue
		}
		present[d.Name()] = true
		if !listed[d.Name()] && unlisted[d.Name()] == "" {
			t.Errorf("folder algorithms/%s is not in All", d.Name())
		}
		if listed[d.Name()] && unlisted[d.Name()] != "" {
			t.Errorf("algorithms/%s is in All and in unlisted", d.Name())
		}
	}
	for name := range listed {
		if !present[name] {
			t.Errorf("All lists %s, which has no folder of that name", name)
		}
	}
}
