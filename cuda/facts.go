package cuda

import "errors"

// ErrOutOfMemory says that the device has too little memory for an allocation.
var ErrOutOfMemory = errors.New("out of device memory")

// ErrNoDevice says that there is no GPU to use. The error that wraps it gives the reason and what would
// help.
var ErrNoDevice = errors.New("no CUDA device")

// Facts are a device's limits, read from the driver.
type Facts struct {
	Name            string `json:"name"`
	ComputeMajor    int    `json:"compute_major"`
	ComputeMinor    int    `json:"compute_minor"`
	Multiprocessors int    `json:"multiprocessors"`
	WarpSize        int    `json:"warp_size"`
	MaxThreadsPerSM int    `json:"max_threads_per_sm"`
	MaxBlocksPerSM  int    `json:"max_blocks_per_sm"`
	MaxThreadsBlock int    `json:"max_threads_per_block"`
	RegistersPerSM  int    `json:"registers_per_sm"`
	RegistersBlock  int    `json:"registers_per_block"`
	SharedPerSM     int    `json:"shared_per_sm_bytes"`
	SharedPerBlock  int    `json:"shared_per_block_bytes"` // without opting in
	SharedOptIn     int    `json:"shared_optin_bytes"`     // the most that a block may ask for
	SharedReserved  int    `json:"shared_reserved_bytes"`  // taken from each block by the system
	L2Bytes         int    `json:"l2_bytes"`
	GlobalBytes     int64  `json:"global_bytes"`
	ClockHz         int64  `json:"clock_Hz"` // highest SM clock
	MemoryClockHz   int64  `json:"memory_clock_Hz"`
	MemoryBusBits   int    `json:"memory_bus_bits"`
	Integrated      bool   `json:"integrated"` // shares memory with the CPU, as on a Jetson
	Cooperative     bool   `json:"cooperative"`
	Simulated       bool   `json:"simulated,omitempty"` // runs CUDA C++ only, no compiled code
	UUID            string `json:"uuid,omitempty"`
	PCIBusID        string `json:"pci_bus_id,omitempty"`
	DriverVersion   string `json:"driver_version,omitempty"`   // CUDA version of the driver, e.g. "13.0"
	CompilerVersion string `json:"compiler_version,omitempty"` // e.g. "NVRTC 13.0" or "g++ 12.2.0"
}

// Embedded reports whether the device is one like a Jetson rather than a server GPU.
func (f Facts) Embedded() bool { return f.Integrated || f.SharedOptIn <= 48<<10 }

// Arch returns the compute capability as compilers name it, e.g. "sm_53".
func (f Facts) Arch() string {
	digits := "0123456789"
	major := ""
	if f.ComputeMajor >= 10 {
		major = digits[f.ComputeMajor/10 : f.ComputeMajor/10+1]
	}
	return "sm_" + major + digits[f.ComputeMajor%10:f.ComputeMajor%10+1] + digits[f.ComputeMinor%10:f.ComputeMinor%10+1]
}
