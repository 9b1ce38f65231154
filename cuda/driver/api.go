package driver

import (
	"fmt"
	"unsafe"

	"bench/dynlib"
)

type (
	device    int32
	context   uintptr
	module    uintptr
	function  uintptr
	event     uintptr
	graph     uintptr
	graphExec uintptr // an instantiated graph
)

// api is the driver's functions as this package calls them. The uintptr fields
// are addresses for raw calls: they run once a kernel launch or more often,
// where a call through reflection would cost and leave garbage. Optional
// functions are nil or zero where the driver lacks them.
type api struct {
	init                 func(flags uint32) Result
	driverGetVersion     func(version *int32) Result
	getErrorName         func(code Result, text **byte) Result
	getErrorString       func(code Result, text **byte) Result
	deviceGetCount       func(count *int32) Result
	deviceGet            func(d *device, ordinal int32) Result
	deviceGetName        func(name *byte, length int32, d device) Result
	deviceGetAttribute   func(value *int32, attribute int32, d device) Result
	deviceTotalMem       func(bytes *uintptr, d device) Result
	deviceGetPCIBusID    func(id *byte, length int32, d device) Result
	deviceGetUUID        func(uuid *[16]byte, d device) Result // optional
	primaryCtxRetain     func(c *context, d device) Result
	primaryCtxRelease    func(d device) Result
	ctxSetCurrent        func(c context) Result
	ctxResetPersistingL2 func() Result // optional

	memGetInfo           func(free, total *uintptr) Result
	memAlloc             func(p *uintptr, bytes uintptr) Result
	memFree              func(p uintptr) Result
	memcpyHtoD           func(dst uintptr, src unsafe.Pointer, bytes uintptr) Result
	memcpyDtoH           func(dst unsafe.Pointer, src uintptr, bytes uintptr) Result
	memHostAlloc         func(p *unsafe.Pointer, bytes uintptr, flags uint32) Result
	memFreeHost          func(p unsafe.Pointer) Result
	memHostDevicePointer func(d *uintptr, p unsafe.Pointer, flags uint32) Result

	moduleLoadDataEx  func(m *module, image *byte, n uint32, options *int32, values *uintptr) Result
	moduleUnload      func(m module) Result
	moduleGetFunction func(f *function, m module, name string) Result
	funcGetAttribute  func(value *int32, attribute int32, f function) Result
	funcSetAttribute  func(f function, attribute, value int32) Result
	funcGetParamInfo  func(f function, index uintptr, offset, size *uintptr) Result // optional
	activeBlocks      func(n *int32, f function, threads int32, sharedBytes uintptr) Result

	streamCreate  func(s *uintptr, flags uint32) Result
	streamDestroy func(s uintptr) Result
	eventCreate   func(e *event, flags uint32) Result
	eventDestroy  func(e event) Result
	eventElapsed  func(ms *float32, start, end event) Result

	streamBeginCapture     func(s uintptr, mode int32) Result // optional
	streamBeginCaptureOld  func(s uintptr) Result             // CUDA 10.0; optional
	streamEndCapture       func(s uintptr, g *graph) Result   // optional
	graphGetNodes          func(g graph, nodes *uintptr, n *uintptr) Result
	graphInstantiateFlags  func(x *graphExec, g graph, flags uint64) Result // from 11.4; optional
	graphInstantiateLogged func(x *graphExec, g graph, node *uintptr, log *byte, bytes uintptr) Result
	graphExecDestroy       func(x graphExec) Result
	graphDestroy           func(g graph) Result

	launchKernel      uintptr
	launchCooperative uintptr // optional
	launchKernelEx    uintptr // optional
	memcpyDtoDAsync   uintptr
	memsetD8Async     uintptr
	streamSynchronize uintptr
	eventRecord       uintptr
	eventSynchronize  uintptr
	eventQuery        uintptr
	graphLaunch       uintptr // optional
}

