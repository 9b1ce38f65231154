package record

import (
	"reflect"
	"testing"
	"time"

	"example.org/bench/framework/machine"
)

// What a resumed run says of its surroundings is what its points were measured in.
func TestResumeKeepsWhatEarlierPointsHad(t *testing.T) {
	dir := t.TempDir()
	begun := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first := Info{Started: begun, Machine: machine.Facts{CPU: "first"}, Warnings: []string{"loaded"}, Sensors: []Sensor{{Name: "rapl", Device: "cpu"}},
		Devices: []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 1}}}}
	j, err := CreateJournal(dir, testHeader)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Begin(first); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_, results, j, err := OpenJournal(dir)
	if err != nil || len(results) != 0 || len(j.Sessions()) != 1 {
		t.Fatalf("%d results, %d sessions: %v", len(results), len(j.Sessions()), err)
	}
	defer j.Close()
	now := Info{Started: begun.Add(time.Hour), Machine: machine.Facts{CPU: "second"}, Warnings: []string{"loaded", "hot"}, Sensors: []Sensor{{Name: "rapl", Device: "cpu"}},
		Devices: []Device{{ID: "cpu", Ceilings: Ceilings{Copy: 2}}, {ID: "cuda:0", Ceilings: Ceilings{Copy: 3}}}}
	now.Resume(j.Sessions())
	want := Info{Started: begun, Machine: first.Machine, Warnings: []string{"loaded", "hot"}, Sensors: first.Sensors,
		Devices: []Device{first.Devices[0], {ID: "cuda:0", Ceilings: Ceilings{Copy: 3}}}}
	if !reflect.DeepEqual(now, want) {
		t.Errorf("%+v, want %+v", now, want)
	}
}

func TestLibrariesAreThoseOfAllPoints(t *testing.T) {
	a, b := Library{Name: "a", Version: "1"}, Library{Name: "b"}
	run := NewRun(Info{}, "x", nil, []Result{{Libraries: []Library{b}}, {Libraries: []Library{a, b}}, {}})
	if want := []Library{a, b}; !reflect.DeepEqual(run.Info.Libraries, want) {
		t.Errorf("%v, want %v", run.Info.Libraries, want)
	}
}
