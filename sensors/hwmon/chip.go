package hwmon

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/machine"
	"example.org/bench/framework/rails"
)

// class is the folder that has a link for each chip.
const class = "sys/class/hwmon"

// chip is one hwmon device. Its address is the kernel's name of the device: bus and
// address on I2C (1-0040), a PCI device's address (0000:04:00.0), or ACPI000D:00. The
// number of hwmonN differs from boot to boot.
type chip struct {
	driver, address string
	i2c             bool
	dir             machine.Tree
	files           []string
}

// find lists the chips in the order of their addresses, each once. Those on I2C are
// also below their drivers' folders, which alone a copied tree may have.
func find(root machine.Tree) []chip {
	var chips []chip
	seen := map[string]bool{}
	add := func(name, folder, address string, i2c bool) {
		if !strings.HasPrefix(name, "hwmon") || seen[name] {
			return
		}
		seen[name] = true
		c := chip{driver: root.Line(filepath.Join(folder, "name")), address: address, i2c: i2c, dir: machine.Tree(root.Path(folder))}
		// Drivers of an older form have their files in the device's folder (Linux, acpi_power_meter.c).
		if c.files = root.List(folder); !slices.ContainsFunc(c.files, func(f string) bool { return strings.HasSuffix(f, "_input") || strings.HasSuffix(f, "_average") }) {
			device := filepath.Join(folder, "device")
			c.driver = cmp.Or(c.driver, root.Line(filepath.Join(device, "name")))
			c.dir, c.files = machine.Tree(root.Path(device)), root.List(device)
		}
		c.driver = cmp.Or(c.driver, "unnamed")
		chips = append(chips, c)
	}
	for _, driver := range root.List(machine.I2CDrivers) {
		for _, device := range root.I2CDevices(driver) {
			folder := filepath.Join(machine.I2CDrivers, driver, device, "hwmon")
			for _, n := range root.List(folder) {
				add(n, filepath.Join(folder, n), device, true)
			}
		}
	}
	for _, n := range root.List(class) {
		address := n
		if to, err := os.Readlink(root.Path(filepath.Join(class, n, "device"))); err == nil {
			address = filepath.Base(to)
		}
		add(n, filepath.Join(class, n), address, false)
	}
	slices.SortStableFunc(chips, func(a, b chip) int {
		if a.i2c && b.i2c {
			return machine.CompareI2C(a.address, b.address)
		}
		return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.driver, b.driver))
	})
	return chips
}

// labelled is whether one of the chip's voltages has a label.
func (c *chip) labelled() bool {
	return slices.ContainsFunc(c.files, func(f string) bool { return strings.HasPrefix(f, "in") && strings.HasSuffix(f, "_label") })
}

// card is whether the chip is an AMD GPU with a board of its own: only an APU has the
// voltage of a northbridge (Linux, "GPU Power/Thermal Controls and Monitoring").
func (c *chip) card() bool { return c.driver == "amdgpu" && c.dir.Text("in1_label") != "vddnb" }

// is is whether the chip is the PCI device; NVML writes a domain of eight digits.
func (c *chip) is(pci string) bool {
	return pci != "" && strings.HasSuffix(strings.ToLower(pci), strings.ToLower(c.address))
}

// otherGPU is whether the chip is a GPU, and not the one that is measured.
func (c *chip) otherGPU(pci string) bool { return c.driver == "amdgpu" && pci != "" && !c.is(pci) }

// negotiated is whether the chip is a USB-C port, whose voltage and current are those
// of the contract and not measured (Linux, tcpm.c, ucsi/psy.c).
func (c *chip) negotiated() bool {
	return strings.HasPrefix(c.driver, "tcpm_source_psy") || strings.HasPrefix(c.driver, "ucsi_source_psy")
}

