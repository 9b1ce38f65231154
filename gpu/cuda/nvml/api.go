package nvml

type handle uintptr

// api is NVML's functions as this package calls them. The uintptr fields are
// addresses for raw calls: those that a sampler repeats, which must leave no
// garbage. Optional ones are nil or zero where the library lacks them.
type api struct {
	init          func() Return                                        `symbol:"nvmlInit_v2 nvmlInit"`
	shutdown      func() Return                                        `symbol:"nvmlShutdown"`
	driverVersion func(b *byte, n uint32) Return                       `symbol:"nvmlSystemGetDriverVersion"`
	byIndex       func(index uint32, d *handle) Return                 `symbol:"nvmlDeviceGetHandleByIndex_v2 nvmlDeviceGetHandleByIndex"`
	byUUID        func(uuid string, d *handle) Return                  `symbol:"nvmlDeviceGetHandleByUUID"`
	byPCI         func(bus string, d *handle) Return                   `symbol:"nvmlDeviceGetHandleByPciBusId_v2 nvmlDeviceGetHandleByPciBusId"`
	name          func(d handle, b *byte, n uint32) Return             `symbol:"nvmlDeviceGetName"`
	uuid          func(d handle, b *byte, n uint32) Return             `symbol:"nvmlDeviceGetUUID"`
	capability    func(d handle, major, minor *int32) Return           `symbol:"nvmlDeviceGetCudaComputeCapability" optional:""`
	maxClock      func(d handle, kind int32, mhz *uint32) Return       `symbol:"nvmlDeviceGetMaxClockInfo"`
	limit         func(d handle, mw *uint32) Return                    `symbol:"nvmlDeviceGetPowerManagementLimit" optional:""`
	enforcedLimit func(d handle, mw *uint32) Return                    `symbol:"nvmlDeviceGetEnforcedPowerLimit" optional:""`
	limits        func(d handle, least, most *uint32) Return           `symbol:"nvmlDeviceGetPowerManagementLimitConstraints" optional:""`
	defaultLimit  func(d handle, mw *uint32) Return                    `symbol:"nvmlDeviceGetPowerManagementDefaultLimit" optional:""`
	setLimit      func(d handle, mw uint32) Return                     `symbol:"nvmlDeviceSetPowerManagementLimit" optional:""`
	memoryClocks  func(d handle, n, mhz *uint32) Return                `symbol:"nvmlDeviceGetSupportedMemoryClocks" optional:""`
	smClocks      func(d handle, memory uint32, n, mhz *uint32) Return `symbol:"nvmlDeviceGetSupportedGraphicsClocks" optional:""`
	lockClocks    func(d handle, least, most uint32) Return            `symbol:"nvmlDeviceSetGpuLockedClocks" optional:""`
	unlockClocks  func(d handle) Return                                `symbol:"nvmlDeviceResetGpuLockedClocks" optional:""`

	computeProcesses  func(d handle, n *uint32, list *processInfo) Return             `symbol:"nvmlDeviceGetComputeRunningProcesses_v3 nvmlDeviceGetComputeRunningProcesses_v2" optional:""`
	graphicsProcesses func(d handle, n *uint32, list *processInfo) Return             `symbol:"nvmlDeviceGetGraphicsRunningProcesses_v3 nvmlDeviceGetGraphicsRunningProcesses_v2" optional:""`
	servedProcesses   func(d handle, n *uint32, list *processInfo) Return             `symbol:"nvmlDeviceGetMPSComputeRunningProcesses_v3 nvmlDeviceGetMPSComputeRunningProcesses_v2" optional:""`
	utilisation       func(d handle, list *useSample, n *uint32, since uint64) Return `symbol:"nvmlDeviceGetProcessUtilization" optional:""`
	mig               func(d handle, now, pending *uint32) Return                     `symbol:"nvmlDeviceGetMigMode" optional:""`

	power       uintptr `symbol:"nvmlDeviceGetPowerUsage"`
	fields      uintptr `symbol:"nvmlDeviceGetFieldValues" optional:""`
	energy      uintptr `symbol:"nvmlDeviceGetTotalEnergyConsumption" optional:""`
	temperature uintptr `symbol:"nvmlDeviceGetTemperature"`
	clock       uintptr `symbol:"nvmlDeviceGetClockInfo"`
	reasons     uintptr `symbol:"nvmlDeviceGetCurrentClocksEventReasons nvmlDeviceGetCurrentClocksThrottleReasons" optional:""`
}
