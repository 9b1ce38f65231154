package opencl

import (
	"fmt"
	"slices"

	"example.org/bench/gpu"
)

// Result is a cl_int.
type Result int32

// The results that this package acts on.
const (
	success             Result = 0
	errDeviceNotFound   Result = -1
	errAllocation       Result = -4
	errOutOfResources   Result = -5
	errOutOfHostMemory  Result = -6
	errNoProfiling      Result = -7
	errBuild            Result = -11
	errImageFormat      Result = -10
	errMisaligned       Result = -13
	errNoArgInfo        Result = -19
	errInvalidName      Result = -46
	errInvalidArgIndex  Result = -49
	errInvalidArgValue  Result = -50
	errInvalidArgSize   Result = -51
	errInvalidArgs      Result = -52
	errInvalidGroupSize Result = -54
	errInvalidItemSize  Result = -55
	errInvalidOperation Result = -59
	errBufferSize       Result = -61
	errNoPlatform       Result = -1001 // of the loader (cl_khr_icd)
)

// names are those of cl.h, by the number without its sign.
var names = map[Result]string{
	1: "CL_DEVICE_NOT_FOUND", 2: "CL_DEVICE_NOT_AVAILABLE", 3: "CL_COMPILER_NOT_AVAILABLE", 4: "CL_MEM_OBJECT_ALLOCATION_FAILURE", 5: "CL_OUT_OF_RESOURCES",
	6: "CL_OUT_OF_HOST_MEMORY", 7: "CL_PROFILING_INFO_NOT_AVAILABLE", 8: "CL_MEM_COPY_OVERLAP", 11: "CL_BUILD_PROGRAM_FAILURE", 12: "CL_MAP_FAILURE",
	9: "CL_IMAGE_FORMAT_MISMATCH", 10: "CL_IMAGE_FORMAT_NOT_SUPPORTED", 13: "CL_MISALIGNED_SUB_BUFFER_OFFSET", 14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", 15: "CL_COMPILE_PROGRAM_FAILURE",
	16: "CL_LINKER_NOT_AVAILABLE", 17: "CL_LINK_PROGRAM_FAILURE", 19: "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", 30: "CL_INVALID_VALUE",
	33: "CL_INVALID_DEVICE", 34: "CL_INVALID_CONTEXT", 35: "CL_INVALID_QUEUE_PROPERTIES", 36: "CL_INVALID_COMMAND_QUEUE", 38: "CL_INVALID_MEM_OBJECT",
	39: "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", 40: "CL_INVALID_IMAGE_SIZE", 41: "CL_INVALID_SAMPLER", 65: "CL_INVALID_IMAGE_DESCRIPTOR",
	42: "CL_INVALID_BINARY", 43: "CL_INVALID_BUILD_OPTIONS", 44: "CL_INVALID_PROGRAM", 45: "CL_INVALID_PROGRAM_EXECUTABLE", 46: "CL_INVALID_KERNEL_NAME",
	47: "CL_INVALID_KERNEL_DEFINITION", 48: "CL_INVALID_KERNEL", 49: "CL_INVALID_ARG_INDEX", 50: "CL_INVALID_ARG_VALUE", 51: "CL_INVALID_ARG_SIZE",
	52: "CL_INVALID_KERNEL_ARGS", 53: "CL_INVALID_WORK_DIMENSION", 54: "CL_INVALID_WORK_GROUP_SIZE", 55: "CL_INVALID_WORK_ITEM_SIZE",
	56: "CL_INVALID_GLOBAL_OFFSET", 57: "CL_INVALID_EVENT_WAIT_LIST", 58: "CL_INVALID_EVENT", 59: "CL_INVALID_OPERATION", 61: "CL_INVALID_BUFFER_SIZE",
	63: "CL_INVALID_GLOBAL_WORK_SIZE", 1001: "CL_PLATFORM_NOT_FOUND_KHR",
}

// Error is a failed call.
type Error struct {
	Call string // such as "clCreateBuffer"
	Code Result
}

func (e *Error) Error() string {
	if name := names[-e.Code]; name != "" {
		return e.Call + ": " + name
	}
	return fmt.Sprintf("%s: OpenCL error %d", e.Call, e.Code)
}

// Is reports whether target is gpu.ErrOutOfMemory and the result is one of a device without memory.
func (e *Error) Is(target error) bool {
	return target == gpu.ErrOutOfMemory && slices.Contains([]Result{errAllocation, errOutOfHostMemory, errBufferSize}, e.Code)
}

// check turns a result other than success into an *Error.
func check(call string, r Result) error {
	if r == success {
		return nil
	}
	return &Error{Call: call, Code: r}
}
