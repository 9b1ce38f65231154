package fft

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/toolkit"
	"example.org/bench/internal/terminal"
)

// cufftFunctions are those called, as the cuFFT Library User's Guide declares
// them; a plan is an int.
type cufftFunctions struct {
	create       func(plan *int32) int32 `symbol:"cufftCreate"`
	makePlanMany func(plan int32, rank int32, n, inEmbed *int64, inStride, inDist int64,
		outEmbed *int64, outStride, outDist int64, kind int32, batch int64, workBytes *uint64) int32 `symbol:"cufftMakePlanMany64"`
	setStream func(plan int32, stream uintptr) int32                   `symbol:"cufftSetStream"`
	single    func(plan int32, in, out uintptr, direction int32) int32 `symbol:"cufftExecC2C"`
	double    func(plan int32, in, out uintptr, direction int32) int32 `symbol:"cufftExecZ2Z"`
	destroy   func(plan int32) int32                                   `symbol:"cufftDestroy"`
	version   func(version *int32) int32                               `symbol:"cufftGetVersion"`
}

// cufftLibrary is that of CUDA 13, 12, 11, 10.2 (JetPack 4), 10.0 and 9.0.
var cufftLibrary = toolkit.Peer[cufftFunctions](toolkit.Library{
	Name: "cuFFT", File: "libcufft", Releases: []string{"12", "11", "10", "10.0", "9.0"}, Since: "7.5",
})

// Constants of cufft.h.
const (
	cufftC2C     = 0x29
	cufftZ2Z     = 0x69
	cufftForward = -1
	cufftInverse = 1
)

// cufftResults are the names of cufftResult, from cufft.h.
var cufftResults = toolkit.Results{OutOfMemory: 2, Names: map[int32]string{
	1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE",
	5: "CUFFT_INTERNAL_ERROR", 6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE",
	9: "CUFFT_UNALIGNED_DATA", 11: "CUFFT_INVALID_DEVICE", 13: "CUFFT_NO_WORKSPACE", 14: "CUFFT_NOT_IMPLEMENTED",
	16: "CUFFT_NOT_SUPPORTED",
}}

func cufft() framework.Version {
	return framework.Version{
		Name:      "cufft",
		Doc:       "NVIDIA's cuFFT, one plan for all transforms, out of place",
		Source:    "cuFFT Library User's Guide",
		Processor: framework.GPU,
		Peer:      true,
		Available: cufftLibrary.Available,
		// cuFFT's own work area is at most as large again as the data.
		HostBytes: hostBytesGPU,
		DeviceBytes: func(params, _ framework.Values) int64 {
			element := int64(8)
			if params.Text("precision") == "f64" {
				element = 16
			}
			return 3 * element * params.Int("batch_elements")
		},
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cufftRun, error) {
			lib, err := cufftLibrary.Functions()
			return &cufftRun{libraryRun: newLibraryRun(env, p), lib: lib}, err
		}),
	}
}

// cufftRun is version "cufft" at one point.
type cufftRun struct {
	libraryRun
	lib  *cufftFunctions
	plan int32
}

func (c *cufftRun) PreRun() error {
	c.exec = c.transform
	if err := c.upload(); err != nil {
		return err
	}
	if err := cufftResults.Check("cufftCreate", c.lib.create(&c.plan)); err != nil {
		return err
	}
	c.AtPostRun(func() error {
		return cufftResults.Check("cufftDestroy", c.lib.destroy(c.plan))
	})
	kind := int32(cufftC2C)
	if c.p.Double {
		kind = cufftZ2Z
	}
	n := int64(c.p.N)
	var work uint64
	if err := cufftResults.Check("cufftMakePlanMany64", c.lib.makePlanMany(c.plan, 1, &n, nil, 1, n, nil, 1, n, kind, int64(c.p.Batch), &work)); err != nil {
		return err
	}
	if err := cufftResults.Check("cufftSetStream", c.lib.setStream(c.plan, uintptr(c.Env.Stream))); err != nil {
		return err
	}
	var version int32
	if r := c.lib.version(&version); r == 0 {
		c.Remark("cuFFT %d.%d.%d, work area %s", version/1000, version/100%10, version%100, terminal.Count(work, "byte"))
	}
	return nil
}

func (c *cufftRun) transform(in, out gpu.Pointer, inverse bool) error {
	direction := int32(cufftForward)
	if inverse {
		direction = cufftInverse
	}
	if c.p.Double {
		return cufftResults.Check("cufftExecZ2Z", c.lib.double(c.plan, uintptr(in), uintptr(out), direction))
	}
	return cufftResults.Check("cufftExecC2C", c.lib.single(c.plan, uintptr(in), uintptr(out), direction))
}
