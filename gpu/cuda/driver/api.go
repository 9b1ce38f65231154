package driver

import "unsafe"

type (
	device    int32
	context   uintptr
	module    uintptr
	function  uintptr
	event     uintptr
	graph     uintptr
	graphExec uintptr // an instantiated graph
)

// api holds the driver's functions that this package calls. The uintptr fields are addresses for raw calls:
// these functions are called at least once per kernel launch, where a call through reflection would take time
// and leave garbage. Optional functions are nil or zero if the driver lacks them. Of several symbols the
// first that exists is called, because the driver keeps old names with their old signatures.
type api struct {
	init                 func(flags uint32) Result                            `symbol:"cuInit"`
	driverGetVersion     func(version *int32) Result                          `symbol:"cuDriverGetVersion"`
	getErrorName         func(code Result, text **byte) Result                `symbol:"cuGetErrorName"`
	getErrorString       func(code Result, text **byte) Result                `symbol:"cuGetErrorString"`
	deviceGetCount       func(count *int32) Result                            `symbol:"cuDeviceGetCount"`
	deviceGet            func(d *device, ordinal int32) Result                `symbol:"cuDeviceGet"`
	deviceGetName        func(name *byte, length int32, d device) Result      `symbol:"cuDeviceGetName"`
	deviceGetAttribute   func(value *int32, attribute int32, d device) Result `symbol:"cuDeviceGetAttribute"`
	deviceTotalMem       func(bytes *uintptr, d device) Result                `symbol:"cuDeviceTotalMem_v2"`
	deviceGetPCIBusID    func(id *byte, length int32, d device) Result        `symbol:"cuDeviceGetPCIBusId"`
	deviceGetUUID        func(uuid *[16]byte, d device) Result                `symbol:"cuDeviceGetUuid_v2 cuDeviceGetUuid" optional:""`
	primaryCtxRetain     func(c *context, d device) Result                    `symbol:"cuDevicePrimaryCtxRetain"`
	primaryCtxRelease    func(d device) Result                                `symbol:"cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRelease"`
	ctxSetCurrent        func(c context) Result                               `symbol:"cuCtxSetCurrent"`
	ctxResetPersistingL2 func() Result                                        `symbol:"cuCtxResetPersistingL2Cache" optional:""`

	memGetInfo           func(free, total *uintptr) Result                           `symbol:"cuMemGetInfo_v2"`
	memAlloc             func(p *uintptr, bytes uintptr) Result                      `symbol:"cuMemAlloc_v2"`
	memAllocManaged      func(p *uintptr, bytes uintptr, flags uint32) Result        `symbol:"cuMemAllocManaged" optional:""`
	memFree              func(p uintptr) Result                                      `symbol:"cuMemFree_v2"`
	memcpyHtoD           func(dst uintptr, src unsafe.Pointer, bytes uintptr) Result `symbol:"cuMemcpyHtoD_v2"`
	memcpyDtoH           func(dst unsafe.Pointer, src uintptr, bytes uintptr) Result `symbol:"cuMemcpyDtoH_v2"`
	memHostAlloc         func(p *unsafe.Pointer, bytes uintptr, flags uint32) Result `symbol:"cuMemHostAlloc"`
	memFreeHost          func(p unsafe.Pointer) Result                               `symbol:"cuMemFreeHost"`
	memHostDevicePointer func(d *uintptr, p unsafe.Pointer, flags uint32) Result     `symbol:"cuMemHostGetDevicePointer_v2"`

	arrayCreate       func(a *array, d *arrayDescriptor) Result                                           `symbol:"cuArray3DCreate_v2" optional:""`
	arrayDestroy      func(a array) Result                                                                `symbol:"cuArrayDestroy" optional:""`
	memcpy3D          func(c *copy3D, s uintptr) Result                                                   `symbol:"cuMemcpy3DAsync_v2" optional:""`
	texObjectCreate   func(x *object, from *resource, how *textureDescriptor, view unsafe.Pointer) Result `symbol:"cuTexObjectCreate" optional:""`
	texObjectDestroy  func(x object) Result                                                               `symbol:"cuTexObjectDestroy" optional:""`
	surfObjectCreate  func(x *object, from *resource) Result                                              `symbol:"cuSurfObjectCreate" optional:""`
	surfObjectDestroy func(x object) Result                                                               `symbol:"cuSurfObjectDestroy" optional:""`

	moduleLoadDataEx  func(m *module, image *byte, n uint32, options *int32, values *uintptr) Result `symbol:"cuModuleLoadDataEx"`
	moduleUnload      func(m module) Result                                                          `symbol:"cuModuleUnload"`
	moduleGetFunction func(f *function, m module, name string) Result                                `symbol:"cuModuleGetFunction"`
	moduleGetGlobal   func(p, bytes *uintptr, m module, name string) Result                          `symbol:"cuModuleGetGlobal_v2"`
	funcGetAttribute  func(value *int32, attribute int32, f function) Result                         `symbol:"cuFuncGetAttribute"`
	funcSetAttribute  func(f function, attribute, value int32) Result                                `symbol:"cuFuncSetAttribute"`
	funcGetParamInfo  func(f function, index uintptr, offset, size *uintptr) Result                  `symbol:"cuFuncGetParamInfo" optional:""`
	activeBlocks      func(n *int32, f function, threads int32, sharedBytes uintptr) Result          `symbol:"cuOccupancyMaxActiveBlocksPerMultiprocessor"`
	activeClusters    func(n *int32, f function, config *launchConfig) Result                        `symbol:"cuOccupancyMaxActiveClusters" optional:""`

	streamCreate  func(s *uintptr, flags uint32) Result      `symbol:"cuStreamCreate"`
	streamDestroy func(s uintptr) Result                     `symbol:"cuStreamDestroy_v2"`
	eventCreate   func(e *event, flags uint32) Result        `symbol:"cuEventCreate"`
	eventDestroy  func(e event) Result                       `symbol:"cuEventDestroy_v2"`
	eventElapsed  func(ms *float32, start, end event) Result `symbol:"cuEventElapsedTime_v2 cuEventElapsedTime"`

	streamBeginCapture     func(s uintptr, mode int32) Result                                          `symbol:"cuStreamBeginCapture_v2" optional:""`
	streamBeginCaptureOld  func(s uintptr) Result                                                      `symbol:"cuStreamBeginCapture" optional:""` // CUDA 10.0
	streamEndCapture       func(s uintptr, g *graph) Result                                            `symbol:"cuStreamEndCapture" optional:""`
	graphGetNodes          func(g graph, nodes *uintptr, n *uintptr) Result                            `symbol:"cuGraphGetNodes" optional:""`
	graphInstantiateFlags  func(x *graphExec, g graph, flags uint64) Result                            `symbol:"cuGraphInstantiateWithFlags" optional:""` // from 11.4
	graphInstantiateLogged func(x *graphExec, g graph, node *uintptr, log *byte, bytes uintptr) Result `symbol:"cuGraphInstantiate_v2 cuGraphInstantiate" optional:""`
	graphExecDestroy       func(x graphExec) Result                                                    `symbol:"cuGraphExecDestroy" optional:""`
	graphDestroy           func(g graph) Result                                                        `symbol:"cuGraphDestroy" optional:""`

	launchKernel      uintptr `symbol:"cuLaunchKernel"`
	launchCooperative uintptr `symbol:"cuLaunchCooperativeKernel" optional:""`
	launchKernelEx    uintptr `symbol:"cuLaunchKernelEx" optional:""`
	memcpyHtoDAsync   uintptr `symbol:"cuMemcpyHtoDAsync_v2"`
	memcpyDtoHAsync   uintptr `symbol:"cuMemcpyDtoHAsync_v2"`
	memcpyDtoDAsync   uintptr `symbol:"cuMemcpyDtoDAsync_v2"`
	memsetD8Async     uintptr `symbol:"cuMemsetD8Async"`
	streamSynchronize uintptr `symbol:"cuStreamSynchronize"`
	eventRecord       uintptr `symbol:"cuEventRecord"`
	eventSynchronize  uintptr `symbol:"cuEventSynchronize"`
	eventQuery        uintptr `symbol:"cuEventQuery"`
	graphLaunch       uintptr `symbol:"cuGraphLaunch" optional:""`
}

// graphs reports whether the driver has every function that stream capture needs.
func (a *api) graphs() bool {
	return (a.streamBeginCapture != nil || a.streamBeginCaptureOld != nil) && a.streamEndCapture != nil &&
		a.graphGetNodes != nil && (a.graphInstantiateFlags != nil || a.graphInstantiateLogged != nil) &&
		a.graphExecDestroy != nil && a.graphDestroy != nil && a.graphLaunch != 0
}
