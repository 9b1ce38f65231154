package fft

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
)

// clfftFunctions are those called, as clFFT.h declares them; a plan is a size_t.
type clfftFunctions struct {
	setup        func(data *clfftSetup) int32                                                                                                               `symbol:"clfftSetup"`
	version      func(major, minor, patch *uint32) int32                                                                                                    `symbol:"clfftGetVersion"`
	create       func(plan *uintptr, context uintptr, dimensions int32, lengths *uintptr) int32                                                             `symbol:"clfftCreateDefaultPlan"`
	setPrecision func(plan uintptr, precision int32) int32                                                                                                  `symbol:"clfftSetPlanPrecision"`
	setPlace     func(plan uintptr, place int32) int32                                                                                                      `symbol:"clfftSetResultLocation"`
	setBatch     func(plan, batch uintptr) int32                                                                                                            `symbol:"clfftSetPlanBatchSize"`
	setDistance  func(plan, in, out uintptr) int32                                                                                                          `symbol:"clfftSetPlanDistance"`
	setScale     func(plan uintptr, direction int32, scale float32) int32                                                                                   `symbol:"clfftSetPlanScale"`
	bake         func(plan uintptr, queues uint32, queue *uintptr, notify, data uintptr) int32                                                              `symbol:"clfftBakePlan"`
	workBytes    func(plan uintptr, bytes *uintptr) int32                                                                                                   `symbol:"clfftGetTmpBufSize"`
	transform    func(plan uintptr, direction int32, queues uint32, queue *uintptr, waits uint32, list uintptr, last, in, out *uintptr, work uintptr) int32 `symbol:"clfftEnqueueTransform"`
	destroy      func(plan *uintptr) int32                                                                                                                  `symbol:"clfftDestroyPlan"`
}

// clfftSetup is a clfftSetupData.
type clfftSetup struct {
	major, minor, patch uint32
	_                   uint64 // flags for debugging
}

// Constants of clFFT.h; directions are those of cuFFT.
const (
	clfftSingle     = 1
	clfftDouble     = 2
	clfftOutOfPlace = 2
)

// clfftResults are the names of clfftStatus beyond OpenCL's.
var clfftResults = map[int32]string{
	4096: "CLFFT_BUGCHECK", 4097: "CLFFT_NOTIMPLEMENTED", 4098: "CLFFT_TRANSPOSED_NOTIMPLEMENTED", 4099: "CLFFT_FILE_NOT_FOUND", 4100: "CLFFT_FILE_CREATE_FAILURE",
	4101: "CLFFT_VERSION_MISMATCH", 4102: "CLFFT_INVALID_PLAN", 4103: "CLFFT_DEVICE_NO_DOUBLE", 4104: "CLFFT_DEVICE_MISMATCH",
}

func clfftCheck(call string, result int32) error { return opencl.Foreign(call, result, clfftResults) }

var clfftLibrary = &dynlib.Peer[clfftFunctions]{
	Name:    "clFFT",
	Files:   []string{"libclFFT.so.2", "libclFFT.so"},
	Install: "install it, for example with `apt-get install libclfft2`",
	Release: "clFFT 2.12 has it",
	Start: func(f *clfftFunctions) error {
		var s clfftSetup
		return errors.Join(clfftCheck("clfftGetVersion", f.version(&s.major, &s.minor, &s.patch)), clfftCheck("clfftSetup", f.setup(&s)))
	},
}

func clfft() framework.Version {
	return framework.Version{
		Name:      "clfft",
		Doc:       "clFFT, one plan for all transforms, out of place",
		Source:    "clFFT Library Documentation",
		Processor: framework.GPU,
		OpenCL:    true,
		Peer:      true,
		Available: clfftLibrary.Available,
		HostBytes: hostBytesGPU,
		// Its work area is at most as large again as the data.
		DeviceBytes: cufft().DeviceBytes,
		Supports: func(params framework.Values, facts gpu.Facts) error {
			n := params.Int("N")
			for _, prime := range []int64{2, 3, 5, 7, 11, 13} {
				for n > 1 && n%prime == 0 {
					n /= prime
				}
			}
			if n > 1 {
				return fmt.Errorf("N = %d: clFFT has lengths of the prime factors 2, 3, 5, 7, 11 and 13 alone", params.Int("N"))
			}
			return doubles(params, facts)
		},
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*clfftRun, error) {
			lib, err := clfftLibrary.Functions()
			return &clfftRun{libraryRun: newLibraryRun(env, p), lib: lib}, err
		}),
	}
}

// clfftRun is version "clfft" at one point.
type clfftRun struct {
	libraryRun
	lib  *clfftFunctions
	d    *opencl.Device
	plan uintptr
}

func (c *clfftRun) PreRun() error {
	var ok bool
	if c.d, ok = c.Device.(*opencl.Device); !ok {
		return fmt.Errorf("clFFT runs on a device of OpenCL, and %s is none", c.Device.ID())
	}
	c.exec = c.transform
	if err := c.upload(); err != nil {
		return err
	}
	n := uintptr(c.p.N)
	if err := clfftCheck("clfftCreateDefaultPlan", c.lib.create(&c.plan, c.d.Context(), 1, &n)); err != nil {
		return err
	}
	c.AtPostRun(func() error { return clfftCheck("clfftDestroyPlan", c.lib.destroy(&c.plan)) })
	precision := int32(clfftSingle)
	if c.p.Double {
		precision = clfftDouble
	}
	for _, step := range []struct {
		call string
		do   func() int32
	}{
		{"clfftSetPlanPrecision", func() int32 { return c.lib.setPrecision(c.plan, precision) }},
		{"clfftSetResultLocation", func() int32 { return c.lib.setPlace(c.plan, clfftOutOfPlace) }},
		{"clfftSetPlanBatchSize", func() int32 { return c.lib.setBatch(c.plan, uintptr(c.p.Batch)) }},
		{"clfftSetPlanDistance", func() int32 { return c.lib.setDistance(c.plan, n, n) }},
		{"clfftSetPlanScale", func() int32 { return c.lib.setScale(c.plan, cufftInverse, 1) }},
	} {
		if err := clfftCheck(step.call, step.do()); err != nil {
			return err
		}
	}
	err := c.d.Foreign(func(queue uintptr, _ *uintptr) error {
		return clfftCheck("clfftBakePlan", c.lib.bake(c.plan, 1, &queue, 0, 0))
	})
	if err != nil {
		return err
	}
	var work uintptr
	var major, minor, patch uint32
	if c.lib.workBytes(c.plan, &work) == 0 && c.lib.version(&major, &minor, &patch) == 0 {
		c.Remark("clFFT %d.%d.%d, work area %s", major, minor, patch, terminal.Count(uint64(work), "byte"))
	}
	return nil
}

func (c *clfftRun) transform(in, out gpu.Pointer, inverse bool) error {
	direction := int32(cufftForward)
	if inverse {
		direction = cufftInverse
	}
	from, err := c.d.Buffer(in)
	if err != nil {
		return err
	}
	to, err := c.d.Buffer(out)
	if err != nil {
		return err
	}
	return c.d.Foreign(func(queue uintptr, last *uintptr) error {
		return clfftCheck("clfftEnqueueTransform", c.lib.transform(c.plan, direction, 1, &queue, 0, 0, last, &from, &to, 0))
	})
}
