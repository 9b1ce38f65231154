package machine

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/internal/lazy"
)

var i2cAddress = lazy.Regexp(`^(\d+)-[0-9a-f]{4}$`)

// I2CDrivers is the folder that has one for each driver of chips on I2C buses.
const I2CDrivers = "sys/bus/i2c/drivers"

// I2CDevices are the chips that a driver serves, such as "1-0040": bus and address, in
// the order of both as numbers.
func (t Tree) I2CDevices(driver string) []string {
	devices := slices.DeleteFunc(t.List(path.Join(I2CDrivers, driver)), func(name string) bool { return !i2cAddress().MatchString(name) })
	slices.SortFunc(devices, CompareI2C)
	return devices
}

// CompareI2C orders chips as I2CDevices does.
func CompareI2C(a, b string) int {
	bus := func(device string) int {
		n, _ := strconv.Atoi(i2cAddress().FindStringSubmatch(device)[1]) // digits
		return n
	}
	return cmp.Or(cmp.Compare(bus(a), bus(b)), strings.Compare(a, b))
}
