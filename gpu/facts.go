package gpu

import (
	"errors"
	"slices"
)

// ErrOutOfMemory says that the device has too little memory for an allocation.
var ErrOutOfMemory = errors.New("out of device memory")

// ErrNoDevice says that there is no GPU to use. The error that wraps it gives the reason and what would
// help.
var ErrNoDevice = errors.New("no CUDA device")

// Facts are a device's limits, read from the driver.
type Facts struct {
	Name            string `json:"name"`                                 // the driver's name
	ComputeMajor    int    `json:"compute_major"`                        // compute capability
	ComputeMinor    int    `json:"compute_minor"`                        // compute capability
	Multiprocessors int    `json:"multiprocessors"`                      // their number
	WarpSize        int    `json:"warp_size" unit:"threads"`             // in a warp
	MaxThreadsPerSM int    `json:"max_threads_per_sm" unit:"threads"`    // resident on a multiprocessor
	MaxBlocksPerSM  int    `json:"max_blocks_per_sm"`                    // blocks resident on a multiprocessor
	MaxThreadsBlock int    `json:"max_threads_per_block" unit:"threads"` // in a block
	RegistersPerSM  int    `json:"registers_per_sm"`                     // of 32 bits
	RegistersBlock  int    `json:"registers_per_block"`                  // of 32 bits
	SharedPerSM     int    `json:"shared_per_sm_bytes"`                  // shared memory
	SharedPerBlock  int    `json:"shared_per_block_bytes"`               // without opting in
	SharedOptIn     int    `json:"shared_optin_bytes"`                   // largest that a block may ask for
	SharedReserved  int    `json:"shared_reserved_bytes"`                // taken by the system from each block
	L2Bytes         int    `json:"l2_bytes"`                             // cache
	GlobalBytes     int64  `json:"global_bytes"`                         // device memory
	ClockHz         int64  `json:"clock_Hz"`                             // highest of the multiprocessors
	MemoryClockHz   int64  `json:"memory_clock_Hz"`                      // highest of the memory
	MemoryBusBits   int    `json:"memory_bus_bits"`                      // the memory's width
	Integrated      bool   `json:"integrated"`                           // true: shares memory with the CPU, as on a Jetson
	Cooperative     bool   `json:"cooperative"`                          // true: cooperative launches work
	Simulated       bool   `json:"simulated,omitempty"`                  // true: the simulator, which runs no compiled code
	UUID            string `json:"uuid,omitempty"`                       // the GPU's
	PCIBusID        string `json:"pci_bus_id,omitempty"`                 // address
	DriverVersion   string `json:"driver_version,omitempty"`             // CUDA version of the driver, e.g. "13.0"
	CompilerVersion string `json:"compiler_version,omitempty"`           // what compiles kernels, e.g. "NVRTC 13.0", "g++ 12.2.0" or "OpenCL C 1.2"
	// OpenCL is what OpenCL says in addition; null for another API. A multiprocessor is then a compute unit,
	// shared memory is local memory, l2_bytes is the cache of global memory, and what OpenCL does not tell is
	// 0.
	OpenCL *OpenCL `json:"opencl,omitempty"`
}

// OpenCL is what an OpenCL driver says of a device.
type OpenCL struct {
	Platform       string   `json:"platform"`                              // the driver's name
	Vendor         string   `json:"vendor"`                                // of the device
	Version        string   `json:"version"`                               // of OpenCL, as the driver writes it
	Type           string   `json:"type"`                                  // GPU, CPU, accelerator or other
	SubgroupSizes  []int    `json:"subgroup_sizes,omitempty" unit:"items"` // that kernels may have
	MostAlloc      int64    `json:"max_alloc_bytes"`                       // of one buffer
	ConstantBytes  int64    `json:"constant_bytes"`                        // of one __constant buffer
	AlignBytes     int      `json:"align_bytes"`                           // of a place within a buffer that a kernel may get
	CacheLineBytes int      `json:"cache_line_bytes"`                      // of global memory's cache
	ResolutionNs   int64    `json:"timer_resolution_ns"`                   // of events, as the driver claims
	Compiler       bool     `json:"compiler"`                              // true: the driver compiles OpenCL C
	Extensions     []string `json:"extensions"`                            // their names
	Fault          string   `json:"fault,omitempty"`                       // why the driver told no more
}

// Embedded reports whether the device is one like a Jetson rather than a server GPU.
func (f Facts) Embedded() bool { return f.Integrated || f.SharedOptIn <= 48<<10 }

// Doubles reports whether kernels can compute in double precision.
func (f Facts) Doubles() bool {
	return f.OpenCL == nil || slices.Contains(f.OpenCL.Extensions, "cl_khr_fp64")
}

// Arch returns the compute capability as compilers name it, e.g. "sm_53"; for a device of OpenCL its version
// of OpenCL.
func (f Facts) Arch() string {
	if f.OpenCL != nil {
		return f.OpenCL.Version
	}
	digits := "0123456789"
	major := ""
	if f.ComputeMajor >= 10 {
		major = digits[f.ComputeMajor/10 : f.ComputeMajor/10+1]
	}
	return "sm_" + major + digits[f.ComputeMajor%10:f.ComputeMajor%10+1] + digits[f.ComputeMinor%10:f.ComputeMinor%10+1]
}

// leastCache is the least size of the last cache of a GPU with memory of its own that OpenCL shows. Drivers
// tell of other caches: NVIDIA's of the sum of the first-level caches (4.1 MiB on an H200, whose L2 has 60),
// AMD's of that of one compute unit.
const leastCache = 64 << 20

// CacheBytes returns the size of the device's last cache, or more if it may be larger than the driver tells;
// 0 if unknown.
func (f Facts) CacheBytes() int64 {
	if f.OpenCL != nil && f.OpenCL.Type == "GPU" && !f.Integrated {
		return max(int64(f.L2Bytes), leastCache)
	}
	return int64(f.L2Bytes)
}
