package fft

import (
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"bench/cuda/driver/drivertest"
	"bench/framework"
)

// resident reads a size of this process in bytes: VmRSS, or VmHWM, its peak (proc(5)).
func resident(t *testing.T, name string) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(name + `:\s*(\d+) kB`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in %s", name, text)
	}
	kilo, err := strconv.ParseInt(string(m[1]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilo << 10
}

// TestMemoryIsKnownBefore: a stand-in driver whose device memory is the host's, as on a
// Jetson, takes each buffer when it is allocated; the most that the process has beside
// what it had before is within 10 % of what the version says.
func TestMemoryIsKnownBefore(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stub := drivertest.Build(t, "ACROSS_PROCESSES", "NO_PARAM_INFO", "TOUCH")
	device := stub.Open(t)
	defer device.Close()
	factory := Factory()
	for _, c := range []struct {
		version   string
		processor framework.Processor
		n, total  int64
		full      bool
	}{
		{"stockham", framework.GPU, 1024, 1 << 21, false},
		{"stockham", framework.GPU, 1024, 1 << 21, true},
		{"stockham", framework.GPU, 1 << 18, 1 << 22, false},
		{"stockham", framework.CPU, 1024, 1 << 21, false},
		{"stockham", framework.CPU, 1024, 1 << 21, true},
		{"reference", framework.CPU, 1 << 18, 1 << 21, true},
	} {
		params := framework.Values{"N": framework.IntValue(c.n), "batch_elements": framework.IntValue(c.total),
			"precision": framework.TextValue("f32"), "direction": framework.TextValue("forward")}
		version := factory.VersionOn(c.version, c.processor)
		var tunables framework.Values
		env := framework.Env{Seed: 1, Workers: 2}
		if c.processor == framework.GPU {
			env.Device = device
			tunables = version.Defaults(params, device.Facts())
		}
		debug.FreeOSMemory()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew
			t.Fatal(err)
		}
		before, allocated := resident(t, "VmRSS"), stub.Get("used_bytes")
		problem, err := factory.NewProblem(env, params)
		if err != nil {
			t.Fatal(err)
		}
		alg, err := version.New(env, problem, tunables)
		if err != nil {
			t.Fatal(err)
		}
		if err := alg.PreRun(); err != nil {
			t.Fatal(err)
		}
		if err := alg.Run(); err != nil {
			t.Fatal(err)
		}
		if c.full {
			_, err = alg.Verify()
		} else {
			_, err = alg.(framework.FastVerifier).VerifyFast()
		}
		if err != nil {
			t.Fatal(err)
		}
		took, onDevice := resident(t, "VmHWM")-before, stub.Get("used_bytes")-allocated
		if err := alg.PostRun(); err != nil {
			t.Error(err)
		}
		problem.Close()
		says := factory.Memory(version, params, tunables, c.full)
		off := float64(took)/float64(says.Total()) - 1
		t.Logf("%s on %s, N = %d, full %v: %.1f MiB, of these %.1f on the device; said %.1f and %.1f: off by %+.1f %%", c.version, c.processor, c.n, c.full,
			mib(took), mib(onDevice), mib(says.Total()), mib(says.Device), 100*off)
		if off > 0.1 || off < -0.1 {
			t.Errorf("%+v takes %.1f MiB, said %.1f MiB", c, mib(took), mib(says.Total()))
		}
		if onDevice > says.Device || float64(onDevice) < 0.9*float64(says.Device) {
			t.Errorf("%+v has %d bytes on the device, said %d", c, onDevice, says.Device)
		}
	}
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
