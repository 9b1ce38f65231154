package opencl_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
	"example.org/bench/gpu/opencl/opencltest"
)

// everything makes every call that this package has, and then closes what it made, whatever failed.
func everything(l *opencl.Library) (err error) {
	d, err := l.Open("opencl:0")
	if err != nil {
		return err
	}
	closing := func(close func() error) { err = errors.Join(err, close()) }
	defer closing(d.Close)
	p, err := d.Alloc(4096)
	if err != nil {
		return err
	}
	defer closing(func() error { return d.Free(p) })
	m, err := d.Compile(gpu.Source{Name: "k.cl", Text: "…"})
	if err != nil {
		return err
	}
	defer closing(m.Unload)
	k, err := m.Kernel("copy2")
	if err != nil {
		return err
	}
	form := gpu.Array{Width: 4, Height: 4, Texel: gpu.Texel{Kind: gpu.FloatTexel, Bytes: 4, Channels: 1}}
	image, err := d.NewArray(form)
	if err != nil {
		return err
	}
	defer closing(func() error { return d.FreeArray(image) })
	sampler, err := d.NewSampler(gpu.Sampler{})
	if err != nil {
		return err
	}
	defer closing(func() error { return d.FreeSampler(sampler) })
	span := d.Record()
	defer closing(span.Release)
	w := d.NewWaiter()
	defer closing(w.Destroy)
	values := make([]byte, 80)
	host := unsafe.Pointer(&values[0])
	for _, step := range []func() error{
		func() error { return d.CopyToDevice(p, host, 80) },
		func() error { return d.CopyToHost(host, p, 80) },
		func() error { return d.CopyToDeviceAsync(p, host, 80, 0) },
		func() error { return d.CopyToHostAsync(host, p, 80, 0) },
		func() error { return d.CopyAsync(p, p+1024, 40, 0) },
		func() error { return d.SetAsync(p, 0, 80, 0) },
		func() error { _, err := k.Attributes(); return err },
		func() error { return k.Launch(0, gpu.Launch{}, p, p+1024) },
		func() error { return d.CopyToArray(image, p, 0) },
		func() error { return d.CopyFromArray(p, image, 0) },
		func() error { return d.Aside(span) },
		func() error { return d.CopyToHostAsync(host, p, 80, 0) },
		d.Back,
		func() error { return w.Record(0) },
		w.Wait,
		func() error { _, err := w.Passed(); return err },
		func() error { return d.Synchronize(0) },
		func() error { _, err := span.Stamps(); return err },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Each call fails in each way, once and for good: the error names the call and the result, and nothing is left.
func TestEveryCallFails(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/proc/none") // TestKeepingFails has the calls for the disk cache
	s := opencltest.Build(t)
	failed := map[string]bool{}
	for _, code := range []int64{-5, -6, -36, -9999} {
		for _, sign := range []int{1, -1} {
			for n := 1; ; n++ {
				s.Fault(sign*n, code)
				err := everything(s.Library)
				call := s.Faulty()
				s.Fault(0, 0)
				if left := s.Live(); left != 0 {
					t.Fatalf("call %d, %s: %d objects are not released", sign*n, call, left)
				}
				if call == "" {
					if err != nil || n < 40 {
						t.Fatalf("without a fault: %d calls, %v", n-1, err)
					}
					break
				}
				failed[call] = true
				// Nothing depends on optional facts, the types of arguments and the log of what was built.
				optional := slices.Contains([]string{"clGetKernelArgInfo", "clGetDeviceInfo", "clGetProgramBuildInfo"}, call)
				name := map[int64]string{-5: "CL_OUT_OF_RESOURCES", -6: "CL_OUT_OF_HOST_MEMORY", -36: "CL_INVALID_COMMAND_QUEUE", -9999: "OpenCL error -9999"}[code]
				switch text := fmt.Sprint(err); {
				case err == nil && optional && sign > 0:
				case err == nil, !strings.Contains(text, call) && !optional, !strings.Contains(text, name):
					t.Errorf("call %d, %s returns %d: %v", sign*n, call, code, err)
				case strings.Contains(text, "allocate") && (code == -6) != errors.Is(err, gpu.ErrOutOfMemory):
					t.Errorf("call %d, %s returns %d: %v: is it out of memory?", sign*n, call, code, err)
				}
			}
		}
	}
	if err := everything(s.Library); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	for _, call := range opencl.Calls() {
		if !failed[call] && call != "clGetProgramInfo" && call != "clCreateProgramWithBinary" {
			t.Errorf("%s did not fail: the test does not call it", call)
		}
	}
	if !slices.Contains(opencl.Calls(), "clFinish") {
		t.Error("clFinish is no call")
	}
}

func TestNoDevice(t *testing.T) {
	s := opencltest.Build(t)
	for setting, want := range map[string]string{"no_platform": "OpenCL shows no driver", "no_device": "no OpenCL driver shows a device"} {
		s.Set(setting, 1)
		_, err := s.Library.Open("opencl:0")
		s.Set(setting, 0)
		if !errors.Is(err, gpu.ErrNoDevice) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "no OpenCL device: ") {
			t.Errorf("%s: %v", setting, err)
		}
	}
	if _, err := opencl.Load(t.TempDir() + "/libOpenCL.so"); !errors.Is(err, gpu.ErrNoDevice) || !strings.Contains(err.Error(), "install ocl-icd-libopencl1") {
		t.Error(err)
	}
}

func TestNamed(t *testing.T) {
	all := []gpu.Facts{{Name: "Mali-G610", OpenCL: &gpu.OpenCL{Platform: "ARM Platform"}}, {Name: "cpu", OpenCL: &gpu.OpenCL{Platform: "PoCL"}}, {Name: "Mali-T", OpenCL: &gpu.OpenCL{Platform: "x", Type: "GPU"}}}
	for name, want := range map[string]string{"opencl:0": "0", "opencl:first": "2", "opencl:2": "2", "opencl:pocl": "1", "opencl:g610": "0", "opencl:3": "the last of 3 devices here is opencl:2",
		"opencl:mali": "a part of 2 names", "opencl:adreno": `called "adreno"; there is opencl:0 (Mali-G610, ARM Platform)`, "opencl:": "called"} {
		i, err := opencl.Named(name, all)
		if err != nil && (len(want) == 1 || !strings.Contains(err.Error(), want) || !errors.Is(err, gpu.ErrNoDevice)) || err == nil && want != string(rune('0'+i)) {
			t.Errorf("%s: %d, %v; want %s", name, i, err, want)
		}
	}
}
