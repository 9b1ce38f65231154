package driver_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

const kernels = "work typed nothing ten table"

func open(t testing.TB, macros ...string) (*drivertest.Stub, *driver.GPU, gpu.Module) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s := drivertest.Build(t, macros...)
	g := s.Open(t)
	m, err := g.Compile(gpu.Source{Name: "k.cu", Text: kernels})
	if err != nil {
		t.Fatal(err)
	}
	return s, g, m
}

func kernel(t testing.TB, m gpu.Module, name string) gpu.Kernel {
	t.Helper()
	k, err := m.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// wants fails unless err contains each of texts.
func wants(t *testing.T, err error, texts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error; want one with %q", texts)
		return
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("error %q lacks %q", err, text)
		}
	}
}

func TestNoDeviceErrorsSayWhatHelps(t *testing.T) {
	for _, c := range []struct {
		macros []string
		texts  []string
	}{
		{[]string{"OLD"}, []string{"no symbol cuMemAlloc_v2", "install a driver"}},
		{[]string{"INIT=100"}, []string{"CUDA_ERROR_NO_DEVICE", "CUDA_VISIBLE_DEVICES"}},
		{[]string{"INIT=803"}, []string{"CUDA error 803", "restart the machine"}},
		{[]string{"INIT=999"}, []string{"/dev/nvidia"}},
		{[]string{"DEVICES=0"}, []string{"shows no GPU", "CUDA_VISIBLE_DEVICES"}},
	} {
		l, err := driver.Load(drivertest.Build(t, c.macros...).Path)
		if err == nil {
			_, err = l.Open(0)
		}
		wants(t, err, c.texts...)
		if !errors.Is(err, gpu.ErrNoDevice) {
			t.Errorf("%v: %v is not an ErrNoDevice", c.macros, err)
		}
	}
	_, err := driver.Load("libcuda-that-is-not-there.so")
	wants(t, err, "libcuda-that-is-not-there.so", "install the NVIDIA driver")
	if !errors.Is(err, gpu.ErrNoDevice) {
		t.Errorf("%v is not an ErrNoDevice", err)
	}
}

