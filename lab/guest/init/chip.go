//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The registers of the INA3221 (Texas Instruments, INA3221 data sheet), of the
// INA238 ("INA238 85-V, 16-Bit, High-Precision Power Monitor With I2C Interface") and of
// the INA226 ("INA226 36V, 16-Bit, Ultra-Precise I2C Output Current, Voltage, and Power
// Monitor With Alert").
const (
	configuration = 0x00
	firstShunt    = 0x01 // then bus voltage, shunt voltage, … of three channels
	firstBus      = 0x02
	maskEnable    = 0x0f

	inputPower = 0x08 // of 24 bits

	monitorPower = 0x03
	manufacturer = 0xfe
)

var chips = []int{0x40, 0x41}

// inputChip is the INA238, in front of the board.
const inputChip = 0x44

// monitorChip is the INA226, in front of the module.
const monitorChip = 0x45

// monitorTimes is the power at the INA226 by that of the driven channel.
const monitorTimes = 5

// inputTimes is the power at the board's input by that of the driven channel.
const inputTimes = 10

// The powers of the square wave: 5.000 V times 0.1 A and 0.4 A.
const (
	lowPower  = 0.5
	highPower = 2.0
	volts     = 5.0
)

// openedBus is an I2C bus with one chip selected.
type openedBus struct{ file *os.File }

func openBus(name string, address int) (*openedBus, error) {
	f, err := os.OpenFile("/dev/"+name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	const slaveForce = 0x0706 // I2C_SLAVE_FORCE: though a driver is bound to it
	if err := unix.IoctlSetInt(int(f.Fd()), slaveForce, address); err != nil {
		return nil, err
	}
	return &openedBus{f}, nil
}

// write sets a register. The chip sends the high byte first, the SMBus the low
// one (Linux, "SMBus Protocol Summary").
func (b *openedBus) write(register uint8, value uint16) error {
	const wordData = 3 // I2C_SMBUS_WORD_DATA
	return b.transfer(register, wordData, byte(value>>8), byte(value))
}

// writeBlock sets a register of several bytes in one transfer; the stub has them at
// addresses one after the other.
func (b *openedBus) writeBlock(register uint8, content ...byte) error {
	const blockData = 8 // I2C_SMBUS_I2C_BLOCK_DATA: the length comes first
	return b.transfer(register, blockData, append([]byte{byte(len(content))}, content...)...)
}

func (b *openedBus) transfer(register uint8, size uint32, content ...byte) error {
	type argument struct {
		write, command uint8
		size           uint32
		data           *[34]byte
	}
	var data [34]byte
	copy(data[:], content)
	const smbus = 0x0720 // I2C_SMBUS
	a := argument{write: 0, command: register, size: size, data: &data}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, b.file.Fd(), smbus, uintptr(unsafe.Pointer(&a))); errno != 0 {
		return fmt.Errorf("register %#x: %w", register, errno)
	}
	return nil
}

// shunt is the register's content for a power at 5 V through the driver's
// default shunt of 10 mΩ: 40 µV a step, from bit 3 on.
func shunt(watts float64) uint16 { return uint16(watts/volts*10e-3/40e-6+0.5) << 3 }

func (b *openedBus) setPower(watts float64) error { return b.write(firstShunt, shunt(watts)) }

// setInput sets the INA238's power. The driver's calibration of 16384 at its default
// shunt of 10 mΩ is a current of 2 mA a step, and the power's step is a fifth of
// that in watts (data sheet, "Current and Power Calculations").
func (b *openedBus) setInput(watts float64) error {
	steps := uint32(watts/(2e-3/5) + 0.5)
	return b.writeBlock(inputPower, byte(steps>>16), byte(steps>>8), byte(steps))
}

// prepareInput gives the INA238 a power and binds the driver to it.
func prepareInput(bus string) error {
	b, err := openBus(bus, inputChip)
	if err != nil {
		return err
	}
	if err := b.setInput(inputTimes * lowPower); err != nil {
		return err
	}
	if err := b.file.Close(); err != nil {
		return err
	}
	return bind("ina238", bus, inputChip)
}

// setMonitor sets the INA226's power. The driver's calibration of 2048 at its default
// shunt of 10 mΩ is a current of 0.25 mA a step, and the power's step is 25 of that in
// watts (data sheet, "Programming the Calibration Register").
func (b *openedBus) setMonitor(watts float64) error {
	return b.write(monitorPower, uint16(watts/(25*0.25e-3)+0.5))
}

// prepareMonitor gives the INA226 a power and binds the driver to it.
func prepareMonitor(bus string) error {
	b, err := openBus(bus, monitorChip)
	if err != nil {
		return err
	}
	const texas = 0x5449
	if err := errors.Join(b.write(manufacturer, texas), b.write(firstBus, uint16(volts/1.25e-3)), b.setMonitor(monitorTimes*lowPower), b.file.Close()); err != nil {
		return err
	}
	return bind("ina226", bus, monitorChip)
}

// bind makes the driver look after a chip.
func bind(driver, bus string, address int) error {
	add := fmt.Sprintf("%s %#x", driver, address)
	if err := os.WriteFile(kernel+"/bus/i2c/devices/"+bus+"/new_device", []byte(add), 0); err != nil {
		return err
	}
	time.Sleep(10 * time.Millisecond)
	return nil
}

// prepare gives a chip the content after its reset, 5 V and the low power on
// all channels, and binds the driver to it.
func prepare(bus string, address int) error {
	b, err := openBus(bus, address)
	if err != nil {
		return err
	}
	const (
		reset = 0x7127 // three channels, no averaging, 1.1 ms a conversion
		ready = 0x0001 // a conversion has ended
	)
	registers := map[uint8]uint16{configuration: reset, maskEnable: ready}
	for channel := range uint8(3) {
		registers[firstShunt+2*channel] = shunt(lowPower)
		registers[firstBus+2*channel] = uint16(volts/8e-3) << 3 // 8 mV a step
	}
	for r, v := range registers {
		if err := b.write(r, v); err != nil {
			return err
		}
	}
	if err := b.file.Close(); err != nil {
		return err
	}
	return bind("ina3221", bus, address)
}
