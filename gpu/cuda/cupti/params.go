package cupti

import "unsafe"

// head begins the parameters of every call. size is the offset after the last field
// (the headers' …_STRUCT_SIZE), which may lack the padding that Go's size has.
type head struct {
	size    uintptr
	private uintptr
}

// The layouts were checked against the headers of CUDA 12.6, and against those of CUDA 13.0.1 as
// generated bindings have them. layouts_test.go has the sizes and offsets, and the command that prints
// them from the headers.
type (
	initializeParams struct{ head }

	chipNameParams struct {
		head
		device uintptr
		name   *byte
	}

	supportedParams struct {
		head
		device       int32
		isSupported  int32
		architecture int32
		sli          int32
		vGPU         int32
		confidential int32
		cmp          int32
		wsl          int32
		api          int32
	}

	availabilityParams struct {
		head
		context uintptr
		size    uintptr
		image   unsafe.Pointer
	}

	hostParams struct {
		head
		kind         int32
		chip         *byte
		availability unsafe.Pointer
		host         uintptr
	}

	hostEndParams struct {
		head
		host uintptr
	}

	baseMetricsParams struct {
		head
		host  uintptr
		kind  int32
		names **byte
		count uintptr
	}

	subMetricsParams struct {
		head
		host  uintptr
		kind  int32
		name  *byte
		count uintptr
		names **byte
	}

	addMetricsParams struct {
		head
		host  uintptr
		names unsafe.Pointer
		count uintptr
	}

	configSizeParams struct {
		head
		host uintptr
		size uintptr
	}

	configParams struct {
		head
		host  uintptr
		size  uintptr
		image unsafe.Pointer
	}

	passesParams struct {
		head
		size   uintptr
		image  unsafe.Pointer
		passes uintptr
	}

	evaluateParams struct {
		head
		host   uintptr
		image  unsafe.Pointer
		size   uintptr
		index  uintptr
		names  unsafe.Pointer
		count  uintptr
		values *float64
	}

	enableParams struct {
		head
		context uintptr
		object  uintptr
	}

	// objectParams are the parameters of Disable, Start and PopRange.
	objectParams struct {
		head
		object uintptr
	}

	stopParams struct {
		head
		object uintptr
		_, _   uintptr // pass, nesting level
		all    uint8
	}

	pushParams struct {
		head
		object uintptr
		name   *byte
	}

	decodeParams struct {
		head
		object  uintptr
		dropped uintptr
	}

	dataSizeParams struct {
		head
		object uintptr
		names  unsafe.Pointer
		count  uintptr
		ranges uintptr
		nodes  uint32
		size   uintptr
	}

	dataParams struct {
		head
		object uintptr
		size   uintptr
		image  unsafe.Pointer
	}

	dataInfoParams struct {
		head
		image  unsafe.Pointer
		size   uintptr
		ranges uintptr
	}

	setConfigParams struct {
		head
		object     uintptr
		configSize uintptr
		config     unsafe.Pointer
		dataSize   uintptr
		data       unsafe.Pointer
		ranges     int32
		replay     int32
		maxRanges  uintptr
		levels     uint16
		minLevel   uint16
		_          uintptr // pass index, from 0
		level      uint16
	}
)

// end returns the offset after a field of a struct.
func end(offset, size uintptr) uintptr { return offset + size }

// The sizes of structs without the padding at their end.
var (
	stopSize      = end(unsafe.Offsetof(stopParams{}.all), 1)
	setConfigSize = end(unsafe.Offsetof(setConfigParams{}.level), 2)
	supportedSize = end(unsafe.Offsetof(supportedParams{}.api), 4)
)

// Constants of the headers.
const (
	autoRange       = 1 // CUPTI_AutoRange: a range for each kernel
	userRange       = 2 // CUPTI_UserRange
	userReplay      = 3 // CUPTI_UserReplay
	rangeProfiler   = 0 // CUPTI_PROFILER_TYPE_RANGE_PROFILER
	levelSupported  = 3 // CUPTI_PROFILER_CONFIGURATION_SUPPORTED
	levelDisabled   = 2 // CUPTI_PROFILER_CONFIGURATION_DISABLED
	metricTypeCount = 3 // counters, ratios, throughputs
)

// api holds the library's functions.
type api struct {
	version      func(version *uint32) Result          `symbol:"cuptiGetVersion"`
	resultString func(code Result, text **byte) Result `symbol:"cuptiGetResultString"`
	initialize   func(p *initializeParams) Result      `symbol:"cuptiProfilerInitialize"`
	deinitialize func(p *initializeParams) Result      `symbol:"cuptiProfilerDeInitialize"`
	chipName     func(p *chipNameParams) Result        `symbol:"cuptiDeviceGetChipName"`
	supported    func(p *supportedParams) Result       `symbol:"cuptiProfilerDeviceSupported" optional:""`
	availability func(p *availabilityParams) Result    `symbol:"cuptiProfilerGetCounterAvailability"`
	host         func(p *hostParams) Result            `symbol:"cuptiProfilerHostInitialize"`
	hostEnd      func(p *hostEndParams) Result         `symbol:"cuptiProfilerHostDeinitialize"`
	baseMetrics  func(p *baseMetricsParams) Result     `symbol:"cuptiProfilerHostGetBaseMetrics"`
	subMetrics   func(p *subMetricsParams) Result      `symbol:"cuptiProfilerHostGetSubMetrics"`
	addMetrics   func(p *addMetricsParams) Result      `symbol:"cuptiProfilerHostConfigAddMetrics"`
	configSize   func(p *configSizeParams) Result      `symbol:"cuptiProfilerHostGetConfigImageSize"`
	config       func(p *configParams) Result          `symbol:"cuptiProfilerHostGetConfigImage"`
	passes       func(p *passesParams) Result          `symbol:"cuptiProfilerHostGetNumOfPasses"`
	evaluate     func(p *evaluateParams) Result        `symbol:"cuptiProfilerHostEvaluateToGpuValues"`
	enable       func(p *enableParams) Result          `symbol:"cuptiRangeProfilerEnable"`
	disable      func(p *objectParams) Result          `symbol:"cuptiRangeProfilerDisable"`
	start        func(p *objectParams) Result          `symbol:"cuptiRangeProfilerStart"`
	stop         func(p *stopParams) Result            `symbol:"cuptiRangeProfilerStop"`
	push         func(p *pushParams) Result            `symbol:"cuptiRangeProfilerPushRange"`
	pop          func(p *objectParams) Result          `symbol:"cuptiRangeProfilerPopRange"`
	decode       func(p *decodeParams) Result          `symbol:"cuptiRangeProfilerDecodeData"`
	dataSize     func(p *dataSizeParams) Result        `symbol:"cuptiRangeProfilerGetCounterDataSize"`
	dataBegin    func(p *dataParams) Result            `symbol:"cuptiRangeProfilerCounterDataImageInitialize"`
	dataInfo     func(p *dataInfoParams) Result        `symbol:"cuptiRangeProfilerGetCounterDataInfo"`
	setConfig    func(p *setConfigParams) Result       `symbol:"cuptiRangeProfilerSetConfig"`
}