func TestOpenBeyondTheLastDevice(t *testing.T) {
	l, err := driver.Load(drivertest.Build(t).Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []int{1, -1} {
		_, err = l.Open(index)
		wants(t, err, "the last of the 1 here is cuda:0")
	}
}

func TestFactsOfTheDriver(t *testing.T) {
	_, g, _ := open(t, "VERSION=10020")
	f := g.Facts()
	if f.Name != "Test GPU" || f.Arch() != "sm_90" || f.ClockHz != 1e9 || f.SharedOptIn != 232448 || f.GlobalBytes != 1<<30 ||
		f.UUID != "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f" || f.PCIBusID != "0000:01:00.0" || f.DriverVersion != "10.2" ||
		f.CompilerVersion != "NVRTC 12.6" || f.MaxBlocksPerSM != 32 || !f.Cooperative {
		t.Errorf("facts %+v", f)
	}
}

func TestArgumentsArriveAsTheirTypes(t *testing.T) {
	for _, macros := range [][]string{nil, {"NO_PARAM_INFO"}} {
		_, g, m := open(t, macros...)
		p, err := g.Alloc(80)
		if err != nil {
			t.Fatal(err)
		}
		err = kernel(t, m, "typed").Launch(0, gpu.Launch{}, p, int32(-3), uint32(1<<31), int64(-1<<40), uint64(1<<60), float32(0.5), 0.25)
		if err != nil {
			t.Fatal(err)
		}
		var d [6]float64
		if err := gpu.Download(g, d[:], p); err != nil {
			t.Fatal(err)
		}
		if d != [6]float64{-3, 1 << 31, -1 << 40, 1 << 60, 0.5, 0.25} {
			t.Errorf("%v: arrived as %v", macros, d)
		}
		// More arguments than a kernel has room for at first.
		var sum [1]uint64
		if err := gpu.Upload(g, p, sum[:]); err != nil {
			t.Fatal(err)
		}
		args := []any{p}
		for i := range 9 {
			args = append(args, uint64(1)<<i)
		}
		if err := kernel(t, m, "ten").Launch(0, gpu.Launch{}, args...); err != nil {
			t.Fatal(err)
		}
		if err := gpu.Download(g, sum[:], p); err != nil {
			t.Fatal(err)
		}
		if sum[0] != 1<<9-1 {
			t.Errorf("%v: ten arguments add up to %d", macros, sum[0])
		}
	}
}

func TestWrongArgumentsAreRefused(t *testing.T) {
	s, _, m := open(t)
	work := kernel(t, m, "work")
	before := s.Get("launches")
	wants(t, work.Launch(0, gpu.Launch{}), "kernel work takes 1 argument, got 0")
	wants(t, work.Launch(0, gpu.Launch{}, int32(1)), "argument 0 is a int32 of 4 bytes", "has 8")
	wants(t, work.Launch(0, gpu.Launch{}, 1), "argument 0 is a int;")
	if n := s.Get("launches"); n != before {
		t.Errorf("%d launches went through", n-before)
	}
	wants(t, kernel(t, m, "nothing").Launch(0, gpu.Launch{Block: gpu.Dim3{X: 1024}}), "CUDA_ERROR_INVALID_VALUE", "block 1024×1×1", "at most 512 threads")
	_, err := m.Kernel("hold_stream")
	wants(t, err, "kernel hold_stream of k.cu", "CUDA_ERROR_NOT_FOUND")
}

func TestLaunchLeavesNoGarbage(t *testing.T) {
	_, g, m := open(t)
	work := kernel(t, m, "work")
	e, err := g.NewEvent()
	if err != nil {
		t.Fatal(err)
	}
	args := []any{uint64(1000)}
	n := testing.AllocsPerRun(100, func() {
		if err := errors.Join(work.Launch(0, gpu.Launch{}, args...), e.Record(0), g.Synchronize(0)); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSharedMemoryLimitRisesByItself(t *testing.T) {
	s, _, m := open(t)
	k := kernel(t, m, "nothing")
	// 1024 bytes are static: 47 KiB is the last without opting in.
	for _, c := range []struct{ ask, limit int }{{47 << 10, 0}, {47<<10 + 1, 47<<10 + 1}, {100 << 10, 100 << 10}, {64 << 10, 100 << 10}} {
		if err := k.Launch(0, gpu.Launch{SharedBytes: c.ask}); err != nil {
			t.Fatal(err)
		}
		if got := s.Get("shared_limit"); got != int64(c.limit) {
			t.Errorf("after %d bytes the limit is %d, want %d", c.ask, got, c.limit)
		}
	}
	wants(t, k.Launch(0, gpu.Launch{SharedBytes: 1 << 20}), "1048576 bytes of shared memory", "232448")
	if _, err := k.ActiveBlocks(256, 1<<20); err == nil {
		t.Error("occupancy of too much shared memory")
	}
}

func TestClusterAndCooperativeLaunch(t *testing.T) {
	s, _, m := open(t)
	k := kernel(t, m, "nothing")
	if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 8}, Cluster: gpu.Dim3{X: 2, Y: 2}, Cooperative: true}); err != nil {
		t.Fatal(err)
	}
	if n := s.Get("cluster"); n != 4 {
		t.Errorf("cluster of %d blocks", n)
	}
	if n, err := k.ActiveClusters(gpu.Launch{Block: gpu.Dim3{X: 128}, Cluster: gpu.Dim3{X: 4}, SharedBytes: 100 << 10}); err != nil || n != 4 {
		t.Errorf("%d active clusters, %v", n, err)
	}
	if got := s.Get("shared_limit"); got != 100<<10 {
		t.Errorf("occupancy was asked for %d bytes of shared memory", got)
	}
	s.Fail("cuOccupancyMaxActiveClusters", 1)
	_, err := k.ActiveClusters(gpu.Launch{Cluster: gpu.Dim3{X: 2}})
	wants(t, err, "cuOccupancyMaxActiveClusters", "CUDA_ERROR_INVALID_VALUE")
	wants(t, k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 65}, Block: gpu.Dim3{X: 128}, Cooperative: true}), "64 blocks fit at once")
	_, _, m = open(t, "NO_CLUSTER", "NO_COOPERATIVE")
	k = kernel(t, m, "nothing")
	for _, shape := range []gpu.Launch{{Cluster: gpu.Dim3{X: 2}}, {Cooperative: true}} {
		if err := k.Launch(0, shape); !errors.Is(err, driver.ErrUnsupported) {
			t.Errorf("%+v: %v", shape, err)
		}
	}
	if _, err := k.ActiveClusters(gpu.Launch{Cluster: gpu.Dim3{X: 2}}); !errors.Is(err, driver.ErrUnsupported) {
		t.Errorf("active clusters: %v", err)
	}
}

