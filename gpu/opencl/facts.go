package opencl

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/gpu"
)

// asked asks a device for its properties.
type asked struct {
	l  *Library
	id deviceID
}

func (a asked) text(what uint32) (string, error) {
	return text(fmt.Sprintf("clGetDeviceInfo 0x%x", what), func(bytes uintptr, value unsafe.Pointer, size *uintptr) Result {
		return a.l.api.getDeviceInfo(a.id, what, bytes, value, size)
	})
}

// number asks for a whole number of any width.
func (a asked) number(what uint32) (int64, error) {
	var b [8]byte
	var size uintptr
	err := check(fmt.Sprintf("clGetDeviceInfo 0x%x", what), a.l.api.getDeviceInfo(a.id, what, uintptr(len(b)), unsafe.Pointer(&b[0]), &size))
	return int64(binary.LittleEndian.Uint64(b[:])), err
}

// optional returns what number returns, or 0 where that fails, as it does without the property's extension.
func (a asked) optional(what uint32) int64 {
	n, err := a.number(what)
	if err != nil {
		return 0
	}
	return n
}

// facts reads what a driver says of a device.
func (l *Library) facts(e entry) (gpu.Facts, error) {
	a := asked{l, e.id}
	o := &gpu.OpenCL{Platform: e.platform}
	f := gpu.Facts{OpenCL: o}
	var extensions string
	for _, x := range []struct {
		to   *string
		what uint32
	}{
		{&f.Name, deviceName}, {&o.Vendor, deviceVendor}, {&f.DriverVersion, driverVersion}, {&o.Version, deviceVersion},
		{&f.CompilerVersion, deviceCVersion}, {&extensions, deviceExtensions},
	} {
		var err error
		if *x.to, err = a.text(x.what); err != nil {
			return f, err
		}
	}
	o.Extensions = strings.Fields(extensions)
	slices.Sort(o.Extensions)
	var kind, units, group, local, cache, clock, align, resolution, unified, constant, compiler, line int64
	for _, x := range []struct {
		to   *int64
		what uint32
	}{
		{&kind, deviceType}, {&units, deviceComputeUnits}, {&group, deviceGroupSize}, {&local, deviceLocalBytes}, {&cache, deviceCacheBytes},
		{&f.GlobalBytes, deviceGlobalBytes}, {&clock, deviceClockMHz}, {&align, deviceAlignBits}, {&resolution, deviceResolution},
		{&o.MostAlloc, deviceMostAlloc}, {&unified, deviceUnified}, {&constant, deviceConstantBytes}, {&compiler, deviceCompiler}, {&line, deviceCacheLine},
	} {
		var err error
		if *x.to, err = a.number(x.what); err != nil {
			return f, err
		}
	}
	f.Multiprocessors, f.MaxThreadsBlock, f.L2Bytes = int(units), int(group), int(cache)
	f.SharedPerBlock, f.SharedOptIn = int(local), int(local)
	f.ClockHz, f.Integrated = clock*1e6, unified&0xFF != 0
	o.AlignBytes, o.ResolutionNs, o.ConstantBytes, o.CacheLineBytes = int(align/8), resolution, constant, int(line)
	o.Compiler = compiler&0xFF != 0
	o.Type = "other"
	for _, t := range []struct {
		bit  int64
		name string
	}{{deviceTypeAccelerator, "accelerator"}, {deviceTypeCPU, "CPU"}, {deviceTypeGPU, "GPU"}} {
		if kind&t.bit != 0 {
			o.Type = t.name
		}
	}
	l.subgroups(a, &f)
	l.place(a, &f)
	return f, nil
}

// subgroups reads how many work-items a device runs together. Each vendor tells it in its own way, and some
// do not.
func (l *Library) subgroups(a asked, f *gpu.Facts) {
	var sizes [16]uintptr
	var bytes uintptr
	if l.api.getDeviceInfo(a.id, deviceSubgroupsIn, unsafe.Sizeof(sizes), unsafe.Pointer(&sizes[0]), &bytes) == success {
		for _, n := range sizes[:min(int(bytes/unsafe.Sizeof(sizes[0])), len(sizes))] {
			f.OpenCL.SubgroupSizes = append(f.OpenCL.SubgroupSizes, int(n))
		}
	}
	for _, what := range []uint32{deviceWarpNV, deviceWavefrontAMD, deviceMultiple} {
		if n := a.optional(what); f.WarpSize == 0 && n > 0 {
			f.WarpSize = int(n)
		}
	}
	if len(f.OpenCL.SubgroupSizes) == 0 && (a.optional(deviceWarpNV) > 0 || a.optional(deviceWavefrontAMD) > 0) {
		f.OpenCL.SubgroupSizes = []int{f.WarpSize}
	}
}

// place reads the device's PCI address and UUID, by which sensors find it.
func (l *Library) place(a asked, f *gpu.Facts) {
	var bus [4]uint32
	if l.api.getDeviceInfo(a.id, devicePCIBus, unsafe.Sizeof(bus), unsafe.Pointer(&bus[0]), nil) == success {
		f.PCIBusID = fmt.Sprintf("%08x:%02x:%02x.%x", bus[0], bus[1], bus[2], bus[3])
	} else if n, err := a.number(deviceBusNV); err == nil {
		slot := a.optional(deviceSlotNV)
		f.PCIBusID = fmt.Sprintf("%08x:%02x:%02x.%x", a.optional(deviceDomainNV), n, slot>>3, slot&7)
	}
	var u [16]byte
	if l.api.getDeviceInfo(a.id, deviceUUID, unsafe.Sizeof(u), unsafe.Pointer(&u[0]), nil) == success && u != [16]byte{} {
		f.UUID = fmt.Sprintf("%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
		if strings.Contains(f.OpenCL.Vendor, "NVIDIA") {
			f.UUID = "GPU-" + f.UUID // as NVML writes it
		}
	}
}
