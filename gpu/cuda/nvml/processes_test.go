package nvml_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/bench/gpu/cuda/nvml"
)

// TestProcesses lists each once, whatever it uses the GPU for, and what the driver knows of
// its memory and its time.
func TestProcesses(t *testing.T) {
	d := device(t)
	t.Setenv("NVML_PROCESSES", "77:c:412:96,78:g:20:0,77:s:1:0,79:s:9999:3")
	list, err := d.Processes()
	want := []nvml.Process{{os.Getpid(), nvml.Compute, 300 << 20}, {77, nvml.Compute, 412 << 20}, {78, nvml.GraphicsUse, 20 << 20}, {79, nvml.Served, 0}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v; want %+v", list, err, want)
	}
	shares, err := d.Utilisation(time.Now().Add(-time.Second))
	if want := map[int]float64{os.Getpid(): 0.5, 77: 0.96, 79: 0.03}; err != nil || !maps.Equal(shares, want) {
		t.Errorf("%v, %v; want %v", shares, err, want)
	}
	if shares, err := d.Utilisation(time.Now().Add(time.Hour)); err != nil || len(shares) > 0 {
		t.Errorf("samples of before count: %v, %v", shares, err)
	}
	t.Setenv("NVML_PROCESSES", "hidden")
	if list, err := d.Processes(); err != nil || len(list) > 0 {
		t.Errorf("%v, %v; want none", list, err)
	}
	if shares, err := d.Utilisation(time.Now().Add(-time.Second)); err != nil || len(shares) > 0 {
		t.Errorf("no sample: %v, %v", shares, err)
	}
	if on, err := d.MIG(); on || err != nil {
		t.Errorf("MIG %v, %v", on, err)
	}
	t.Setenv("NVML_MIG", "1")
	if on, err := d.MIG(); !on || err != nil {
		t.Errorf("MIG %v, %v; want it on", on, err)
	}
}

// TestManyProcesses: a list that is longer than the room for it is asked for again.
func TestManyProcesses(t *testing.T) {
	d := device(t)
	const noProcess = 1 << 22 // and above (PID_MAX_LIMIT): none of this machine's
	var list []string
	for i := range 300 {
		list = append(list, fmt.Sprintf("%d:c:1:1", noProcess+i))
	}
	t.Setenv("NVML_PROCESSES", strings.Join(list, ","))
	all, err := d.Processes()
	shares, err2 := d.Utilisation(time.Now().Add(-time.Second))
	if len(all) != 301 || len(shares) != 301 || err != nil || err2 != nil {
		t.Errorf("%d processes, %d shares, %v, %v; want 301", len(all), len(shares), err, err2)
	}
}

// TestProcessesAreNotTold by old libraries and on a Jetson.
func TestProcessesAreNotTold(t *testing.T) {
	for _, macro := range []string{"OLD", "JETSON"} {
		d := device(t, macro)
		_, list := d.Processes()
		_, shares := d.Utilisation(time.Now())
		_, mig := d.MIG()
		for _, err := range []error{list, shares, mig} {
			if !errors.Is(err, nvml.ErrNotSupported) {
				t.Errorf("%s: %v", macro, err)
			}
		}
	}
}
