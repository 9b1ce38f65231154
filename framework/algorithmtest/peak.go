package algorithmtest

import (
	"errors"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// Board is a stand-in driver whose device memory is the host's, as on a Jetson: it takes
// each buffer when it is allocated.
type Board struct{ *drivertest.Stub }

// NewBoard builds it.
func NewBoard(t *testing.T) Board {
	t.Helper()
	return Board{drivertest.Build(t, "ACROSS_PROCESSES", "NO_PARAM_INFO", "TOUCH")}
}

// Point is a version at a point. Params and tunables that are not set have their defaults.
type Point struct {
	Version          string
	Processor        framework.Processor
	Params, Tunables framework.Values
	Full             bool // the answer is compared with the whole reference
}

// EveryVersion is a point of each version that is there and solves a problem of these
// parameters.
func (b Board) EveryVersion(t *testing.T, factory *framework.Factory, params framework.Values, full bool) (points []Point) {
	t.Helper()
	device := b.Open(t)
	defer device.Close()
	for _, v := range factory.Versions {
		switch {
		case v.Available != nil && v.Available() != nil, v.Peer && v.Processor == framework.GPU: // which need more than a driver
		case v.Supports != nil && v.Supports(withDefaults(factory, params), device.Facts()) != nil:
		default:
			points = append(points, Point{Version: v.Name, Processor: v.Processor, Params: params, Full: full})
		}
	}
	return points
}

func withDefaults(factory *framework.Factory, params framework.Values) framework.Values {
	all := params.Clone()
	for _, p := range factory.Params {
		if !all[p.Name].IsSet() {
			all[p.Name] = p.Default
		}
	}
	return all
}

// MemoryIsKnown fails where the most memory that a point takes beside what the process
// had before, or what it has on the device, is more than 10 % off what the version says.
func (b Board) MemoryIsKnown(t *testing.T, factory *framework.Factory, points []Point) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	device := b.Open(t)
	defer device.Close()
	for _, p := range points {
		version := factory.VersionOn(p.Version, p.Processor)
		if version == nil {
			t.Fatalf("no version %s on %s", p.Version, p.Processor)
		}
		params := withDefaults(factory, p.Params)
		env := framework.Env{Seed: 1, Workers: 2, Note: func(string, ...any) {}}
		var tunables framework.Values
		if p.Processor == framework.GPU {
			env.Device = device
		}
		if version.Defaults != nil {
			tunables = version.Defaults(params, device.Facts()).Clone()
		}
		for name, value := range p.Tunables {
			tunables[name] = value
		}
		if env.Device != nil || version.Peer || version.Available != nil { // what is compiled and loaded stays
			b.run(t, factory, version, env, params, tunables, p.Full)
		}
		says := factory.Memory(version, params, tunables, p.Full)
		took, onDevice := b.run(t, factory, version, env, params, tunables, p.Full)
		// When garbage is collected is chance: the median of more runs is judged where the first is off.
		if math.Abs(took/float64(says.Total())-1) > 0.1 {
			runs := []float64{took}
			for range 8 {
				again, _ := b.run(t, factory, version, env, params, tunables, p.Full)
				runs = append(runs, again)
			}
			slices.Sort(runs)
			took = runs[len(runs)/2]
		}
		off := took/float64(says.Total()) - 1
		t.Logf("%s %s on %s, full %v: %.1f MiB, of these %.1f on the device; said %.1f and %.1f: off by %+.1f %%", factory.Name, p.Version, p.Processor, p.Full,
			took/mib, onDevice/mib, float64(says.Total())/mib, float64(says.Device)/mib, 100*off)
		if !(math.Abs(off) <= 0.1) {
			t.Errorf("%s %s on %s, %v, full %v: takes %.1f MiB, said %.1f MiB", factory.Name, p.Version, p.Processor, p.Params, p.Full, took/mib, float64(says.Total())/mib)
		}
		if math.Abs(onDevice-float64(says.Device)) > 0.1*float64(says.Device) {
			t.Errorf("%s %s on %s, %v: has %.0f bytes on the device, said %d", factory.Name, p.Version, p.Processor, p.Params, onDevice, says.Device)
		}
	}
}

const mib = 1 << 20

// run is a point as a worker runs it; took is the most that it takes at once, in bytes,
// and onDevice what of it is on the device.
func (b Board) run(t *testing.T, factory *framework.Factory, version *framework.Version, env framework.Env, params, tunables framework.Values, full bool) (took, onDevice float64) {
	t.Helper()
	giveBack()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil { // the peak begins anew (proc(5))
		t.Fatal(err)
	}
	before, allocated := residentSize(t, "VmRSS"), b.Get("used_bytes")
	problem, err := factory.NewProblem(env, params)
	if err != nil {
		t.Fatal(err)
	}
	defer problem.Close()
	alg, err := version.New(env, problem, tunables)
	if err != nil {
		t.Fatal(err)
	}
	if err := alg.PreRun(); err != nil {
		t.Fatalf("%s: %v", version.Name, err)
	}
	if r, ok := alg.(framework.Resetter); ok {
		err = r.Reset()
	}
	if err = errors.Join(err, alg.Run()); err != nil {
		t.Fatalf("%s: %v", version.Name, err)
	}
	if fast, ok := alg.(framework.FastVerifier); ok && !full {
		_, err = fast.VerifyFast()
	} else {
		err = framework.ErrNoFastCheck
	}
	if errors.Is(err, framework.ErrNoFastCheck) {
		_, err = alg.Verify()
	}
	if err != nil {
		t.Fatalf("%s: %v", version.Name, err)
	}
	if r, ok := alg.(framework.Rechecker); ok {
		if _, err := r.Recheck(); err != nil {
			t.Fatalf("%s: %v", version.Name, err)
		}
	}
	took, onDevice = residentSize(t, "VmHWM")-before, float64(b.Get("used_bytes")-allocated)
	if err := alg.PostRun(); err != nil {
		t.Fatalf("%s: %v", version.Name, err)
	}
	return took, onDevice
}

// giveBack returns free memory of this process to the system. The runtime now and then keeps some
// megabytes of it, which the next run would take without the process growing: they go once
// a large array was freed.
func giveBack() {
	var m runtime.MemStats
	for range 20 {
		runtime.GC()
		debug.FreeOSMemory()
		if runtime.ReadMemStats(&m); m.HeapIdle-m.HeapReleased < mib/4 {
			return
		}
		runtime.KeepAlive(make([]byte, 64*mib)) // on the heap, and garbage at once
	}
}

// residentSize reads a size of this process in bytes: VmRSS, or VmHWM, its peak (proc(5)).
func residentSize(t *testing.T, name string) float64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(name + `:\s*(\d+) kB`).FindStringSubmatch(string(text))
	if m == nil {
		t.Fatalf("no %s in %s", name, strings.TrimSpace(string(text)))
	}
	kilo, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return kilo * 1024
}
