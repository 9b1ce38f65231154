package opencl

import (
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// On small devices of OpenCL each problem either has defaults that the device runs, or is refused in a line; double precision
// is refused where the driver has none.
func TestSmallDevicesOfOpenCL(t *testing.T) {
	for _, facts := range []gpu.Facts{
		{MaxThreadsBlock: 1024, SharedPerBlock: 48 << 10, WarpSize: 32}, {MaxThreadsBlock: 256, SharedPerBlock: 32 << 10, WarpSize: 64}, {MaxThreadsBlock: 128, SharedPerBlock: 16 << 10},
	} {
		facts.SharedOptIn, facts.OpenCL = facts.SharedPerBlock, &gpu.OpenCL{}
		for _, doubles := range []bool{true, false} {
			if facts.OpenCL.Extensions = nil; doubles {
				facts.OpenCL.Extensions = []string{"cl_khr_fp64"}
			}
			for _, f := range algorithms.All() {
				ran := 0
				for _, v := range f.Versions {
					if v.Processor == framework.GPU && v.Takes(true) {
						ran += smallDevice(t, f, &v, facts)
					}
				}
				if ran == 0 {
					t.Errorf("%s has nothing for %d work-items", f.Name, facts.MaxThreadsBlock)
				}
			}
		}
	}
}

// smallDevice returns how many problems of Verification a version takes on a device.
func smallDevice(t *testing.T, f *framework.Factory, v *framework.Version, facts gpu.Facts) (ran int) {
	for _, p := range f.Verification("cpu") {
		params := framework.Values{}
		for _, x := range f.Params {
			params[x.Name] = x.Default
		}
		for name, value := range p {
			params[name] = value
		}
		var err error
		if v.Supports != nil {
			err = v.Supports(params, facts)
		}
		if double := params.Text("precision") == "f64" || params.Text("type") == "f64"; double && !facts.Doubles() && err == nil {
			t.Errorf("%s/%s takes %v without double precision", f.Name, v.Name, p)
		}
		if err == nil {
			ran++
			if v.Valid == nil {
				continue
			}
			if err = v.Valid(params, v.Defaults(params, facts), facts); err != nil {
				t.Errorf("%s/%s at %v, %d work-items, %d bytes: %v", f.Name, v.Name, p, facts.MaxThreadsBlock, facts.SharedPerBlock, err)
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s/%s: more than a line: %v", f.Name, v.Name, err)
		}
	}
	return ran
}
