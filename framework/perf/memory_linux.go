package perf

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"example.org/bench/framework/machine"
)

// sources is where the kernel shows the units that count.
var sources = "/sys/bus/event_source/devices"

// controller is an event of one memory controller, which counts for all programs.
type controller struct {
	kind   uint32
	config uint64
	unit   float64      // bytes of one count
	cpus   machine.CPUs // on which it is opened, one a socket
}

// memoryNames are what drivers call the traffic of memory controllers: bytes read, and
// written (Linux, drivers/perf and arch/x86/events/intel/uncore*.c).
var memoryNames = map[string][]string{
	"memory-read_B":    {"cas_count_read", "data_reads", "data_read"},
	"memory-written_B": {"cas_count_write", "data_writes", "data_write"},
}

// errNoController is of a system whose memory controllers show no counter.
var errNoController = errors.New("no memory controller shows a counter in " + sources + ": a virtual machine and most boards have none")

// controllers are those of all memory controllers by the first of the names that any has.
func controllers(name string) (list []controller, err error) {
	units, err := filepath.Glob(filepath.Join(sources, "uncore_imc*"))
	if err != nil {
		return nil, err
	}
	for _, event := range memoryNames[name] {
		for _, unit := range units {
			terms, err := line(unit, "events", event)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c, err := controllerOf(unit, event, terms)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(unit, "events", event), err)
			}
			list = append(list, c)
		}
		if len(list) > 0 {
			return list, nil
		}
	}
	return nil, errNoController
}

func line(parts ...string) (string, error) {
	text, err := os.ReadFile(filepath.Join(parts...))
	return strings.TrimSpace(string(text)), err
}

// casBytes are moved by one access of a memory controller that says no unit.
const casBytes = 64

func controllerOf(unit, event, terms string) (c controller, err error) {
	kind, err := line(unit, "type")
	if err != nil {
		return c, err
	}
	n, err := strconv.ParseUint(kind, 10, 32)
	if err != nil {
		return c, err
	}
	c.kind, c.unit = uint32(n), casBytes
	for term := range strings.SplitSeq(terms, ",") {
		name, value, _ := strings.Cut(term, "=")
		x, err := strconv.ParseUint(value, 0, 64)
		if err != nil {
			return c, err
		}
		format, err := line(unit, "format", name)
		if err != nil {
			return c, err
		}
		if c.config, err = placed(c.config, x, format); err != nil {
			return c, err
		}
	}
	if scale, err := line(unit, "events", event+".scale"); err == nil {
		if c.unit, err = strconv.ParseFloat(scale, 64); err != nil {
			return c, err
		}
		name, err := line(unit, "events", event+".unit")
		if err != nil {
			return c, err
		}
		bytes, ok := map[string]float64{"Bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[name]
		if !ok {
			return c, fmt.Errorf("its unit is %q, want Bytes, KiB, MiB or GiB", name)
		}
		c.unit *= bytes
	}
	mask, err := line(unit, "cpumask")
	if err != nil {
		return c, err
	}
	if c.cpus = machine.ParseCPUs(mask); c.cpus == nil {
		return c, fmt.Errorf("CPUs %q: want a list such as 0,18", mask)
	}
	return c, nil
}

// placed puts a term's value where the format says, such as config:8-15.
func placed(config, value uint64, format string) (uint64, error) {
	field, ranges, _ := strings.Cut(format, ":")
	if field != "config" {
		return 0, fmt.Errorf("format %q: want bits of config", format)
	}
	for part := range strings.SplitSeq(ranges, ",") {
		low, high, several := strings.Cut(part, "-")
		a, err := strconv.ParseUint(low, 10, 6)
		b := a
		if err == nil && several {
			b, err = strconv.ParseUint(high, 10, 6)
		}
		if err != nil || b < a {
			return 0, fmt.Errorf("format %q: want bits such as config:8-15", format)
		}
		for bit := a; bit <= b; bit++ {
			config |= value & 1 << bit
			value >>= 1
		}
	}
	if value != 0 {
		return 0, fmt.Errorf("format %q: the value has more bits", format)
	}
	return config, nil
}
