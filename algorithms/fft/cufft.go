package fft

import (
	"fmt"
	"sync"

	"bench/cuda"
	"bench/dynlib"
	"bench/framework"
)

// cufftNames are the library of CUDA 13, 12, 11, 10.2 (JetPack 4), 10.0 and
// 9.0, then whatever a development package links.
var cufftNames = []string{
	"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so.10.0", "libcufft.so.9.0", "libcufft.so",
	"/usr/local/cuda/lib64/libcufft.so", "/usr/local/cuda/targets/aarch64-linux/lib/libcufft.so",
}

// cufftLibrary are the functions used, as the cuFFT Library User's Guide
// declares them; a plan is an int.
type cufftLibrary struct {
	create       func(plan *int32) int32
	makePlanMany func(plan int32, rank int32, n, inEmbed *int64, inStride, inDist int64,
		outEmbed *int64, outStride, outDist int64, kind int32, batch int64, workBytes *uint64) int32
	setStream func(plan int32, stream uintptr) int32
	single    func(plan int32, in, out uintptr, direction int32) int32
	double    func(plan int32, in, out uintptr, direction int32) int32
	destroy   func(plan int32) int32
	version   func(version *int32) int32
}

// Constants of cufft.h.
const (
	cufftC2C     = 0x29
	cufftZ2Z     = 0x69
	cufftForward = -1
	cufftInverse = 1
)

// cufftResults are the names of cufftResult, from cufft.h.
var cufftResults = map[int32]string{
	1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE",
	5: "CUFFT_INTERNAL_ERROR", 6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE",
	9: "CUFFT_UNALIGNED_DATA", 11: "CUFFT_INVALID_DEVICE", 13: "CUFFT_NO_WORKSPACE", 14: "CUFFT_NOT_IMPLEMENTED",
	16: "CUFFT_NOT_SUPPORTED",
}

func cufftError(call string, result int32) error {
	name := cufftResults[result]
	if name == "" {
		name = fmt.Sprintf("error %d", result)
	}
	err := fmt.Errorf("%s: %s", call, name)
	if result == 2 {
		return fmt.Errorf("%w: %w", err, cuda.ErrOutOfMemory)
	}
	return err
}

var cufftLoaded = sync.OnceValues(func() (*cufftLibrary, error) { return openCUFFT(cufftNames...) })

func openCUFFT(names ...string) (*cufftLibrary, error) {
	lib, err := dynlib.Open(names...)
	if err != nil {
		return nil, fmt.Errorf("cuFFT not found; install it with the CUDA toolkit "+
			"(NVIDIA's repository: libcufft-12-9 or libcufft-13-0; JetPack: libcufft) "+
			"or add its folder to LD_LIBRARY_PATH: %w", err)
	}
	c := &cufftLibrary{}
	for symbol, fn := range map[string]any{
		"cufftCreate":         &c.create,
		"cufftMakePlanMany64": &c.makePlanMany,
		"cufftSetStream":      &c.setStream,
		"cufftExecC2C":        &c.single,
		"cufftExecZ2Z":        &c.double,
		"cufftDestroy":        &c.destroy,
		"cufftGetVersion":     &c.version,
	} {
		if err := lib.Func(fn, symbol); err != nil {
			return nil, fmt.Errorf("cuFFT: %w; another release of cuFFT is needed (CUDA 7.5 or later)", err)
		}
	}
	return c, nil
}

func cufft() framework.Version {
	return framework.Version{
		Name:      "cufft",
		Doc:       "NVIDIA's cuFFT, one plan for all transforms, out of place",
		Source:    "cuFFT Library User's Guide",
		Processor: framework.GPU,
		Peer:      true,
		Available: func() error {
			_, err := cufftLoaded()
			return err
		},
		// cuFFT's own work area is at most as large again as the data.
		DeviceBytes: func(params, _ framework.Values) int64 {
			element := int64(8)
			if params.Text("precision") == "f64" {
				element = 16
			}
			return 3 * element * params.Int("batch_elements")
		},
		New: framework.Typed(func(env framework.Env, p *problem, _ framework.Values) (*cufftRun, error) {
			lib, err := cufftLoaded()
			return &cufftRun{GPURun: framework.GPURun{Env: env}, p: p, lib: lib}, err
		}),
	}
}

// cufftRun is version "cufft" at one point.
type cufftRun struct {
	framework.GPURun
	p       *problem
	lib     *cufftLibrary
	in, out cuda.Pointer
	plan    int32
}

func (c *cufftRun) PreRun() error {
	if err := c.AllocEach(c.p.bytes(), &c.in, &c.out); err != nil {
		return err
	}
	if err := upload(c.Device, c.p, c.in); err != nil {
		return err
	}
	if r := c.lib.create(&c.plan); r != 0 {
		return cufftError("cufftCreate", r)
	}
	c.AtPostRun(func() error {
		if r := c.lib.destroy(c.plan); r != 0 {
			return cufftError("cufftDestroy", r)
		}
		return nil
	})
	kind := int32(cufftC2C)
	if c.p.Double {
		kind = cufftZ2Z
	}
	n := int64(c.p.N)
	var work uint64
	if r := c.lib.makePlanMany(c.plan, 1, &n, nil, 1, n, nil, 1, n, kind, int64(c.p.Batch), &work); r != 0 {
		return cufftError("cufftMakePlanMany64", r)
	}
	if r := c.lib.setStream(c.plan, uintptr(c.Env.Stream)); r != 0 {
		return cufftError("cufftSetStream", r)
	}
	var version int32
	if r := c.lib.version(&version); r == 0 {
		c.Remark("cuFFT %d.%d.%d, work area %d bytes", version/1000, version/100%10, version%100, work)
	}
	return nil
}

func (c *cufftRun) exec(in, out cuda.Pointer, inverse bool) error {
	direction := int32(cufftForward)
	if inverse {
		direction = cufftInverse
	}
	if c.p.Double {
		if r := c.lib.double(c.plan, uintptr(in), uintptr(out), direction); r != 0 {
			return cufftError("cufftExecZ2Z", r)
		}
		return nil
	}
	if r := c.lib.single(c.plan, uintptr(in), uintptr(out), direction); r != 0 {
		return cufftError("cufftExecC2C", r)
	}
	return nil
}

func (c *cufftRun) Run() error { return c.exec(c.in, c.out, c.p.Inverse) }

func (c *cufftRun) Verify() ([]framework.Check, error) {
	return verifyDevice(c.Env, c.p, c.in, c.out, func() error { return c.exec(c.out, c.in, !c.p.Inverse) })
}

// Work has no counts of its own: the library is closed.
func (c *cufftRun) Work() framework.Work { return c.p.Nominal() }