// numbers are those of the chip's files with this start and end.
func (c *chip) numbers(start, end string) []int {
	var list []int
	for _, f := range c.files {
		rest, begins := strings.CutPrefix(f, start)
		digits, ends := strings.CutSuffix(rest, end)
		if n, err := strconv.Atoi(digits); begins && ends && err == nil && n >= 0 && n < 1000 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return list
}

// rails opens the chip's rails. The notes say what is left out.
func (c *chip) rails(open rails.Opener) (list []rail, notes []string) {
	leave := func(what string, err error) {
		notes = append(notes, fmt.Sprintf("%s of %s (%s) left out: %v", what, c.driver, c.address, err))
	}
	add := func(channel, voltage int, label string, p *rails.Power, files ...string) {
		r := rail{Rail: rails.Rail{Name: cmp.Or(label, c.label(voltage)), Driver: c.driver, Address: c.address, Channel: channel}, chip: c}
		for _, f := range files {
			if kind, _, _ := strings.Cut(f, "_"); c.dir.Text(kind+"_enable") == "0" {
				leave(f, fmt.Errorf("disabled"))
				closeAll(p) //nolint:errcheck // nothing was read
				return
			}
			if err := p.Add(open, c.dir.Path(f), 0); err != nil {
				leave(f, err)
				closeAll(p) //nolint:errcheck // nothing was read
				return
			}
		}
		if i := slices.IndexFunc(list, func(x rail) bool { return x.Channel == channel }); i >= 0 && p.Counter {
			list[i].energy = p
			return
		}
		if r.power = p; p.Counter {
			r.power, r.energy = nil, p
		}
		list = append(list, r)
	}
	for _, end := range []string{"_input", "_average"} {
		for _, n := range c.numbers("power", end) {
			if end == "_average" && slices.Contains(c.files, fmt.Sprintf("power%d_input", n)) {
				continue
			}
			name := fmt.Sprintf("power%d", n)
			label := cmp.Or(c.dir.Line(name+"_label"), c.dir.Line(name+"_oem_info"))
			if c.driver == "amdgpu" { // in1 is another rail's voltage
				label = cmp.Or(label, "PPT")
			}
			add(n, n, label, &rails.Power{Divisor: 1e6, Unsigned: true}, name+end)
		}
	}
	for _, n := range c.numbers("energy", "_input") {
		add(n, n, c.dir.Line(fmt.Sprintf("energy%d_label", n)), &rails.Power{Divisor: 1e6, Unsigned: true, Counter: true}, fmt.Sprintf("energy%d_input", n))
	}
	if list == nil && notes == nil && !c.negotiated() {
		for _, n := range c.numbers("curr", "_input") {
			current := fmt.Sprintf("curr%d_input", n)
			voltage, err := c.voltage(n)
			if err != nil {
				leave(current, err)
				continue
			}
			add(n, voltage, c.dir.Line(fmt.Sprintf("curr%d_label", n)), &rails.Power{Divisor: 1e6}, fmt.Sprintf("in%d_input", voltage), current)
		}
	}
	if len(list) == 1 {
		if l := c.dir.Line("label"); l != "" { // of the device tree (Linux, hwmon-common.yaml)
			list[0].Name = cmp.Or(list[0].Name, l)
		}
	}
	for i := range list {
		if list[i].Name == "" {
			list[i].Name = c.driver + "-" + c.address
			if len(list) > 1 {
				list[i].Name += "-" + strconv.Itoa(list[i].Channel)
			}
		}
	}
	return list, notes
}

// label is that of a voltage.
func (c *chip) label(n int) string { return c.dir.Line(fmt.Sprintf("in%d_label", n)) }

// voltage is the number of the voltage that goes with a current: an INA3221's first
// three have the same number, PMBus labels say vin and iin, vout1 and iout1
// (Linux, "Kernel driver pmbus"), others say the same label, and a chip of one
// current and one voltage means that.
func (c *chip) voltage(current int) (int, error) {
	voltages, currents := c.numbers("in", "_input"), c.numbers("curr", "_input")
	if c.driver == "ina3221" {
		if current > 3 || !slices.Contains(voltages, current) {
			return 0, fmt.Errorf("it is no rail's")
		}
		return current, nil
	}
	if label := c.dir.Line(fmt.Sprintf("curr%d_label", current)); label != "" {
		for _, n := range voltages {
			if v := c.label(n); v == label || strings.HasPrefix(v, "v") && strings.HasPrefix(label, "i") && v[1:] == label[1:] {
				return n, nil
			}
		}
	}
	if len(voltages) == 1 && len(currents) == 1 {
		return voltages[0], nil
	}
	return 0, fmt.Errorf("nothing says which voltage goes with it")
}

// times are those of a rail, in seconds.
type times struct {
	averaging float64 // negative: not known
	updates   float64 // 0: not known
}

// averagingChips are the chips of the driver ina2xx whose update_interval is the
// conversion times by the number that is averaged (Linux, "Kernel driver ina2xx").
var averagingChips = []string{"ina226", "ina230", "ina231", "ina234", "ina260"}

// longestInterval is more than any chip averages over, in seconds.
const longestInterval = 100

// times are what the driver tells: update_interval, and powerN_average_interval of a
// meter that gives means only.
func (c *chip) times(channel int) times {
	milli := func(file string) float64 {
		v, err := strconv.ParseFloat(c.dir.Text(file), 64)
		if err != nil || !(v > 0 && v < 1e3*longestInterval) || math.IsNaN(v) {
			return 0
		}
		return v / 1e3
	}
	t := times{-1, milli("update_interval")}
	if t.updates > 0 && slices.Contains(averagingChips, c.driver) {
		t.averaging = t.updates
	}
	if !slices.Contains(c.files, fmt.Sprintf("power%d_input", channel)) {
		if mean := milli(fmt.Sprintf("power%d_average_interval", channel)); mean > 0 {
			t.averaging = mean
		}
	}
	return t
}
