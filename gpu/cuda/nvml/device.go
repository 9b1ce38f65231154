package nvml

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Device is one GPU. Its reads write to memory that it keeps, so only one goroutine may read at a time.
type Device struct {
	api     *api
	handle  handle
	average bool // instant power is not supported
	instant bool // instant power was read
	// NVML writes to field and value. A Device is always on the heap, because
	// the lookups pass &handle to a function that the compiler cannot see
	// into.
	field fieldValue
	value uint64
	args  [3]uintptr // the arguments of call
}

// fieldValue is nvmlFieldValue_t.
type fieldValue struct {
	id, scope       uint32
	timestamp       int64
	latency         int64
	valueType, code int32
	value           uint64
}

// powerInstant is NVML_FI_DEV_POWER_INSTANT: milliwatts, not averaged.
const powerInstant = 186

// Domain is a clock of the device.
type Domain int32

// The clocks, as nvmlClockType_t numbers them.
const (
	Graphics Domain = 0
	SM       Domain = 1
	Memory   Domain = 2
)

func (d Domain) String() string {
	switch d {
	case Graphics:
		return "graphics"
	case SM:
		return "SM"
	case Memory:
		return "memory"
	}
	return fmt.Sprintf("clock %d", int32(d))
}

// Name returns the product name.
func (d *Device) Name() (string, error) {
	return text(func(b *byte, n uint32) Return { return d.api.name(d.handle, b, n) }, d.api, "nvmlDeviceGetName")
}

// UUID returns "GPU-" followed by the identifier that CUDA shows too.
func (d *Device) UUID() (string, error) {
	return text(func(b *byte, n uint32) Return { return d.api.uuid(d.handle, b, n) }, d.api, "nvmlDeviceGetUUID")
}

// ComputeCapability returns the major number: 3 for Kepler, 9 for Hopper.
func (d *Device) ComputeCapability() (major int, err error) {
	const call = "nvmlDeviceGetCudaComputeCapability"
	if d.api.capability == nil {
		return 0, d.api.check(call, functionGone)
	}
	var high, low int32
	err = d.api.check(call, d.api.capability(d.handle, &high, &low))
	return int(high), err
}

// Power returns the board's power in watts: the instant value (field 186) where the driver has it, else
// nvmlDeviceGetPowerUsage, which on most GPUs from Ampere on is the mean of one second. Instant reports
// which; it does not change once the instant value was read.
func (d *Device) Power() (float64, error) {
	if d.api.fields != 0 && !d.average {
		w, err := d.fieldPower(0)
		if err == nil {
			d.instant = true
			return w, nil
		}
		code := err.(*Error).Code
		d.average = code == notSupported || code == functionGone || code == 2 || // INVALID_ARGUMENT: no such field
			code == noData && !d.instant
		if !d.average {
			return 0, err
		}
	}
	d.average = true
	r := d.get(d.api.power)
	mw, err := d.api.number("nvmlDeviceGetPowerUsage", r, uint32(d.value))
	return mw / 1e3, err
}

// fieldPower reads the instant power of a scope; its error is an *Error.
func (d *Device) fieldPower(scope uint32) (float64, error) {
	const call = "nvmlDeviceGetFieldValues"
	d.field = fieldValue{id: powerInstant, scope: scope}
	code := d.call(d.api.fields, 1, uintptr(unsafe.Pointer(&d.field)))
	if code == success {
		code = Return(d.field.code)
	}
	mw, err := d.api.number(call, code, uint32(d.field.value))
	return mw / 1e3, err
}

// The scopes of power beside the GPU's, 0 (nvml.h, NVML_POWER_SCOPE_MODULE and _MEMORY).
const (
	moduleScope = 1
	memoryScope = 2
)

// MemoryPower returns the instant power of the GPU's memory in watts, which is part of Power.
func (d *Device) MemoryPower() (float64, error) { return d.scopePower(memoryScope) }

// ModulePower returns the instant power in watts of a superchip's module, which has the GPU and its CPU.
// Other GPUs give an error.
func (d *Device) ModulePower() (float64, error) { return d.scopePower(moduleScope) }

func (d *Device) scopePower(scope uint32) (float64, error) {
	if d.api.fields == 0 {
		return 0, d.api.check("nvmlDeviceGetFieldValues", functionGone)
	}
	return d.fieldPower(scope)
}

// Instant reports whether the last Power was an instant value and not a mean.
func (d *Device) Instant() bool { return !d.average }

// Energy returns the joules consumed since the driver was loaded.
func (d *Device) Energy() (float64, error) {
	err := d.read(d.api.energy, "nvmlDeviceGetTotalEnergyConsumption")
	return float64(d.value) / 1e3, err
}

