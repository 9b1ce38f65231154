package driver_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// tolerated are calls whose failure costs nothing but a fact, a hint or memory of
// a process that ends.
var tolerated = []string{
	"cuDriverGetVersion",   // the version is then not known
	"cuDeviceGetAttribute", // of optional limits; the others are errors
	"cuDeviceGetPCIBusId", "cuDeviceGetUuid",
	"cuFuncGetParamInfo", // arguments are then not checked
	"cuGraphDestroy",     // after its instance was made
}

// everything makes every call of the driver that this package has, and then
// closes what it made, whatever failed.
func everything(path string) (err error) {
	l, err := driver.Load(path)
	if err != nil {
		return err
	}
	l.Compiler = drivertest.Echo{}
	g, err := l.Open(0)
	if err != nil {
		return err
	}
	closing := func(close func() error) { err = errors.Join(err, close()) }
	defer closing(g.Close)
	if _, _, err := g.Memory(); err != nil {
		return err
	}
	s, err := g.NewStream()
	if err != nil {
		return err
	}
	defer closing(func() error { return g.DestroyStream(s) })
	p, err := g.Alloc(80)
	if err != nil {
		return err
	}
	defer closing(func() error { return g.Free(p) })
	h, err := g.AllocHost(80)
	if err != nil {
		return err
	}
	defer closing(h.Free)
	m, err := g.Compile(gpu.Source{Name: "k.cu", Text: kernels})
	if err != nil {
		return err
	}
	defer closing(m.Unload)
	k, err := m.Kernel("nothing")
	if err != nil {
		return err
	}
	start, err := g.NewEvent()
	if err != nil {
		return err
	}
	defer closing(start.Destroy)
	end, err := g.NewSleepingEvent()
	if err != nil {
		return err
	}
	defer closing(end.Destroy)
	values := make([]byte, 80)
	launch := func(shape gpu.Launch) func() error { return func() error { return k.Launch(s, shape) } }
	for _, step := range []func() error{
		func() error { return g.CopyToDevice(p, unsafe.Pointer(&values[0]), 80) },
		func() error { return g.CopyToHost(unsafe.Pointer(&values[0]), p, 80) },
		func() error { return g.CopyToDeviceAsync(p, unsafe.Pointer(&values[0]), 80, s) },
		func() error { return g.CopyToHostAsync(unsafe.Pointer(&values[0]), p, 80, s) },
		func() error { return g.CopyAsync(p, p+40, 40, s) },
		func() error { return g.SetAsync(p, 0, 80, s) },
		func() error { return images(g, p, s) },
		func() error { return g.ResetPersistingCache() },
		func() error {
			d := g.Placed(gpu.ManagedMemory)
			p, err := d.Alloc(80)
			if err != nil {
				return err
			}
			return d.Free(p)
		},
		func() error { _, _, err := m.Global("table"); return err },
		func() error { _, err := k.Attributes(); return err },
		func() error { _, err := k.ActiveBlocks(128, 0); return err },
		func() error {
			_, err := k.ActiveClusters(gpu.Launch{Block: gpu.Dim3{X: 128}, Cluster: gpu.Dim3{X: 4}})
			return err
		},
		func() error { return start.Record(s) },
		launch(gpu.Launch{}), launch(gpu.Launch{SharedBytes: 100 << 10}), launch(gpu.Launch{Cooperative: true}), launch(gpu.Launch{Cluster: gpu.Dim3{X: 2}}),
		func() error { return end.Record(s) },
		func() error { return g.Synchronize(s) },
		end.Wait,
		func() error { _, err := end.Passed(); return err },
		func() error { _, err := end.Since(start); return err },
		func() error {
			x, err := g.Capture(s, launch(gpu.Launch{}))
			if err != nil {
				return err
			}
			return errors.Join(x.Launch(s), x.Close())
		},
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// images makes an array of 4 x 5 floats, copies p to it and back, and has objects over both.
func images(g *driver.GPU, p gpu.Pointer, s gpu.Stream) (err error) {
	form := gpu.Array{Width: 4, Height: 5, Texel: gpu.Texel{Kind: gpu.FloatTexel, Bytes: 4, Channels: 1}, Written: true}
	a, err := g.NewArray(form)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.FreeArray(a)) }()
	if err := errors.Join(g.CopyToArray(a, p, s), g.CopyFromArray(p, a, s)); err != nil {
		return err
	}
	texture, err := g.Texture(a, gpu.Sampler{Linear: true, Normalized: true, Fraction: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.FreeTexture(texture)) }()
	linear, err := g.LinearTexture(p, form, gpu.Sampler{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.FreeTexture(linear)) }()
	surface, err := g.Surface(a)
	if err != nil {
		return err
	}
	return g.FreeSurface(surface)
}