// bind looks up every function. The driver keeps old names with their old
// signatures, so the first of the names that exists is the one to call.
func (a *api) bind(lib *dynlib.Library) error {
	required := []struct {
		fn    any
		names []string
	}{
		{&a.init, []string{"cuInit"}},
		{&a.driverGetVersion, []string{"cuDriverGetVersion"}},
		{&a.getErrorName, []string{"cuGetErrorName"}},
		{&a.getErrorString, []string{"cuGetErrorString"}},
		{&a.deviceGetCount, []string{"cuDeviceGetCount"}},
		{&a.deviceGet, []string{"cuDeviceGet"}},
		{&a.deviceGetName, []string{"cuDeviceGetName"}},
		{&a.deviceGetAttribute, []string{"cuDeviceGetAttribute"}},
		{&a.deviceTotalMem, []string{"cuDeviceTotalMem_v2"}},
		{&a.deviceGetPCIBusID, []string{"cuDeviceGetPCIBusId"}},
		{&a.primaryCtxRetain, []string{"cuDevicePrimaryCtxRetain"}},
		{&a.primaryCtxRelease, []string{"cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease"}},
		{&a.ctxSetCurrent, []string{"cuCtxSetCurrent"}},
		{&a.memGetInfo, []string{"cuMemGetInfo_v2"}},
		{&a.memAlloc, []string{"cuMemAlloc_v2"}},
		{&a.memFree, []string{"cuMemFree_v2"}},
		{&a.memcpyHtoD, []string{"cuMemcpyHtoD_v2"}},
		{&a.memcpyDtoH, []string{"cuMemcpyDtoH_v2"}},
		{&a.memHostAlloc, []string{"cuMemHostAlloc"}},
		{&a.memFreeHost, []string{"cuMemFreeHost"}},
		{&a.memHostDevicePointer, []string{"cuMemHostGetDevicePointer_v2"}},
		{&a.moduleLoadDataEx, []string{"cuModuleLoadDataEx"}},
		{&a.moduleUnload, []string{"cuModuleUnload"}},
		{&a.moduleGetFunction, []string{"cuModuleGetFunction"}},
		{&a.funcGetAttribute, []string{"cuFuncGetAttribute"}},
		{&a.funcSetAttribute, []string{"cuFuncSetAttribute"}},
		{&a.activeBlocks, []string{"cuOccupancyMaxActiveBlocksPerMultiprocessor"}},
		{&a.streamCreate, []string{"cuStreamCreate"}},
		{&a.streamDestroy, []string{"cuStreamDestroy_v2"}},
		{&a.eventCreate, []string{"cuEventCreate"}},
		{&a.eventDestroy, []string{"cuEventDestroy_v2"}},
		{&a.eventElapsed, []string{"cuEventElapsedTime_v2", "cuEventElapsedTime"}},
		{&a.launchKernel, []string{"cuLaunchKernel"}},
		{&a.memcpyDtoDAsync, []string{"cuMemcpyDtoDAsync_v2"}},
		{&a.memsetD8Async, []string{"cuMemsetD8Async"}},
		{&a.streamSynchronize, []string{"cuStreamSynchronize"}},
		{&a.eventRecord, []string{"cuEventRecord"}},
		{&a.eventSynchronize, []string{"cuEventSynchronize"}},
		{&a.eventQuery, []string{"cuEventQuery"}},
	}
	for _, r := range required {
		if !lib.Bind(r.fn, r.names...) {
			return fmt.Errorf("%s has no symbol %s", lib.Name, r.names[0])
		}
	}
	lib.Bind(&a.deviceGetUUID, "cuDeviceGetUuid_v2", "cuDeviceGetUuid")
	lib.Bind(&a.ctxResetPersistingL2, "cuCtxResetPersistingL2Cache")
	lib.Bind(&a.funcGetParamInfo, "cuFuncGetParamInfo")
	lib.Bind(&a.launchCooperative, "cuLaunchCooperativeKernel")
	lib.Bind(&a.launchKernelEx, "cuLaunchKernelEx")
	lib.Bind(&a.streamBeginCapture, "cuStreamBeginCapture_v2")
	lib.Bind(&a.streamBeginCaptureOld, "cuStreamBeginCapture")
	lib.Bind(&a.streamEndCapture, "cuStreamEndCapture")
	lib.Bind(&a.graphGetNodes, "cuGraphGetNodes")
	lib.Bind(&a.graphInstantiateFlags, "cuGraphInstantiateWithFlags")
	lib.Bind(&a.graphInstantiateLogged, "cuGraphInstantiate_v2", "cuGraphInstantiate")
	lib.Bind(&a.graphExecDestroy, "cuGraphExecDestroy")
	lib.Bind(&a.graphDestroy, "cuGraphDestroy")
	lib.Bind(&a.graphLaunch, "cuGraphLaunch")
	return nil
}

// graphs reports whether the driver has all that stream capture needs.
func (a *api) graphs() bool {
	return (a.streamBeginCapture != nil || a.streamBeginCaptureOld != nil) && a.streamEndCapture != nil &&
		a.graphGetNodes != nil && (a.graphInstantiateFlags != nil || a.graphInstantiateLogged != nil) &&
		a.graphExecDestroy != nil && a.graphDestroy != nil && a.graphLaunch != 0
}