// Temperature returns the chip's temperature in degrees Celsius.
func (d *Device) Temperature() (float64, error) {
	const chip = 0
	d.value = 0
	r := d.call(d.api.temperature, chip, uintptr(unsafe.Pointer(&d.value)))
	return d.api.number("nvmlDeviceGetTemperature", r, uint32(d.value))
}

// Clock returns the present clock in Hz.
func (d *Device) Clock(domain Domain) (float64, error) {
	d.value = 0
	r := d.call(d.api.clock, uintptr(domain), uintptr(unsafe.Pointer(&d.value)))
	mhz, err := d.api.number("nvmlDeviceGetClockInfo", r, uint32(d.value))
	return mhz * 1e6, err
}

// MaxClock returns the highest clock in Hz.
func (d *Device) MaxClock(domain Domain) (float64, error) {
	var mhz uint32
	r := d.api.maxClock(d.handle, int32(domain), &mhz)
	v, err := d.api.number("nvmlDeviceGetMaxClockInfo", r, mhz)
	return v * 1e6, err
}

// PowerLimit returns the limit in watts that is in force; Limits returns the range that can be set.
func (d *Device) PowerLimit() (float64, error) {
	if d.api.enforcedLimit == nil {
		return d.ConfiguredLimit()
	}
	return d.watts("nvmlDeviceGetEnforcedPowerLimit", d.api.enforcedLimit)
}

// Limits returns the lowest and the highest power limit in watts.
func (d *Device) Limits() (least, most float64, err error) {
	const call = "nvmlDeviceGetPowerManagementLimitConstraints"
	if d.api.limits == nil {
		return 0, 0, d.api.check(call, functionGone)
	}
	var low, high uint32
	r := d.api.limits(d.handle, &low, &high)
	least, err = d.api.number(call, r, low)
	if err == nil {
		most, err = d.api.number(call, r, high)
	}
	return least / 1e3, most / 1e3, err
}

// Reasons is a bit mask of the reasons why the clocks are below their highest.
type Reasons uint64

// The reasons, as NVML's nvmlClocksEventReason constants number them.
const (
	Idle               Reasons = 0x1
	ApplicationClocks  Reasons = 0x2
	PowerCap           Reasons = 0x4
	HardwareSlowdown   Reasons = 0x8
	SyncBoost          Reasons = 0x10
	ThermalSlowdown    Reasons = 0x20
	HardwareThermal    Reasons = 0x40
	HardwarePowerBrake Reasons = 0x80
	DisplayClocks      Reasons = 0x100
	throttle                   = PowerCap | HardwareSlowdown | ThermalSlowdown | HardwareThermal | HardwarePowerBrake
)

var reasonNames = []struct {
	bit  Reasons
	name string
}{
	{Idle, "idle"}, {ApplicationClocks, "application clocks"}, {PowerCap, "power cap"}, {HardwareSlowdown, "hardware slowdown"},
	{SyncBoost, "sync boost"}, {ThermalSlowdown, "thermal slowdown"}, {HardwareThermal, "hardware thermal slowdown"},
	{HardwarePowerBrake, "hardware power brake"}, {DisplayClocks, "display clocks"},
}

// Throttled reports whether power or heat limits the clocks.
func (r Reasons) Throttled() bool { return r&throttle != 0 }

func (r Reasons) String() string {
	var parts []string
	for _, n := range reasonNames {
		if r&n.bit != 0 {
			parts = append(parts, n.name)
			r &^= n.bit
		}
	}
	if r != 0 {
		parts = append(parts, fmt.Sprintf("%#x", uint64(r)))
	}
	if parts == nil {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// ClockReasons returns why the clocks are below their highest now.
func (d *Device) ClockReasons() (Reasons, error) {
	err := d.read(d.api.reasons, "nvmlDeviceGetCurrentClocksEventReasons")
	return Reasons(d.value), err
}

// read calls a function that takes the device and writes 64 bits to d.value. A value of all ones is
// NVML_VALUE_NOT_AVAILABLE.
func (d *Device) read(function uintptr, call string) error {
	r := d.get(function)
	if r == success && d.value == math.MaxUint64 {
		r = noData
	}
	return d.api.check(call, r)
}

func (d *Device) get(function uintptr) Return {
	if function == 0 {
		return functionGone
	}
	d.value = 0
	return d.call(function, uintptr(unsafe.Pointer(&d.value)))
}

// call calls a function whose first parameter is the device. The arguments go through d's memory, because
// a slice made for each call would be garbage. Pointers among them must point into d.
func (d *Device) call(function uintptr, args ...uintptr) Return {
	d.args[0] = uintptr(d.handle)
	n := 1 + copy(d.args[1:], args)
	r, _, _ := purego.SyscallN(function, d.args[:n]...)
	runtime.KeepAlive(d)
	return Return(r)
}
