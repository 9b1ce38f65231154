// Package algorithmtest tests every version of an algorithm against the framework's contract. An
// algorithm's test calls Run.
package algorithmtest

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// Suite says how an algorithm is tested.
type Suite struct {
	Factory *framework.Factory
	// CPU and GPU are how many problems of Verification each version of that
	// processor solves, picked evenly from those that are small; 0: all of them
	// on the CPU, and some on a GPU. `bench verify` does the large ones too.
	CPU, GPU int
	// Own are versions that compute something else: their nominal counts are
	// not the others'.
	Own []string
	// Simulated leaves out the real GPU, for libraries that a test stands in for.
	Simulated bool

	// device is where answers are judged, quick where the other properties are: the
	// simulator without its checks.
	device, quick gpu.Device
}

// fewOnGPU is how many problems a GPU version solves: in the simulator each
// takes a compilation.
const fewOnGPU = 4

// openGPU opens GPU 0; nil without the build tag gpu.
var openGPU func(*testing.T) gpu.Device

// Run holds all versions of f that are available to the contract.
func Run(t *testing.T, f *framework.Factory) {
	t.Helper()
	Suite{Factory: f}.Run(t)
}

// Run reports what is broken, a subtest for every version: GPU versions run in
// the simulator, which finds races in shared memory too, and, with the build tag
// gpu, on GPU 0.
func (s Suite) Run(t *testing.T) {
	t.Helper()
	if s.GPU == 0 {
		s.GPU = fewOnGPU
	}
	s.versions(t, framework.CPU, "CPU")
	if !slices.ContainsFunc(s.Factory.Versions, func(v framework.Version) bool { return v.Processor == framework.GPU }) {
		return
	}
	s.device, s.quick = simtest.Open(t, sim.Checks()), simtest.Open(t)
	s.versions(t, framework.GPU, "GPU")
	if openGPU != nil && !s.Simulated {
		s.device = openGPU(t)
		s.quick = s.device
		s.versions(t, framework.GPU, s.device.ID())
	}
}

// RunOn holds the GPU versions that run on a device of OpenCL to the contract there.
func (s Suite) RunOn(t *testing.T, d gpu.Device) {
	t.Helper()
	if s.GPU == 0 {
		s.GPU = fewOnGPU
	}
	s.device, s.quick = d, d
	s.versions(t, framework.GPU, d.ID())
}

// versions are a processor's, each in its subtest, which is called after where
// it runs.
func (s Suite) versions(t *testing.T, on framework.Processor, where string) {
	for i := range s.Factory.Versions {
		v := &s.Factory.Versions[i]
		if v.Processor != on || on == framework.GPU && !v.Takes(s.device.Facts().OpenCL != nil) {
			continue
		}
		// A library's own kernels do not run in the simulator, only what stands in for one.
		if v.Peer && s.device != nil && s.device.ID() == "sim" && !s.Simulated {
			continue
		}
		// A vendor's GPU library is not among what the tests need: where it is absent, so is its test.
		if v.Peer && on == framework.GPU && v.Available != nil && v.Available() != nil {
			t.Logf("%s: its library is not on this machine", v.Name)
			continue
		}
		t.Run(fmt.Sprint(where, "/", v.Name), func(t *testing.T) {
			if v.Available != nil && v.Available() != nil {
				t.Skip("cannot run on this machine")
			}
			if s.device != nil { // each test has a thread of its own
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				if err := errors.Join(s.device.Bind(), s.quick.Bind()); err != nil {
					t.Fatal(err)
				}
			}
			for _, f := range s.findings(v) {
				t.Error(f)
			}
		})
	}
}

// finding is a property that a version lacks.
type finding struct {
	property string
	err      error
}

func (f finding) String() string { return f.property + ": " + f.err.Error() }

// properties of the contract, and on which problems they are looked for: those
// that verify answers on all of the suite's, the others on a small one.
var properties = []struct {
	name  string
	every bool
	holds func(subject, framework.Values) error
}{
	{"right answers", true, subject.answers},
	{"defaults are valid", true, subject.defaults},
	{"right answers to all kinds of inputs", false, subject.kinds},
	{"counts", false, subject.counts},
	{"Reset restores", false, subject.resets},
	{"input to answer", false, subject.toAnswer},
	{"answers are shown", false, subject.shown},
	{"inputs stay", false, subject.inputs},
	{"same seed, same inputs", false, subject.seeds},
	{"instances are apart", false, subject.apart},
	{"PostRun frees", false, subject.frees},
	{"PostRun frees after half a PreRun", false, subject.halfway},
	{"DeviceBytes", false, subject.deviceBytes},
	{"HostBytes", false, subject.hostBytes},
	{"refuses other problems", false, subject.foreign},
	{"no panic at limits", false, subject.limits},
	{"refuses bad tunables", false, subject.badTunables},
}

// findings are the properties that a version lacks.
func (s Suite) findings(v *framework.Version) (list []finding) {
	x := subject{f: s.Factory, v: v, device: s.device, own: s.Own}
	if v.Processor == framework.CPU {
		x.device = nil
	}
	all := x.supported(s.Factory.Verification)
	if len(all) == 0 {
		return []finding{{"problems", fmt.Errorf("Verification has none that version %s supports", v.Name)}}
	}
	light, most := x.light(all), s.GPU
	if x.device == nil {
		most = s.CPU
	}
	some := light
	if most > 0 {
		some = spread(light, most)
	}
	for _, p := range properties {
		on := some
		if !p.every {
			on = []framework.Values{x.small(light)}
			if x.device != nil && s.quick != nil {
				x.device = s.quick
			}
		}
		for _, params := range on {
			if err := guarded(func() error { return p.holds(x, params) }); err != nil {
				list = append(list, finding{p.name, fmt.Errorf("%s, at %v: %w", v.Name, params, err)})
			}
		}
	}
	return list
}

// guarded calls f and returns a panic as an error.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			var stack [2048]byte
			err = fmt.Errorf("panic: %v\n%s", r, stack[:runtime.Stack(stack[:], false)])
		}
	}()
	return f()
}

// spread picks n of list, evenly, the first and the last among them.
func spread[T any](list []T, n int) []T {
	if n >= len(list) {
		return list
	}
	var some []T
	for i := range n {
		some = append(some, list[i*(len(list)-1)/max(1, n-1)])
	}
	return some
}

// The most host memory of a problem on which one property is looked for, and
// of any.
const (
	smallBytes = 8 << 10
	lightBytes = 256 << 10
)

// light are the problems up to lightBytes, or up to four times the smallest.
func (s subject) light(list []framework.Values) []framework.Values {
	least := int64(math.MaxInt64)
	for _, p := range list {
		least = min(least, s.hostBytesOf(p))
	}
	return slices.DeleteFunc(slices.Clone(list), func(p framework.Values) bool { return s.hostBytesOf(p) > max(lightBytes, 4*least) })
}

// small is the largest of the problems up to smallBytes, or the smallest.
func (s subject) small(list []framework.Values) framework.Values {
	bytes := s.hostBytesOf
	byBytes := slices.SortedStableFunc(slices.Values(list), func(a, b framework.Values) int { return cmp.Compare(bytes(a), bytes(b)) })
	at := slices.IndexFunc(byBytes, func(p framework.Values) bool { return bytes(p) > smallBytes })
	switch at {
	case -1:
		return byBytes[len(byBytes)-1]
	case 0:
		return byBytes[0]
	}
	return byBytes[at-1]
}
