package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

// AllGPUs names every GPU of the machine, and AllOpenCL every device of OpenCL.
const (
	AllGPUs   = cudaPrefix + "all"
	AllOpenCL = opencl.Prefix + "all"
)

const cudaPrefix = "cuda:"

// OpenCL reports whether a name is a device's of OpenCL: "opencl:0", or "opencl:" and a part of its name.
func OpenCL(id string) bool { return strings.HasPrefix(id, opencl.Prefix) }

// ParseDevice parses a GPU's name: "cuda:0", "cuda:1", …
func ParseDevice(id string) (int, error) {
	list, err := ParseDevices(id)
	if err != nil || len(list) != 1 || OpenCL(id) {
		return 0, fmt.Errorf("device %q is none of cuda:0, cuda:1, …, sim, cpu", id)
	}
	return list[0], nil
}

// ParseDevices parses the name of one or several distinct GPUs: "cuda:0", "cuda:0,1", or AllGPUs,
// for which the list is nil; or of numbered devices of OpenCL, alike.
func ParseDevices(id string) (list []int, err error) {
	if id == AllGPUs || id == AllOpenCL {
		return nil, nil
	}
	prefix := prefixOf(id)
	digits, ok := strings.CutPrefix(id, prefix)
	for d := range strings.SplitSeq(digits, ",") {
		n, err := strconv.Atoi(d)
		if !ok || err != nil || n < 0 || strconv.Itoa(n) != d || slices.Contains(list, n) {
			return nil, fmt.Errorf("device %q is none of %s0, %[2]s1, …, %[2]s0,1, %[2]sall", id, prefix)
		}
		list = append(list, n)
	}
	return list, nil
}

func prefixOf(id string) string {
	if OpenCL(id) {
		return opencl.Prefix
	}
	return cudaPrefix
}

// DeviceName returns the name, as ParseDevices parses it, of the devices of this list that have the interface
// of the device one.
func DeviceName(one string, list ...int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return prefixOf(one) + strings.Join(words, ",")
}

// SeveralGPUs reports whether a name may stand for more than one GPU or device of OpenCL. The name of one
// device of OpenCL may have a comma.
func SeveralGPUs(id string) bool {
	list, err := ParseDevices(id)
	return err == nil && len(list) != 1 || !OpenCL(id) && strings.Contains(id, ",")
}

// GPUs returns the facts of all CUDA GPUs. The error says why there is none.
func (e *Engine) GPUs(ctx context.Context) ([]gpu.Facts, error) { return e.list(ctx, AllGPUs) }

// OpenCLDevices returns the facts of all devices of OpenCL. The error says why there is none.
func (e *Engine) OpenCLDevices(ctx context.Context) ([]gpu.Facts, error) {
	return e.list(ctx, opencl.Prefix)
}

func (e *Engine) list(ctx context.Context, of string) ([]gpu.Facts, error) {
	rep, err := e.ask(ctx, request{Op: "gpus", Device: of}, probeTimeout, func(*reply) {})
	if err != nil {
		return nil, err
	}
	if rep.Error != "" {
		return nil, errors.New(rep.Error)
	}
	return rep.GPUs, nil
}