// results are those of the CUDA driver (cuda.h of CUDA 13) but for success.
var results = []int64{1, 2, 3, 4, 5, 6, 7, 8, 34, 35, 36, 46, 100, 101, 102, 200, 201, 202, 205, 206, 207, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221,
	222, 223, 224, 225, 226, 300, 301, 302, 303, 304, 400, 401, 402, 500, 600, 700, 701, 702, 703, 704, 705, 708, 709, 710, 711, 712, 713, 714, 715, 716, 717, 718, 719, 720,
	721, 800, 801, 802, 803, 804, 805, 806, 807, 808, 809, 810, 811, 812, 900, 901, 902, 903, 904, 905, 906, 907, 908, 909, 910, 911, 912, 913, 914, 915, 916, 999}

// Each call returns each error in turn: the error names the call and the result.
func TestEveryCallReturnsEveryError(t *testing.T) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	stub := drivertest.Build(t)
	const notReady = 600
	for _, code := range results {
		for n := 1; ; n++ {
			stub.Fault(n, code)
			err := everything(stub.Path)
			call := stub.Faulty()
			stub.Fault(0, 0)
			if call == "" {
				if err != nil || n < 40 {
					t.Fatalf("without a fault: %d calls, %v", n-1, err)
				}
				break
			}
			if slices.Contains(tolerated, call) || call == "cuEventQuery" && code == notReady {
				continue
			}
			var result *driver.Error
			if !errors.As(err, &result) || int64(result.Code) != code || !strings.Contains(result.Call, call) {
				t.Errorf("call %d, %s returns %d: %v", n, call, code, err)
			}
			if text := fmt.Sprint(err); !strings.Contains(text, call) || !strings.Contains(text, fmt.Sprintf("CUDA error %d", code)) && !strings.Contains(text, "CUDA_ERROR_") {
				t.Errorf("call %d, %s returns %d: %s", n, call, code, text)
			}
		}
	}
}

// Each call of the driver fails once, and once from then on: the error's first
// line names it and has the driver's name of the result.
func TestEveryCallFails(t *testing.T) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	stub := drivertest.Build(t)
	const outOfMemory, launchFailed = 2, 719
	failed := map[string]bool{}
	for _, code := range []int64{outOfMemory, launchFailed} {
		for _, sign := range []int{1, -1} {
			for n := 1; ; n++ {
				stub.Fault(sign*n, code)
				err := everything(stub.Path)
				call := stub.Faulty()
				stub.Fault(0, 0)
				if call == "" {
					if err != nil {
						t.Fatalf("without a fault: %v", err)
					}
					if n < 40 {
						t.Fatalf("only %d calls", n-1)
					}
					break
				}
				failed[call] = true
				meaning := map[int64]string{outOfMemory: "CUDA_ERROR_OUT_OF_MEMORY", launchFailed: "CUDA error 719"}[code]
				first, _, _ := strings.Cut(fmt.Sprint(err), "\n")
				switch {
				case err == nil && sign > 0 && slices.Contains(tolerated, call):
				case err == nil:
					t.Errorf("call %d, %s: no error", sign*n, call)
				case sign > 0 && slices.Contains(tolerated, call): // a later error may follow from it
				case call == "cuMemAlloc" && code == outOfMemory && (!errors.Is(err, gpu.ErrOutOfMemory) || !strings.HasPrefix(first, "allocate 80 bytes on cuda:0")):
					t.Errorf("call %d, %s: %v; want an allocation that finds no memory", sign*n, call, err)
				case !strings.Contains(first, call) && !slices.Contains(tolerated, call), !strings.Contains(first, meaning):
					t.Errorf("call %d, %s: %v", sign*n, call, err)
				}
			}
		}
	}
	if err := everything(stub.Path); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	for _, c := range driver.Calls() {
		if !slices.ContainsFunc(c, func(name string) bool {
			return failed[strings.TrimSuffix(strings.TrimSuffix(name, "_v2"), "WithFlags")]
		}) {
			t.Errorf("%q did not fail: the test does not call it", c)
		}
	}
}
