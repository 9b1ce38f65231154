package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/framework/engine"
	"example.org/bench/tuning/analytical"
)

// Devices are the kinds of devices that a verb accepts.
type Devices []string

// The kinds of devices, as a message lists them.
const (
	OneGPU      = "cuda:0, cuda:1, …"
	SeveralGPUs = "cuda:0,1, " + engine.AllGPUs + ", " + engine.AllOpenCL
	OneOpenCL   = "opencl:0, opencl:NAME, …"
	CPU         = "cpu"
	Simulator   = "sim"
	Described   = "described"
)

// Usage returns the flag's help on the kinds.
func (d Devices) Usage() string {
	means := map[string]string{OneGPU: OneGPU + " (a GPU)", OneOpenCL: OneOpenCL + " (a device of OpenCL)", SeveralGPUs: SeveralGPUs + " (several or all GPUs)", CPU: "cpu (CPU versions alone)", Simulator: "sim (answers only, without a GPU, at the points given: bench verify NAME --device sim checks edges, too)",
		Described: "a described GPU such as jetson-tx1"}
	var usage []string
	for _, k := range d {
		usage = append(usage, means[k])
	}
	said := strings.Join(usage, ", ")
	if slices.Contains(d, OneOpenCL) {
		said += "; default cuda:0, or opencl:first for kernels in OpenCL C alone"
	}
	return said
}

// Names returns the names that a device may have; gpu stands for the numbered ones.
func (d Devices) Names(gpu string) (names []string) {
	for _, k := range d {
		switch k {
		case OneGPU:
			names = append(names, gpu)
		case SeveralGPUs:
			names = append(names, engine.AllGPUs, engine.AllOpenCL)
		case OneOpenCL:
			names = append(names, "opencl:0")
		case Described:
			names = append(names, analytical.DescribedDevices()...)
		default:
			names = append(names, k)
		}
	}
	return names
}

// Check refuses a device of another kind and names the nearest one.
func (d Devices) Check(device string) error {
	if slices.Contains(d.Names(""), device) {
		return nil
	}
	if device == Simulator && slices.Contains(d, CPU) {
		return errors.New("--device sim checks answers, it times nothing")
	}
	several := false
	if _, err := engine.ParseDevices(device); err == nil {
		if slices.Contains(d, SeveralGPUs) {
			return nil
		}
		several = engine.SeveralGPUs(device)
	}
	if engine.OpenCL(device) && !several && len(device) > len("opencl:") && slices.Contains(d, OneOpenCL) {
		return nil
	}
	if _, err := engine.ParseDevice(device); err == nil && slices.Contains(d, OneGPU) {
		return nil
	}
	if several {
		return fmt.Errorf("--device %s: this verb measures on one GPU at a time; bench run, plan and tune take several", device)
	}
	return fmt.Errorf("--device %q is none of %s%s", device, strings.Join(d.Names(OneGPU), ", "), config.Meant(device, d.Names("cuda:0")))
}
