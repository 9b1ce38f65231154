package main

import (
	"fmt"
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The registers of the INA3221 (Texas Instruments, INA3221 data sheet).
const (
	configuration = 0x00
	firstShunt    = 0x01 // then bus voltage, shunt voltage, … of three channels
	firstBus      = 0x02
	maskEnable    = 0x0f
)

var chips = []int{0x40, 0x41}

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
	type argument struct {
		write, command uint8
		size           uint32
		data           *[34]byte
	}
	var data [34]byte
	data[0], data[1] = byte(value>>8), byte(value)
	const (
		smbus    = 0x0720 // I2C_SMBUS
		wordData = 3      // I2C_SMBUS_WORD_DATA
	)
	a := argument{write: 0, command: register, size: wordData, data: &data}
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, b.file.Fd(), smbus, uintptr(unsafe.Pointer(&a))); errno != 0 {
		return fmt.Errorf("register %#x: %w", register, errno)
	}
	return nil
}

// shunt is the register's content for a power at 5 V through the driver's
// default shunt of 10 mΩ: 40 µV a step, from bit 3 on.
func shunt(watts float64) uint16 { return uint16(watts/volts*10e-3/40e-6+0.5) << 3 }

func (b *openedBus) setPower(watts float64) error { return b.write(firstShunt, shunt(watts)) }

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
	add := fmt.Sprintf("ina3221 %#x", address)
	if err := os.WriteFile(kernel+"/bus/i2c/devices/"+bus+"/new_device", []byte(add), 0); err != nil {
		return err
	}
	time.Sleep(10 * time.Millisecond)
	return nil
}