func TestOutOfMemory(t *testing.T) {
	s, g, _ := open(t)
	p, err := g.Alloc(1 << 29)
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Alloc(3 << 28)
	wants(t, err, "allocate 0.75 GiB", "0.50 GiB free of 1.00 GiB")
	if !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("%v is not an ErrOutOfMemory", err)
	}
	if err := g.Free(p); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Alloc(3 << 28); err != nil {
		t.Errorf("after Free: %v", err)
	}
	if _, err := g.Alloc(0); err == nil {
		t.Error("allocated nothing")
	}
	s.Fail("cuModuleLoadDataEx", 2)
	if _, err := g.Compile(gpu.Source{Name: "k.cu", Text: kernels}); !errors.Is(err, gpu.ErrOutOfMemory) {
		t.Errorf("no memory to load: %v", err)
	}
}

func TestCompileReportsTheDriversLog(t *testing.T) {
	s, g, m := open(t)
	if want := "compiled for sm_90\ninfo from the driver"; m.Log() != want {
		t.Errorf("log %q, want %q", m.Log(), want)
	}
	if n := s.Get("jit_options"); n != 4 {
		t.Errorf("loaded with %d options", n)
	}
	_, err := g.Compile(gpu.Source{Name: "k.cu", Text: "broken"})
	var c *gpu.CompileError
	if !errors.As(err, &c) || !strings.Contains(c.Log, "error from the driver") {
		t.Errorf("error %v", err)
	}
	wants(t, err, "CUDA_ERROR_NO_BINARY_FOR_GPU", "driver (CUDA 12.6) is older than the compiler (NVRTC 12.6)")
	_, err = g.Compile(gpu.Source{Name: "k.cu", Text: kernels, Kernels: []string{"work", "absent"}})
	wants(t, err, "kernel absent of k.cu")
}

func TestDeviceBelongsToTheBoundThread(t *testing.T) {
	_, g, _ := open(t)
	done := make(chan [2]error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		_, before := g.Alloc(8)
		after := g.Bind()
		if after == nil {
			_, after = g.Alloc(8)
		}
		done <- [2]error{before, after}
	}()
	e := <-done
	wants(t, e[0], "CUDA_ERROR_INVALID_CONTEXT")
	if e[1] != nil {
		t.Errorf("after Bind: %v", e[1])
	}
}

func TestCopies(t *testing.T) {
	_, g, _ := open(t)
	p, err := g.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	in, out := []int32{1, 2, 3, 4}, make([]int32, 4)
	if err := errors.Join(gpu.Upload(g, p, in), g.CopyAsync(p+16, p, 16, 0), g.SetAsync(p+16, 255, 4, 0), gpu.Download(g, out, p+16)); err != nil {
		t.Fatal(err)
	}
	if out[0] != -1 || out[3] != 4 {
		t.Errorf("got %v", out)
	}
	if err := g.CopyToHost(unsafe.Pointer(&out[0]), p, -1); err == nil {
		t.Error("copied a negative size")
	}
	h, err := g.AllocHost(100)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range h.Bytes() {
		if b != 0 {
			t.Fatalf("byte %d of page-locked memory is %d", i, b)
		}
	}
	if err := errors.Join(h.Free(), h.Free(), g.Free(p), g.Close(), g.Close()); err != nil {
		t.Error(err)
	}
}

func TestGraphRunsWhatWasCaptured(t *testing.T) {
	for _, macros := range [][]string{nil, {"FIRST_GRAPHS"}} {
		s, g, m := open(t, macros...)
		k := kernel(t, m, "work")
		x, err := g.Capture(7, func() error {
			return errors.Join(k.Launch(7, gpu.Launch{}, uint64(2000)), k.Launch(7, gpu.Launch{}, uint64(4000)))
		})
		if err != nil {
			t.Fatal(err)
		}
		if s.Get("launches") != 0 || x.Nodes() != 2 {
			t.Errorf("%v: %d launches while capturing, %d nodes", macros, s.Get("launches"), x.Nodes())
		}
		if err := errors.Join(x.Launch(7), x.Launch(7), x.Close()); err != nil || s.Get("launches") != 4 {
			t.Errorf("%v: %d launches, %v", macros, s.Get("launches"), err)
		}
		_, err = g.Capture(7, func() error { return g.Synchronize(7) })
		wants(t, err, "STREAM_CAPTURE_UNSUPPORTED")
		if err := g.Synchronize(7); err != nil {
			t.Errorf("%v: the stream is not usable after a failed capture: %v", macros, err)
		}
		if _, err = g.Capture(0, func() error { return nil }); err == nil {
			t.Error("captured the default stream")
		}
	}
	_, g, _ := open(t, "NO_GRAPHS")
	if _, err := g.Capture(7, func() error { return nil }); !errors.Is(err, driver.ErrUnsupported) {
		t.Errorf("without graphs: %v", err)
	}
}
