package nvml

import "slices"

// ConfiguredLimit returns the power limit in watts that was set. The limit in force, PowerLimit, may be
// lower.
func (d *Device) ConfiguredLimit() (float64, error) {
	return d.watts("nvmlDeviceGetPowerManagementLimit", d.api.limit)
}

// DefaultLimit returns the power limit in watts that the GPU starts with.
func (d *Device) DefaultLimit() (float64, error) {
	return d.watts("nvmlDeviceGetPowerManagementDefaultLimit", d.api.defaultLimit)
}

func (d *Device) watts(call string, read func(handle, *uint32) Return) (float64, error) {
	if read == nil {
		return 0, d.api.check(call, functionGone)
	}
	var mw uint32
	r := read(d.handle, &mw)
	v, err := d.api.number(call, r, mw)
	return v / 1e3, err
}

// SetLimit sets the power limit in watts. It changes the GPU for every
// program until the driver is reloaded; root only.
func (d *Device) SetLimit(watts float64) error {
	const call = "nvmlDeviceSetPowerManagementLimit"
	if d.api.setLimit == nil {
		return d.api.check(call, functionGone)
	}
	return d.api.check(call, d.api.setLimit(d.handle, uint32(watts*1e3+0.5)))
}

// SMClocks returns the frequencies in Hz at which the SM clock can be locked with the fastest memory
// clock, ascending.
func (d *Device) SMClocks() ([]float64, error) {
	if d.api.memoryClocks == nil || d.api.smClocks == nil {
		return nil, d.api.check("nvmlDeviceGetSupportedGraphicsClocks", functionGone)
	}
	memory := make([]uint32, 128)
	n := uint32(len(memory))
	if err := d.api.check("nvmlDeviceGetSupportedMemoryClocks", d.api.memoryClocks(d.handle, &n, &memory[0])); err != nil {
		return nil, err
	}
	sm := make([]uint32, 4096)
	fastest := slices.Max(append(memory[:n], 0))
	n = uint32(len(sm))
	if err := d.api.check("nvmlDeviceGetSupportedGraphicsClocks", d.api.smClocks(d.handle, fastest, &n, &sm[0])); err != nil {
		return nil, err
	}
	clocks := make([]float64, n)
	for i, mhz := range sm[:n] {
		clocks[i] = float64(mhz) * 1e6
	}
	slices.Sort(clocks)
	return clocks, nil
}

// LockClock locks the SM clock at a frequency in Hz, for every program, until UnlockClock; root only.
func (d *Device) LockClock(hz float64) error {
	const call = "nvmlDeviceSetGpuLockedClocks"
	if d.api.lockClocks == nil {
		return d.api.check(call, functionGone)
	}
	mhz := uint32(hz/1e6 + 0.5)
	return d.api.check(call, d.api.lockClocks(d.handle, mhz, mhz))
}

// UnlockClock lets the SM clock follow the load.
func (d *Device) UnlockClock() error {
	const call = "nvmlDeviceResetGpuLockedClocks"
	if d.api.unlockClocks == nil {
		return d.api.check(call, functionGone)
	}
	return d.api.check(call, d.api.unlockClocks(d.handle))
}
