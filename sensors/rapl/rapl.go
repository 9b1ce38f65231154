// Package rapl reads the energy counters of x86 CPUs (Running Average Power
// Limit) through the kernel's power capping framework, /sys/class/powercap
// (Linux, "Power Capping Framework").
//
// A package zone covers a CPU's cores, caches and integrated graphics; dram is
// beside it, not in it; core and uncore are parts of the package. psys, if
// present, is the whole platform (Intel, Software Developer's Manual, volume
// 3, "RAPL Domains"). AMD's CPUs have packages and cores under the same names.
//
// Zones of other control types (arm-scmi, dtpm) show energy_uj or, without a
// counter, power_uw. Nothing says how they relate, so that only the user's file of
// rails makes a total of them (example.org/bench/framework/rails). Those of dtpm are no
// measurement: the kernel computes them from its energy model (Linux, dtpm_cpu.c).
package rapl

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
	"example.org/bench/internal/linux"
)

// Factory describes the sensor.
func Factory() framework.SensorFactory {
	return framework.SensorFactory{
		Name: "rapl",
		Doc:  "energy counters of x86 CPUs (packages, cores, memory), and zones of other power capping",
		Open: func(env framework.SensorEnv) (framework.Sensor, error) {
			if env.GPU != "" || env.PCI != "" {
				return nil, framework.NotHere("a GPU is measured, not a CPU")
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

func openFile(path string) (counter, error) { return linux.Open(path) }

// Sensor is the counters of all zones.
type Sensor struct {
	counters []counter
	paths    []string // of the counters
	most     []uint64 // after which they begin anew, µJ
	failures []error  // of the last Sample, by channel
	channels []framework.Channel
	notes    []string
	text     [32]byte
}

// mmio marks the zones of the interface that shows package 0 a second time.
const mmio = "intel-rapl-mmio"

func open(env framework.SensorEnv, open opener) (*Sensor, error) {
	root := machine.Tree(env.Root)
	zones := find(root)
	if len(zones) == 0 {
		return nil, framework.NotHere(fmt.Sprintf("no RAPL energy counters below %s: x86 CPUs have them, virtual machines seldom (kernel module intel_rapl_msr)", root.Path(folder)))
	}
	first := func(z zone) bool { return !strings.HasPrefix(z.address, mmio) }
	msr := slices.ContainsFunc(zones, first)
	s, known := &Sensor{}, rails.Of(root)
	var lost []string // zones of the total that give no reading
	var others, failed []rails.Rail
	var at []int // channels of others
	for _, z := range zones {
		name := fmt.Sprintf("%s-%d", z.name, z.index)
		if msr && !first(z) {
			s.notes = append(s.notes, fmt.Sprintf("%s left out: it shows %s a second time", z.address, name))
			continue
		}
		if env.Measuring && !z.rapl() && !known.HasFile() { // what is added to nothing lengthens no run
			s.notes = append(s.notes, fmt.Sprintf("%s not read while measuring: nothing says what it is part of", z.address))
			continue
		}
		c, err := counter(nil), z.bad
		if err == nil {
			c, err = open(root.Path(z.counter()))
		}
		if z.bad == nil && errors.Is(err, fs.ErrPermission) {
			return nil, errors.Join(fmt.Errorf("%s may be read by root only, as on kernels since 5.10: run as root, or let root run chmod a+r %s",
				root.Path(z.counter()), root.Path(folder+"/*/energy_uj")), s.Close())
		}
		if err == nil {
			if _, err = s.value(c, z.most); err != nil {
				err = errors.Join(err, c.Close())
			}
		}
		total := z.rapl() && (strings.HasPrefix(z.name, "package") || z.name == "dram")
		if err != nil {
			s.notes = append(s.notes, fmt.Sprintf("%s (%s) left out: %v", name, z.address, err))
			switch {
			case total:
				lost = append(lost, name)
			case !z.rapl():
				failed = append(failed, rails.Rail{Name: z.name, Driver: z.control(), Address: z.address, Channel: z.index})
			}
			continue
		}
		role := framework.Part
		switch {
		case !z.rapl():
			role = framework.Unknown
			others = append(others, rails.Rail{Name: z.name, Driver: z.control(), Address: z.address, Channel: z.index})
			at = append(at, len(s.counters))
		case total && !env.HasTotal:
			role = framework.Total
		case z.name == "psys":
			role = framework.Carrier
			s.notes = append(s.notes, "psys is the whole platform, the packages included: it is not added to the total")
		}
		s.counters = append(s.counters, c)
		s.paths = append(s.paths, root.Path(z.counter()))
		s.most = append(s.most, z.most)
		s.failures = append(s.failures, nil)
		channel := framework.Channel{Name: name, Unit: "J", Role: role, Counter: true, WrapsAt: float64(z.most) / 1e6, Address: z.address}
		if z.most == 0 {
			channel = framework.Channel{Name: name, Unit: "W", Role: role, Address: z.address}
		}
		s.channels = append(s.channels, channel)
	}
	s.assign(known, others, failed, at, env)
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

// assign gives zones of other control types their roles.
func (s *Sensor) assign(known rails.Machine, others, failed []rails.Rail, at []int, env framework.SensorEnv) {
	if len(others)+len(failed) == 0 {
		return
	}
	list, notes := known.Assign(others, failed, env.HasTotal || slices.ContainsFunc(s.channels, func(c framework.Channel) bool { return c.Role == framework.Total }))
	s.notes = append(s.notes, notes...)
	for i, a := range list {
		c := &s.channels[at[i]]
		if c.Role, c.Feeds = a.Role, a.Feeds; a.Name != others[i].Name {
			c.Name = a.Name
		}
		if env.HasTotal && c.Role == framework.Total {
			c.Role = framework.Part
		}
	}
	if slices.ContainsFunc(others, func(r rails.Rail) bool { return r.Driver == dtpm }) {
		s.notes = append(s.notes, "zones of dtpm are no measurement: the kernel computes them from its energy model")
	}
}

// dtpm is the control type of Linux's dynamic thermal power management.
const dtpm = "dtpm"

// folder is where the zones are.
const folder = "sys/class/powercap"

// zone is a power zone, and why it cannot be used.
type zone struct {
	address, name string
	index         int
	most          uint64 // µJ, after which the counter begins anew; 0: it has a power, and no counter
	bad           error
}

// control is the control type, which is in front of the numbers of the zone and of those around it.
func (z zone) control() string {
	control, _, _ := strings.Cut(z.address, ":")
	return control
}

// rapl is whether the zone is of Running Average Power Limit.
func (z zone) rapl() bool { return strings.HasPrefix(z.control(), "intel-rapl") }

// counter is the zone's file.
func (z zone) counter() string {
	file := "energy_uj"
	if z.bad == nil && z.most == 0 {
		file = "power_uw"
	}
	return filepath.Join(folder, z.address, file)
}

// find lists the zones in the order of their addresses. The index is the number
// after the name's only dash, or else counts the zones of that name.
func find(root machine.Tree) []zone {
	var zones []zone
	used := map[string]int{}
	for _, address := range root.List(folder) {
		name := root.Line(filepath.Join(folder, address, "name"))
		if name == "" {
			continue
		}
		z := zone{address: address, name: name, index: used[name]}
		if base, digits, ok := strings.Cut(name, "-"); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				z.name, z.index = base, n
			}
		}
		used[z.name] = z.index + 1
		if files := root.List(filepath.Join(folder, address)); !slices.Contains(files, "energy_uj") && slices.Contains(files, "power_uw") {
			zones = append(zones, z)
			continue
		}
		text := root.Text(filepath.Join(folder, address, "max_energy_range_uj"))
		most, err := strconv.ParseUint(text, 10, 64)
		switch {
		case err != nil:
			z.bad = fmt.Errorf("max_energy_range_uj holds no whole number: %.40q", text)
		case most == 0:
			z.bad = errors.New("max_energy_range_uj is 0: the zone counts nothing")
		}
		z.most = most
		zones = append(zones, z)
	}
	return zones
}

// value reads a counter in joules that goes up to most µJ or, if that is 0, a power in watts.
func (s *Sensor) value(c io.ReaderAt, most uint64) (float64, error) {
	read := machine.ReadCounter
	if most == 0 {
		read = machine.ReadWhole
	}
	v, err := read(c, s.text[:])
	switch {
	case err == nil && v < 0 && most == 0:
		err = fmt.Errorf("%d is no power", v)
	case err == nil && v < 0:
		err = fmt.Errorf("%d is no counter's value", v)
	case err == nil && most > 0 && uint64(v) > most:
		err = fmt.Errorf("%d is above max_energy_range_uj, %d, where the counter begins anew", v, most)
	}
	if err != nil {
		return math.NaN(), err
	}
	return float64(v) / 1e6, nil
}

// Name is "rapl".
func (s *Sensor) Name() string { return "rapl" }

// Channels returns the zones in the order of their addresses.
func (s *Sensor) Channels() []framework.Channel { return s.channels }

// Sample fills dst in joules and watts: NaN for a zone that gives no reading now.
func (s *Sensor) Sample(dst []float64) error {
	for i, c := range s.counters {
		dst[i], s.failures[i] = s.value(c, s.most[i])
	}
	return nil
}

// Failure is why the zone gave no reading in the last Sample.
func (s *Sensor) Failure(channel int) error {
	if s.failures[channel] == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.paths[channel], s.failures[channel])
}

// Averaging is zero: a counter averages nothing; over how long a power is averaged is not known.
func (s *Sensor) Averaging() float64 {
	if slices.Contains(s.most, 0) {
		return -1
	}
	return 0
}

// ChannelAveraging is zero for a counter, and negative for a power.
func (s *Sensor) ChannelAveraging(channel int) float64 {
	if s.most[channel] == 0 {
		return -1
	}
	return 0
}

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
