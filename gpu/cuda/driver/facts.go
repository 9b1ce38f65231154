package driver

import (
	"fmt"

	"example.org/bench/gpu"
)

// CUdevice_attribute numbers.
const (
	attrMaxThreadsBlock = 1
	attrSharedPerBlock  = 8
	attrWarpSize        = 10
	attrRegistersBlock  = 12
	attrClockRate       = 13 // kHz
	attrMultiprocessors = 16
	attrIntegrated      = 18
	attrMemoryClockRate = 36 // kHz
	attrMemoryBusWidth  = 37
	attrL2Bytes         = 38
	attrMaxThreadsPerSM = 39
	attrComputeMajor    = 75
	attrComputeMinor    = 76
	attrSharedPerSM     = 81
	attrRegistersPerSM  = 82
	attrCooperative     = 95
	attrSharedOptIn     = 97
	attrMaxBlocksPerSM  = 106 // from CUDA 11.0
	attrSharedReserved  = 111 // from CUDA 11.0
)

func (g *GPU) readFacts() (gpu.Facts, error) {
	a := g.api
	f := gpu.Facts{DriverVersion: g.lib.Version()}
	var name [256]byte
	if err := a.check("cuDeviceGetName", a.deviceGetName(&name[0], int32(len(name)), g.device)); err != nil {
		return f, err
	}
	f.Name = untilZero(name[:])
	var total uintptr
	if err := a.check("cuDeviceTotalMem", a.deviceTotalMem(&total, g.device)); err != nil {
		return f, err
	}
	f.GlobalBytes = int64(total)

	var clock, memoryClock, integrated, cooperative int
	for _, r := range []struct {
		to     *int
		number int32
	}{
		{&f.ComputeMajor, attrComputeMajor}, {&f.ComputeMinor, attrComputeMinor},
		{&f.Multiprocessors, attrMultiprocessors}, {&f.WarpSize, attrWarpSize},
		{&f.MaxThreadsPerSM, attrMaxThreadsPerSM}, {&f.MaxThreadsBlock, attrMaxThreadsBlock},
		{&f.RegistersPerSM, attrRegistersPerSM}, {&f.RegistersBlock, attrRegistersBlock},
		{&f.SharedPerSM, attrSharedPerSM}, {&f.SharedPerBlock, attrSharedPerBlock},
		{&f.L2Bytes, attrL2Bytes}, {&f.MemoryBusBits, attrMemoryBusWidth},
		{&clock, attrClockRate}, {&memoryClock, attrMemoryClockRate}, {&integrated, attrIntegrated},
	} {
		v, err := g.attribute(r.number)
		if err != nil {
			return f, err
		}
		*r.to = v
	}
	f.ClockHz, f.MemoryClockHz = int64(clock)*1000, int64(memoryClock)*1000
	f.Integrated = integrated != 0
	if v, err := g.attribute(attrCooperative); err == nil {
		cooperative = v
	}
	f.Cooperative = cooperative != 0 && a.launchCooperative != 0
	f.SharedOptIn = f.SharedPerBlock
	if v, err := g.attribute(attrSharedOptIn); err == nil && v > 0 {
		f.SharedOptIn = v
	}
	if v, err := g.attribute(attrSharedReserved); err == nil {
		f.SharedReserved = v
	}
	f.MaxBlocksPerSM = maxBlocksPerSM(f.ComputeMajor, f.ComputeMinor)
	if v, err := g.attribute(attrMaxBlocksPerSM); err == nil && v > 0 {
		f.MaxBlocksPerSM = v
	}
	var bus [32]byte
	if a.deviceGetPCIBusID(&bus[0], int32(len(bus)), g.device) == success {
		f.PCIBusID = untilZero(bus[:])
	}
	if a.deviceGetUUID != nil {
		var u [16]byte
		if a.deviceGetUUID(&u, g.device) == success && u != [16]byte{} {
			f.UUID = fmt.Sprintf("GPU-%x-%x-%x-%x-%x", u[0:4], u[4:6], u[6:8], u[8:10], u[10:16])
		}
	}
	if g.compiler != nil {
		f.CompilerVersion = versionOf(g.compiler)
	}
	return f, nil
}

func (g *GPU) attribute(number int32) (int, error) {
	var v int32
	err := g.api.check(fmt.Sprintf("cuDeviceGetAttribute %d", number), g.api.deviceGetAttribute(&v, number, g.device))
	return int(v), err
}

// maxBlocksPerSM returns the limit for drivers before CUDA 11, which do not report it: CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability".
func maxBlocksPerSM(major, minor int) int {
	if major == 7 && minor == 5 {
		return 16
	}
	return 32
}
