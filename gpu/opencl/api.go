package opencl

import "unsafe"

// Handles of the library: pointers to its own objects.
type (
	platformID uintptr
	deviceID   uintptr
	context    uintptr
	queue      uintptr
	memory     uintptr
	program    uintptr
	kernel     uintptr
	sampler    uintptr
	event      uintptr
)

// api holds the functions of OpenCL 1.2 that this package calls, as the loader (libOpenCL) exports them. The
// uintptr fields are addresses for raw calls, which run at each launch, where a call through reflection would
// take time and leave garbage.
type api struct {
	getPlatformIDs  func(n uint32, list *platformID, count *uint32) Result                                             `symbol:"clGetPlatformIDs"`
	getPlatformInfo func(p platformID, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result         `symbol:"clGetPlatformInfo"`
	getDeviceIDs    func(p platformID, kind uint64, n uint32, list *deviceID, count *uint32) Result                    `symbol:"clGetDeviceIDs"`
	getDeviceInfo   func(d deviceID, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result           `symbol:"clGetDeviceInfo"`
	createContext   func(properties *uintptr, n uint32, devices *deviceID, notify, data uintptr, code *Result) context `symbol:"clCreateContext"`
	releaseContext  func(c context) Result                                                                             `symbol:"clReleaseContext"`
	createQueue     func(c context, d deviceID, properties uint64, code *Result) queue                                 `symbol:"clCreateCommandQueue"`
	releaseQueue    func(q queue) Result                                                                               `symbol:"clReleaseCommandQueue"`

	createBuffer    func(c context, flags uint64, bytes uintptr, host unsafe.Pointer, code *Result) memory                                                   `symbol:"clCreateBuffer"`
	createSubBuffer func(m memory, flags uint64, kind uint32, region *[2]uintptr, code *Result) memory                                                       `symbol:"clCreateSubBuffer"`
	releaseMemory   func(m memory) Result                                                                                                                    `symbol:"clReleaseMemObject"`
	writeBuffer     func(q queue, m memory, blocking uint32, offset, bytes uintptr, from unsafe.Pointer, waits uint32, list unsafe.Pointer, e *event) Result `symbol:"clEnqueueWriteBuffer"`
	readBuffer      func(q queue, m memory, blocking uint32, offset, bytes uintptr, to unsafe.Pointer, waits uint32, list unsafe.Pointer, e *event) Result   `symbol:"clEnqueueReadBuffer"`
	copyBuffer      func(q queue, from, to memory, fromOffset, toOffset, bytes uintptr, waits uint32, list unsafe.Pointer, e *event) Result                  `symbol:"clEnqueueCopyBuffer"`
	fillBuffer      func(q queue, m memory, pattern unsafe.Pointer, patternBytes, offset, bytes uintptr, waits uint32, list unsafe.Pointer, e *event) Result `symbol:"clEnqueueFillBuffer"`

	createProgram       func(c context, n uint32, texts **byte, lengths *uintptr, code *Result) program                                                `symbol:"clCreateProgramWithSource"`
	buildProgram        func(p program, n uint32, d *deviceID, options string, notify, data uintptr) Result                                            `symbol:"clBuildProgram"`
	getProgramBuildInfo func(p program, d deviceID, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result                            `symbol:"clGetProgramBuildInfo"`
	createImage         func(c context, flags uint64, format *imageFormat, form *imageForm, host unsafe.Pointer, code *Result) memory                  `symbol:"clCreateImage"`
	copyBufferToImage   func(q queue, from, to memory, offset uintptr, origin, region *[3]uintptr, waits uint32, list unsafe.Pointer, e *event) Result `symbol:"clEnqueueCopyBufferToImage"`
	copyImageToBuffer   func(q queue, from, to memory, origin, region *[3]uintptr, offset uintptr, waits uint32, list unsafe.Pointer, e *event) Result `symbol:"clEnqueueCopyImageToBuffer"`

	createSampler      func(c context, normalized, address, filter uint32, code *Result) sampler                                       `symbol:"clCreateSampler"`
	releaseSampler     func(s sampler) Result                                                                                          `symbol:"clReleaseSampler"`
	createFromBinary   func(c context, n uint32, d *deviceID, lengths *uintptr, binaries **byte, status *Result, code *Result) program `symbol:"clCreateProgramWithBinary"`
	getProgramInfo     func(p program, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result                         `symbol:"clGetProgramInfo"`
	releaseProgram     func(p program) Result                                                                                          `symbol:"clReleaseProgram"`
	createKernel       func(p program, name string, code *Result) kernel                                                               `symbol:"clCreateKernel"`
	releaseKernel      func(k kernel) Result                                                                                           `symbol:"clReleaseKernel"`
	getKernelInfo      func(k kernel, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result                          `symbol:"clGetKernelInfo"`
	getKernelArgInfo   func(k kernel, index, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result                   `symbol:"clGetKernelArgInfo"`
	getKernelGroupInfo func(k kernel, d deviceID, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result              `symbol:"clGetKernelWorkGroupInfo"`

	waitForEvents func(n uint32, list *event) Result                                                    `symbol:"clWaitForEvents"`
	getEventInfo  func(e event, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result `symbol:"clGetEventInfo"`
	profilingInfo func(e event, what uint32, bytes uintptr, value unsafe.Pointer, size *uintptr) Result `symbol:"clGetEventProfilingInfo"`
	marker        func(q queue, waits uint32, list unsafe.Pointer, e *event) Result                     `symbol:"clEnqueueMarkerWithWaitList"`
	barrier       func(q queue, waits uint32, list unsafe.Pointer, e *event) Result                     `symbol:"clEnqueueBarrierWithWaitList"`

	setKernelArg uintptr `symbol:"clSetKernelArg"`
	enqueueRange uintptr `symbol:"clEnqueueNDRangeKernel"`
	releaseEvent uintptr `symbol:"clReleaseEvent"`
	flush        uintptr `symbol:"clFlush"`
	finish       uintptr `symbol:"clFinish"`
}

// The numbers of queries and options, from cl.h and cl_ext.h (Khronos).
const (
	platformName = 0x0902

	deviceTypeAll         = 0xFFFFFFFF
	deviceTypeAccelerator = 1 << 3
	deviceTypeGPU         = 1 << 2
	deviceTypeCPU         = 1 << 1

	deviceType          = 0x1000
	deviceComputeUnits  = 0x1002
	deviceGroupSize     = 0x1004
	deviceClockMHz      = 0x100C
	deviceMostAlloc     = 0x1010
	deviceAlignBits     = 0x1019
	deviceCacheLine     = 0x101D
	deviceCacheBytes    = 0x101E
	deviceGlobalBytes   = 0x101F
	deviceConstantBytes = 0x1020
	deviceLocalBytes    = 0x1023
	deviceResolution    = 0x1025
	deviceCompiler      = 0x1028
	deviceName          = 0x102B
	deviceVendor        = 0x102C
	driverVersion       = 0x102D
	deviceVersion       = 0x102F
	deviceExtensions    = 0x1030
	deviceUnified       = 0x1035
	deviceCVersion      = 0x103D
	deviceMultiple      = 0x1067 // OpenCL 3.0
	deviceUUID          = 0x106A // cl_khr_device_uuid
	deviceWarpNV        = 0x4003 // cl_nv_device_attribute_query
	deviceBusNV         = 0x4008
	deviceSlotNV        = 0x4009
	deviceDomainNV      = 0x400A
	deviceWavefrontAMD  = 0x4043 // cl_amd_device_attribute_query
	deviceSubgroupsIn   = 0x4108 // cl_intel_required_subgroup_size
	devicePCIBus        = 0x410F // cl_khr_pci_bus_info

	queueProfiling = 1 << 1

	memoryReadWrite = 1 << 0
	bufferRegion    = 0x1220

	programBinarySizes = 0x1165
	programBinaries    = 0x1166
	programKernelNames = 0x1168
	programBuildLog    = 0x1183

	kernelArguments  = 0x1191
	kernelArgAddress = 0x1196
	kernelGroupSize  = 0x11B0
	kernelFixedSize  = 0x11B1
	kernelLocalBytes = 0x11B2
	kernelPrivate    = 0x11B4

	addressGlobal   = 0x119B
	addressLocal    = 0x119C
	addressConstant = 0x119D
	addressPrivate  = 0x119E

	eventStatus = 0x11D3

	profilingQueued = 0x1280
	profilingSubmit = 0x1281
	profilingStart  = 0x1282
	profilingEnd    = 0x1283
)
