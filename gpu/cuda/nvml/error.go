package nvml

import (
	"errors"
	"fmt"
	"math"
)

// Return is an nvmlReturn_t.
type Return int32

const (
	success       Return = 0
	notSupported  Return = 3
	noPermission  Return = 4
	notFound      Return = 6
	tooSmall      Return = 7
	driverAbsent  Return = 9
	functionGone  Return = 13
	gpuLost       Return = 15
	noData        Return = 21
	versionDiffer Return = 18
)

// The errors that this package's errors wrap.
var (
	ErrLibraryNotFound = errors.New("NVML: libnvidia-ml.so.1 cannot be loaded")
	ErrNotSupported    = errors.New("not supported")
	ErrNoPermission    = errors.New("no permission")
	ErrNotFound        = errors.New("no such device")
	ErrGPULost         = errors.New("the GPU fell off the bus")
)

// names are the codes' names without NVML_ERROR_, for use before the library loads.
var names = map[Return]string{
	1: "UNINITIALIZED", 2: "INVALID_ARGUMENT", 3: "NOT_SUPPORTED", 4: "NO_PERMISSION", 5: "ALREADY_INITIALIZED",
	6: "NOT_FOUND", 7: "INSUFFICIENT_SIZE", 8: "INSUFFICIENT_POWER", 9: "DRIVER_NOT_LOADED", 10: "TIMEOUT",
	11: "IRQ_ISSUE", 12: "LIBRARY_NOT_FOUND", 13: "FUNCTION_NOT_FOUND", 14: "CORRUPTED_INFOROM", 15: "GPU_IS_LOST",
	16: "RESET_REQUIRED", 17: "OPERATING_SYSTEM", 18: "LIB_RM_VERSION_MISMATCH", 19: "IN_USE", 20: "MEMORY",
	21: "NO_DATA", 22: "VGPU_ECC_NOT_SUPPORTED", 23: "INSUFFICIENT_RESOURCES", 24: "FREQ_NOT_SUPPORTED",
	25: "ARGUMENT_VERSION_MISMATCH", 26: "DEPRECATED", 27: "NOT_READY", 28: "GPU_NOT_FOUND", 29: "INVALID_STATE",
	999: "UNKNOWN",
}

// help is the advice for each code.
var help = map[Return]string{
	noPermission:  "run as root or as a user that may open /dev/nvidia*",
	driverAbsent:  "load the nvidia kernel module",
	versionDiffer: "kernel module and library differ in version: restart the machine after a driver update",
	gpuLost:       "restart the machine",
}

// Error is a failed NVML call.
type Error struct {
	Call string // e.g. "nvmlDeviceGetPowerUsage"
	Code Return
}

func (e *Error) Error() string {
	name, ok := names[e.Code]
	if !ok {
		name = fmt.Sprint(int32(e.Code))
	}
	s := e.Call + ": NVML_ERROR_" + name
	if h := help[e.Code]; h != "" {
		s += "; " + h
	}
	return s
}

// Is maps codes to the errors of this package.
func (e *Error) Is(target error) bool {
	switch e.Code {
	case notSupported, functionGone, noData:
		return target == ErrNotSupported
	case noPermission:
		return target == ErrNoPermission
	case notFound, 28:
		return target == ErrNotFound
	case gpuLost:
		return target == ErrGPULost
	}
	return false
}

func (a *api) check(call string, r Return) error {
	if r == success {
		return nil
	}
	return &Error{Call: call, Code: r}
}

// number returns a 32-bit value that a call wrote. A value of all ones is NVML_VALUE_NOT_AVAILABLE, which
// NVML writes without an error.
func (a *api) number(call string, r Return, v uint32) (float64, error) {
	if r == success && v == math.MaxUint32 {
		r = noData
	}
	return float64(v), a.check(call, r)
}
