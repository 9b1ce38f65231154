package cupti

import (
	"testing"
	"unsafe"
)

// The sizes (…_STRUCT_SIZE) and the offsets of the last fields are those that a C++
// compiler gives for the headers of CUDA 12.6 (interface 24): in extras/CUPTI/include,
//
//	printf '#include <cstdio>\n#include <cuda.h>\n#include <cupti_profiler_host.h>\n#include <cupti_range_profiler.h>
//	#include <cupti_target.h>\n#include <cupti_profiler_target.h>\nint main() { printf("%%zu %%zu\\n",
//	CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE, offsetof(CUpti_RangeProfiler_SetConfig_Params, targetNestingLevel)); }' |
//	g++ -x c++ -I. -I../../../include -o /tmp/sizes - && /tmp/sizes
//
// prints "90 88". The same line with other names prints the others.
func TestLayouts(t *testing.T) {
	for name, c := range map[string]struct{ size, want, last, wantLast uintptr }{
		"Profiler_Initialize":                    {unsafe.Sizeof(initializeParams{}), 16, unsafe.Offsetof(initializeParams{}.private), 8},
		"Device_GetChipName":                     {unsafe.Sizeof(chipNameParams{}), 32, unsafe.Offsetof(chipNameParams{}.name), 24},
		"Profiler_DeviceSupported":               {supportedSize, 52, unsafe.Offsetof(supportedParams{}.api), 48},
		"Profiler_GetCounterAvailability":        {unsafe.Sizeof(availabilityParams{}), 40, unsafe.Offsetof(availabilityParams{}.image), 32},
		"Profiler_Host_Initialize":               {unsafe.Sizeof(hostParams{}), 48, unsafe.Offsetof(hostParams{}.host), 40},
		"Profiler_Host_Deinitialize":             {unsafe.Sizeof(hostEndParams{}), 24, unsafe.Offsetof(hostEndParams{}.host), 16},
		"Profiler_Host_GetBaseMetrics":           {unsafe.Sizeof(baseMetricsParams{}), 48, unsafe.Offsetof(baseMetricsParams{}.count), 40},
		"Profiler_Host_GetSubMetrics":            {unsafe.Sizeof(subMetricsParams{}), 56, unsafe.Offsetof(subMetricsParams{}.names), 48},
		"Profiler_Host_ConfigAddMetrics":         {unsafe.Sizeof(addMetricsParams{}), 40, unsafe.Offsetof(addMetricsParams{}.count), 32},
		"Profiler_Host_GetConfigImageSize":       {unsafe.Sizeof(configSizeParams{}), 32, unsafe.Offsetof(configSizeParams{}.size), 24},
		"Profiler_Host_GetConfigImage":           {unsafe.Sizeof(configParams{}), 40, unsafe.Offsetof(configParams{}.image), 32},
		"Profiler_Host_GetNumOfPasses":           {unsafe.Sizeof(passesParams{}), 40, unsafe.Offsetof(passesParams{}.passes), 32},
		"Profiler_Host_EvaluateToGpuValues":      {unsafe.Sizeof(evaluateParams{}), 72, unsafe.Offsetof(evaluateParams{}.values), 64},
		"RangeProfiler_Enable":                   {unsafe.Sizeof(enableParams{}), 32, unsafe.Offsetof(enableParams{}.object), 24},
		"RangeProfiler_Disable, Start, PopRange": {unsafe.Sizeof(objectParams{}), 24, unsafe.Offsetof(objectParams{}.object), 16},
		"RangeProfiler_Stop":                     {stopSize, 41, unsafe.Offsetof(stopParams{}.all), 40},
		"RangeProfiler_PushRange":                {unsafe.Sizeof(pushParams{}), 32, unsafe.Offsetof(pushParams{}.name), 24},
		"RangeProfiler_DecodeData":               {unsafe.Sizeof(decodeParams{}), 32, unsafe.Offsetof(decodeParams{}.dropped), 24},
		"RangeProfiler_GetCounterDataSize":       {unsafe.Sizeof(dataSizeParams{}), 64, unsafe.Offsetof(dataSizeParams{}.size), 56},
		"RangeProfiler_CounterDataImage":         {unsafe.Sizeof(dataParams{}), 40, unsafe.Offsetof(dataParams{}.image), 32},
		"RangeProfiler_GetCounterDataInfo":       {unsafe.Sizeof(dataInfoParams{}), 40, unsafe.Offsetof(dataInfoParams{}.ranges), 32},
		"RangeProfiler_SetConfig":                {setConfigSize, 90, unsafe.Offsetof(setConfigParams{}.level), 88},
	} {
		if c.size != c.want || c.last != c.wantLast {
			t.Errorf("CUpti_%s_Params: size %d and last field at %d, want %d and %d", name, c.size, c.last, c.want, c.wantLast)
		}
	}
}
