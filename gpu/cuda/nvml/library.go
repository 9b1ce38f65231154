// Package nvml reads a GPU's power, energy, temperature and clocks through
// libnvidia-ml, which is loaded at run time.
//
// On a Jetson the library may load and list a device and yet read nothing:
// only a successful read shows that a device can be used (Device.Power).
//
// Names, constants and structure layouts are those of the NVML API Reference
// Guide (NVIDIA).
package nvml

import (
	"fmt"

	"example.org/bench/internal/dynlib"
)

// Library is a loaded and initialised NVML.
type Library struct{ api api }

// libraryNames are the names and paths of NVML: for the dynamic loader, and under WSL.
var libraryNames = []string{"libnvidia-ml.so.1", "libnvidia-ml.so", "/usr/lib/wsl/lib/libnvidia-ml.so.1"}

// Open loads and initialises NVML. Close ends it.
func Open() (*Library, error) { return Load(libraryNames...) }

// Load is Open with the first of names that loads.
func Load(names ...string) (*Library, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, fmt.Errorf("%w (%w); the NVIDIA driver provides it (Debian: libnvidia-ml1)", ErrLibraryNotFound, err)
	}
	l := &Library{}
	if err := lib.BindAll(&l.api); err != nil {
		return nil, fmt.Errorf("NVML is too old: %w", err)
	}
	if err := l.api.check("nvmlInit", l.api.init()); err != nil {
		return nil, err
	}
	return l, nil
}

// Close ends NVML for this Library; its devices must not be used afterwards.
func (l *Library) Close() error { return l.api.check("nvmlShutdown", l.api.shutdown()) }

// DriverVersion returns the NVIDIA driver's version, e.g. "580.159.04".
func (l *Library) DriverVersion() (string, error) {
	return text(func(b *byte, n uint32) Return { return l.api.driverVersion(b, n) }, &l.api, "nvmlSystemGetDriverVersion")
}

// Device returns the GPU with that index in NVML's order, which is not CUDA's.
func (l *Library) Device(index int) (*Device, error) {
	d := &Device{api: &l.api}
	if err := l.api.check("nvmlDeviceGetHandleByIndex", l.api.byIndex(uint32(index), &d.handle)); err != nil {
		return nil, fmt.Errorf("GPU %d: %w", index, err)
	}
	return d, nil
}

// Find returns the GPU with that UUID ("GPU-…") or, where the UUID is empty or unknown, with that PCI bus
// address ("0000:1b:00.0").
func (l *Library) Find(uuid, pci string) (*Device, error) {
	if uuid == "" && pci == "" {
		return nil, fmt.Errorf("nvml: %w: no UUID and no PCI address given", ErrNotFound)
	}
	d := &Device{api: &l.api}
	var err error
	if uuid != "" {
		if err = l.api.check("nvmlDeviceGetHandleByUUID", l.api.byUUID(uuid, &d.handle)); err == nil {
			return d, nil
		}
	}
	if pci != "" {
		if err = l.api.check("nvmlDeviceGetHandleByPciBusId", l.api.byPCI(pci, &d.handle)); err == nil {
			return d, nil
		}
	}
	return nil, fmt.Errorf("GPU %s at %s: %w", uuid, pci, err)
}

// text calls a function that fills a buffer.
func text(call func(*byte, uint32) Return, a *api, name string) (string, error) {
	var b [96]byte // NVML_DEVICE_UUID_V2_BUFFER_SIZE, the largest used
	if err := a.check(name, call(&b[0], uint32(len(b)))); err != nil {
		return "", err
	}
	return untilZero(b[:]), nil
}

// untilZero returns the C string in b.
func untilZero(b []byte) string {
	for i, c := range b {
		if c == 0 {
			return string(b[:i])
		}
	}
	return string(b)
}
