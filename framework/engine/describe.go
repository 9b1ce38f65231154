package engine

import (
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/neighbours"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvml"
	"example.org/bench/internal/lazy"
)

// describe adds what NVML knows about a GPU: the driver's version, and the present and highest
// clocks in Hz. On a Jetson NVML gives nothing. It also adds what watch sees of other users.
func describe(d *record.Device, facts gpu.Facts, watch *neighbours.Watch) {
	d.Facts = &facts
	if watch != nil {
		sharing := watch.Sharing()
		d.Sharing = &sharing
	}
	lib, err := nvml.Open()
	if err != nil {
		return
	}
	defer lib.Close()
	d.Driver, _ = lib.DriverVersion()
	gpu, err := lib.Find(facts.UUID, facts.PCIBusID)
	if err != nil {
		return
	}
	d.Clocks = map[string]float64{}
	for _, domain := range []nvml.Domain{nvml.SM, nvml.Memory} {
		if hz, err := gpu.Clock(domain); err == nil {
			d.Clocks[domain.String()] = hz
		}
		if hz, err := gpu.MaxClock(domain); err == nil {
			d.Clocks[domain.String()+" max"] = hz
		}
	}
}

// versioned splits a library's file name: libcufft.so.12.0.0 is cufft, 12.0.0.
var versioned = lazy.Regexp(`^lib(.+?)\.so(?:\.(.+))?$`)

// librariesIn returns the libraries in a process's memory map (proc(5), /proc/PID/maps).
func librariesIn(maps string) []record.Library {
	var libs []record.Library
	for line := range strings.Lines(maps) {
		fields := strings.Fields(line)
		if len(fields) < 6 {
			continue
		}
		path := fields[5]
		m := versioned().FindStringSubmatch(filepath.Base(path))
		if m == nil || slices.ContainsFunc(libs, func(l record.Library) bool { return l.File == filepath.Base(path) }) {
			continue
		}
		libs = append(libs, record.Library{Name: m[1], File: filepath.Base(path), Version: m[2]})
	}
	slices.SortFunc(libs, func(a, b record.Library) int { return strings.Compare(a.Name, b.Name) })
	return libs
}

// newLibraries returns the shared libraries loaded since the previous point.
func (w *worker) newLibraries() (added []record.Library) {
	for _, l := range librariesIn(machine.Live.Text("proc/self/maps")) {
		if !slices.Contains(w.libraries, l) {
			w.libraries = append(w.libraries, l)
			added = append(added, l)
		}
	}
	return added
}
