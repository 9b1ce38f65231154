package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bench/opencl"
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
