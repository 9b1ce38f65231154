// Package rapl reads the energy counters of x86 CPUs (Running Average Power
// Limit) through the kernel's power capping framework, /sys/class/powercap
// (Linux, "Power Capping Framework").
//
// A package zone covers a CPU's cores, caches and integrated graphics; dram is
// beside it, not in it; core and uncore are parts of the package. psys, if
// present, is the whole platform (Intel, Software Developer's Manual, volume
// 3, "RAPL Domains").
package rapl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs/sysfs"

	"bench/framework"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "rapl",
		Doc:  "energy counters of x86 CPUs: packages, cores, memory",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			if env.GPU != "" || env.PCI != "" {
				return nil, errors.New("a GPU is measured, not a CPU")
			}
			s, err := open(env, openFile)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

// counter is an open energy_uj.
type counter interface {
	io.ReaderAt
	io.Closer
}

// opener opens a counter; tests put errors in between.
type opener func(path string) (counter, error)

func openFile(path string) (counter, error) { return os.Open(path) }

// Sensor is the counters of all zones.
type Sensor struct {
	counters []counter
	channels []framework.Channel
	notes    []string
	text     [32]byte
}

// mmio marks the zones of the interface that shows package 0 a second time.
const mmio = "intel-rapl-mmio"

func open(env framework.SensorEnv, open opener) (*Sensor, error) {
	sys, err := sysfs.NewFS(filepath.Join(env.Root, "sys"))
	if err != nil {
		return nil, fmt.Errorf("no RAPL: %w", err)
	}
	folder := filepath.Join(env.Root, "sys/class/powercap")
	zones, err := find(sys, folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no RAPL: %w", err)
	}
	if len(zones) == 0 {
		return nil, fmt.Errorf("no RAPL energy counters below %s: x86 CPUs have them, virtual machines seldom (kernel module intel_rapl_msr)", folder)
	}
	first := func(z zone) bool { return !strings.HasPrefix(filepath.Base(z.Path), mmio) }
	msr := false
	for _, z := range zones {
		msr = msr || first(z)
	}
	s := &Sensor{}
	var lost []string // zones of the total that give no reading
	for _, z := range zones {
		address := filepath.Base(z.Path)
		name := fmt.Sprintf("%s-%d", z.Name, z.Index)
		if msr && !first(z) {
			s.notes = append(s.notes, fmt.Sprintf("%s left out: it shows %s a second time", address, name))
			continue
		}
		c, err := counter(nil), z.bad
		if err == nil {
			c, err = open(filepath.Join(z.Path, "energy_uj"))
		}
		if z.bad == nil && errors.Is(err, fs.ErrPermission) {
			return nil, errors.Join(fmt.Errorf("%s may be read by root only, as on kernels since 5.10: run as root, or let root run chmod a+r %s",
				filepath.Join(z.Path, "energy_uj"), filepath.Join(filepath.Dir(z.Path), "*/energy_uj")), s.Close())
		}
		if err == nil {
			if _, err = s.energy(c); err != nil {
				err = errors.Join(err, c.Close())
			}
		}
		total := strings.HasPrefix(z.Name, "package") || z.Name == "dram"
		if err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s (%s) left out: %v", name, address, err))
			if total {
				lost = append(lost, name)
			}
			continue
		}
		role := framework.Part
		switch {
		case total && !env.HasTotal:
			role = framework.Total
		case z.Name == "psys":
			role = framework.Carrier
			s.notes = append(s.notes, "psys is the whole platform, the packages included: it is not added to the total")
		}
		s.counters = append(s.counters, c)
		s.channels = append(s.channels, framework.Channel{Name: name, Unit: "J", Role: role, Counter: true,
			WrapsAt: float64(z.MaxMicrojoules) / 1e6, Address: address})
	}
	if len(s.counters) == 0 {
		return nil, fmt.Errorf("no RAPL counter gives a reading: %s", strings.Join(s.notes, "; "))
	}
	if len(lost) > 0 && !env.HasTotal { // a sum without them would be too low
		s.notes = append(s.notes, fmt.Sprintf("no total: it needs %s, which gives no reading", strings.Join(lost, ", ")))
		for i := range s.channels {
			if s.channels[i].Role == framework.Total {
				s.channels[i].Role = framework.Part
			}
		}
	}
	return s, nil
}

// zone is a zone, and why it cannot be used.
type zone struct {
	sysfs.RaplZone
	bad error
}

// find lists the zones. GetRaplZones returns none at all if one of them is
// bad; they are then read one by one, with the names that it would give
// them.
func find(sys sysfs.FS, folder string) ([]zone, error) {
	all, err := sysfs.GetRaplZones(sys)
	if err == nil {
		zones := make([]zone, len(all))
		for i, z := range all {
			zones[i].RaplZone = z
		}
		return zones, nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var zones []zone
	used := map[string]int{}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		name, err := os.ReadFile(filepath.Join(path, "name"))
		if err != nil {
			continue
		}
		z := zone{RaplZone: sysfs.RaplZone{Name: strings.TrimSpace(string(name)), Path: path}}
		z.Index = used[z.Name]
		if base, digits, ok := strings.Cut(z.Name, "-"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				z.Name, z.Index = base, n
			}
		}
		used[z.Name] = z.Index + 1
		text, err := os.ReadFile(filepath.Join(path, "max_energy_range_uj"))
		if z.bad = err; err == nil {
			if z.MaxMicrojoules, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err != nil {
				z.bad = fmt.Errorf("max_energy_range_uj holds no whole number: %q", text)
			}
		}
		zones = append(zones, z)
	}
	return zones, nil
}

// energy reads a counter in joules.
func (s *Sensor) energy(c io.ReaderAt) (float64, error) {
	n, err := c.ReadAt(s.text[:], 0)
	v, digits := uint64(0), 0
	for _, b := range s.text[:n] {
		if b < '0' || b > '9' || digits == 19 {
			break
		}
		v = 10*v + uint64(b-'0')
		digits++
	}
	switch {
	case digits > 0:
		return float64(v) / 1e6, nil
	case err != nil && !errors.Is(err, io.EOF):
		return math.NaN(), err
	}
	return math.NaN(), fmt.Errorf("no whole number: %q", s.text[:n])
}

// Name is "rapl".
func (s *Sensor) Name() string { return "rapl" }

// Channels are the zones in the order of their addresses.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// Sample fills dst in joules: NaN for a counter that gives no reading now.
func (s *Sensor) Sample(dst []float64) error {
	for i, c := range s.counters {
		dst[i], _ = s.energy(c)
	}
	return nil
}

// Averaging is zero: a counter averages nothing.
func (s *Sensor) Averaging() float64 { return 0 }

// Notes are the zones left out, and why.
func (s *Sensor) Notes() []string { return s.notes }

// Close closes the counters.
func (s *Sensor) Close() error {
	var errs []error
	for _, c := range s.counters {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
