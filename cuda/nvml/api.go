package nvml

import (
	"fmt"

	"bench/dynlib"
)

type handle uintptr

// api is NVML's functions as this package calls them. The uintptr fields are
// addresses for raw calls: those that a sampler repeats, which must leave no
// garbage. Functions marked optional are nil or zero where the library lacks
// them.
type api struct {
	init          func() Return
	shutdown      func() Return
	driverVersion func(b *byte, n uint32) Return
	version       func(b *byte, n uint32) Return
	count         func(n *uint32) Return
	byIndex       func(index uint32, d *handle) Return
	byUUID        func(uuid string, d *handle) Return
	byPCI         func(bus string, d *handle) Return
	name          func(d handle, b *byte, n uint32) Return
	uuid          func(d handle, b *byte, n uint32) Return
	maxClock      func(d handle, kind int32, mhz *uint32) Return
	limit         func(d handle, mw *uint32) Return // optional, as all below
	enforcedLimit func(d handle, mw *uint32) Return
	limits        func(d handle, least, most *uint32) Return
	defaultLimit  func(d handle, mw *uint32) Return
	setLimit      func(d handle, mw uint32) Return
	memoryClocks  func(d handle, n, mhz *uint32) Return
	smClocks      func(d handle, memory uint32, n, mhz *uint32) Return
	lockClocks    func(d handle, least, most uint32) Return
	unlockClocks  func(d handle) Return

	power       uintptr
	fields      uintptr
	energy      uintptr
	temperature uintptr
	clock       uintptr
	reasons     uintptr
}

func (a *api) bind(lib *dynlib.Library) error {
	for _, r := range []struct {
		fn       any
		optional bool
		names    []string
	}{
		{&a.init, false, []string{"nvmlInit_v2", "nvmlInit"}},
		{&a.shutdown, false, []string{"nvmlShutdown"}},
		{&a.driverVersion, false, []string{"nvmlSystemGetDriverVersion"}},
		{&a.version, false, []string{"nvmlSystemGetNVMLVersion"}},
		{&a.count, false, []string{"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}},
		{&a.byIndex, false, []string{"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}},
		{&a.byUUID, false, []string{"nvmlDeviceGetHandleByUUID"}},
		{&a.byPCI, false, []string{"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"}},
		{&a.name, false, []string{"nvmlDeviceGetName"}},
		{&a.uuid, false, []string{"nvmlDeviceGetUUID"}},
		{&a.maxClock, false, []string{"nvmlDeviceGetMaxClockInfo"}},
		{&a.power, false, []string{"nvmlDeviceGetPowerUsage"}},
		{&a.temperature, false, []string{"nvmlDeviceGetTemperature"}},
		{&a.clock, false, []string{"nvmlDeviceGetClockInfo"}},
		{&a.limit, true, []string{"nvmlDeviceGetPowerManagementLimit"}},
		{&a.enforcedLimit, true, []string{"nvmlDeviceGetEnforcedPowerLimit"}},
		{&a.limits, true, []string{"nvmlDeviceGetPowerManagementLimitConstraints"}},
		{&a.defaultLimit, true, []string{"nvmlDeviceGetPowerManagementDefaultLimit"}},
		{&a.setLimit, true, []string{"nvmlDeviceSetPowerManagementLimit"}},
		{&a.memoryClocks, true, []string{"nvmlDeviceGetSupportedMemoryClocks"}},
		{&a.smClocks, true, []string{"nvmlDeviceGetSupportedGraphicsClocks"}},
		{&a.lockClocks, true, []string{"nvmlDeviceSetGpuLockedClocks"}},
		{&a.unlockClocks, true, []string{"nvmlDeviceResetGpuLockedClocks"}},
		{&a.fields, true, []string{"nvmlDeviceGetFieldValues"}},
		{&a.energy, true, []string{"nvmlDeviceGetTotalEnergyConsumption"}},
		{&a.reasons, true, []string{"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}},
	} {
		if !lib.Bind(r.fn, r.names...) && !r.optional {
			return fmt.Errorf("NVML is too old: %s has no symbol %s", lib.Name, r.names[0])
		}
	}
	return nil
}
