package grammar

import (
	"strings"
	"testing"
)

// A device is of one of the verb's kinds; another is refused with what there is.
func TestDevices(t *testing.T) {
	all := Devices{OneGPU, SeveralGPUs, CPU, Simulator, Described}
	for _, device := range []string{"cuda:0", "cuda:7", "cuda:0,1", "cuda:all", "opencl:all", "opencl:0,1", "cpu", "sim", "jetson-tx1"} {
		if err := all.Check(device); err != nil {
			t.Errorf("%s: %v", device, err)
		}
	}
	for _, c := range []struct {
		kinds        Devices
		device, want string
	}{
		{Devices{OneGPU, CPU}, "sim", "--device sim checks answers, it times nothing"},
		{Devices{OneGPU}, "sim", `--device "sim" is none of cuda:0, cuda:1, …`},
		{Devices{OneGPU}, "cuda:0,1", "--device cuda:0,1: this verb measures on one GPU at a time"},
		{Devices{OneGPU, OneOpenCL}, "opencl:all", "--device opencl:all: this verb measures on one GPU at a time"},
		{Devices{CPU}, "cuda:0", `--device "cuda:0" is none of cpu`},
		{all, "cuda:-1", `--device "cuda:-1" is none of cuda:0, cuda:1, …, cuda:all, opencl:all, cpu, sim, `},
		{all, "jetson-tx11", `did you mean "jetson-tx1"?`},
		{Devices{OneGPU, CPU}, "jetson-tx1", `--device "jetson-tx1" is none of cuda:0, cuda:1, …, cpu`},
	} {
		if err := c.kinds.Check(c.device); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %s: %v, want %s", c.kinds, c.device, err, c.want)
		}
	}
	if got := (Devices{OneGPU, Simulator}).Usage(); got != "cuda:0, cuda:1, … (a GPU), sim (answers only, without a GPU, at the points given: bench verify NAME --device sim checks edges, too)" {
		t.Errorf("%q", got)
	}
}
