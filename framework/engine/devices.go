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

// AllGPUs names every GPU of the machine.
const AllGPUs = "cuda:all"

// OpenCL reports whether a name is a device's of OpenCL: "opencl:0", or "opencl:" and a part of its name.
func OpenCL(id string) bool { return strings.HasPrefix(id, opencl.Prefix) }

// ParseDevice parses a GPU's name: "cuda:0", "cuda:1", …
func ParseDevice(id string) (int, error) {
	list, err := ParseDevices(id)
	if err != nil || len(list) != 1 {
		return 0, fmt.Errorf("device %q is none of cuda:0, cuda:1, …, sim, cpu", id)
	}
	return list[0], nil
}

// ParseDevices parses the name of one or several distinct GPUs: "cuda:0", "cuda:0,1", or AllGPUs,
// for which the list is nil.
func ParseDevices(id string) (list []int, err error) {
	if id == AllGPUs {
		return nil, nil
	}
	digits, ok := strings.CutPrefix(id, "cuda:")
	for d := range strings.SplitSeq(digits, ",") {
		n, err := strconv.Atoi(d)
		if !ok || err != nil || n < 0 || strconv.Itoa(n) != d || slices.Contains(list, n) {
			return nil, fmt.Errorf("device %q is none of cuda:0, cuda:1, …, cuda:0,1, %s", id, AllGPUs)
		}
		list = append(list, n)
	}
	return list, nil
}

// DeviceName returns the name of GPUs that ParseDevices parses.
func DeviceName(list ...int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return "cuda:" + strings.Join(words, ",")
}

// SeveralGPUs reports whether a name may stand for more than one GPU.
func SeveralGPUs(id string) bool { return id == AllGPUs || strings.Contains(id, ",") }

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
