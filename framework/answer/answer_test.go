package answer

import (
	"bytes"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// copies is a version whose answer is its input, all but the first byte of which is
// changed in place where it is told so.
type copies struct {
	framework.GPURun
	in      []byte
	changes bool
	silent  bool // about its answer
	from    gpu.Pointer
	to      gpu.Pointer
	got     []byte // the last that was verified
}

func (c *copies) PreRun() (err error) {
	if c.from, err = framework.AllocInput(&c.GPURun, c.in); err != nil {
		return err
	}
	n := int64(len(c.in))
	if c.to, err = c.AllocFilled(0, n); err != nil {
		return err
	}
	if !c.silent {
		c.Output(c.to, n)
	}
	return nil
}

func (c *copies) Run() error {
	n := int64(len(c.in))
	if err := c.Device.CopyAsync(c.to, c.from, n, c.Env.Stream); err != nil || !c.changes {
		return err
	}
	return c.Device.SetAsync(c.from+1, 7, n-1, c.Env.Stream)
}

func (c *copies) Verify() ([]framework.Check, error) {
	c.got = make([]byte, len(c.in))
	err := gpu.Download(c.Device, c.got, c.to)
	return []framework.Check{{Metric: "differs", Error: map[bool]float64{false: 1}[bytes.Equal(c.got, c.in)]}}, err
}

func (c *copies) Work() framework.Work { return framework.Work{NominalFLOPs: 3} }

func open(t *testing.T) (*drivertest.Stub, *driver.GPU) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	s := drivertest.Build(t)
	g := s.Open(t)
	t.Cleanup(func() { g.Close() })
	return s, g
}

var input = []byte("inputs of a version")

func right(t *testing.T, a framework.BaseAlgorithm) {
	t.Helper()
	if checks, err := a.Verify(); err != nil || len(checks) != 1 || !checks[0].OK() {
		t.Errorf("%v, %v", checks, err)
	}
}

// TestCopies: a run copies in, runs, copies out and waits, in this order and every time;
// its arrays are of the kind that was asked for, and nothing is left.
func TestCopies(t *testing.T) {
	s, g := open(t)
	n := int64(len(input))
	for _, pinned := range []bool{false, true} {
		for _, wait := range []struct {
			by   string
			with func(gpu.Stream) (func() error, func() error, error)
			want []string
		}{
			{"synchronizing", nil, []string{"cuStreamSynchronize"}},
			{"spinning", func(s gpu.Stream) (func() error, func() error, error) { return measure.Waiter(g, s, true) }, []string{"cuEventRecord", "cuEventQuery"}},
			{"sleeping", func(s gpu.Stream) (func() error, func() error, error) { return measure.Waiter(g, s, false) }, []string{"cuEventRecord", "cuEventSynchronize"}},
		} {
			used := s.Get("used_bytes")
			version := &copies{GPURun: framework.GPURun{Env: framework.Env{Device: g}}, in: input, changes: true}
			a, err := New(version, Options{Device: g, Pinned: pinned, Wait: wait.with})
			if err != nil {
				t.Fatal(err)
			}
			prepared := s.Trace(func() { err = a.PreRun() })
			if err != nil {
				t.Fatal(err)
			}
			locked := 0
			if pinned {
				locked = 2 // inputs and answer
			}
			if got := count(prepared, "cuMemHostAlloc"); got != locked {
				t.Errorf("pinned %v: %d arrays are page-locked", pinned, got)
			}
			for range 2 {
				in, out := s.Get("in_bytes"), s.Get("out_bytes")
				calls := s.Trace(func() { err = a.Run() })
				want := append([]string{"cuMemcpyHtoDAsync", "cuMemcpyDtoDAsync", "cuMemsetD8Async", "cuMemcpyDtoHAsync"}, wait.want...)
				if err != nil || !slices.Equal(calls, want) {
					t.Errorf("%s: %v, %q; want %q", wait.by, err, calls, want)
				}
				if in, out = s.Get("in_bytes")-in, s.Get("out_bytes")-out; in != n || out != n {
					t.Errorf("%d bytes were copied in and %d out", in, out)
				}
				right(t, a)
			}
			if w := a.Work(); w != (framework.Work{NominalFLOPs: 3, CopiedIn: n, CopiedOut: n}) || a.Workers() != 0 {
				t.Errorf("%+v, %d workers", w, a.Workers())
			}
			if _, resets := a.(framework.Resetter); resets {
				t.Error("inputs that are copied each time are restored too")
			}
			freed := s.Trace(func() { err = a.PostRun() })
			if err != nil || s.Get("used_bytes") != used || count(freed, "cuMemFreeHost") != locked {
				t.Errorf("%v, %d bytes left, %q", err, s.Get("used_bytes")-used, freed)
			}
		}
	}
}

func count(calls []string, call string) (n int) {
	for _, c := range calls {
		if c == call {
			n++
		}
	}
	return n
}

// TestArrivedAnswerIsVerified: what the device holds of an answer that did not arrive
// does not count.
func TestArrivedAnswerIsVerified(t *testing.T) {
	s, g := open(t)
	version := &copies{GPURun: framework.GPURun{Env: framework.Env{Device: g}}, in: input}
	a, err := New(version, Options{Device: g})
	if err == nil {
		err = a.PreRun()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer a.PostRun() //nolint:errcheck // of a test
	s.Fail("cuMemcpyDtoHAsync", 700)
	if err := a.Run(); err == nil || !strings.Contains(err.Error(), "cuMemcpyDtoHAsync") {
		t.Errorf("%v", err)
	}
	s.Fail("", 0)
	checks, err := a.Verify()
	if err != nil || checks[0].OK() || version.got[0] != 0xff {
		t.Errorf("%v, %v of %q", checks, err, version.got)
	}
	if _, err := a.(framework.FastVerifier).VerifyFast(); !errors.Is(err, framework.ErrNoFastCheck) {
		t.Errorf("%v", err)
	}
	if checks, err := a.(framework.Rechecker).Recheck(); checks != nil || err != nil {
		t.Errorf("%v, %v", checks, err)
	}
}

// several is a version that copies each of its inputs to an answer.
type several struct {
	framework.GPURun
	in       [][]byte
	from, to []gpu.Pointer
}

func (v *several) PreRun() error {
	for _, in := range v.in {
		from, err := framework.AllocInput(&v.GPURun, in)
		if err != nil {
			return err
		}
		to, err := v.AllocFilled(0, int64(len(in)))
		if err != nil {
			return err
		}
		v.Output(to, int64(len(in)))
		v.from, v.to = append(v.from, from), append(v.to, to)
	}
	return nil
}

func (v *several) Run() error {
	for i, in := range v.in {
		if err := v.Device.CopyAsync(v.to[i], v.from[i], int64(len(in)), v.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

func (v *several) Verify() (checks []framework.Check, err error) {
	for i, in := range v.in {
		got := make([]byte, len(in))
		err = errors.Join(err, gpu.Download(v.Device, got, v.to[i]))
		checks = append(checks, framework.Check{Metric: "differs", Error: map[bool]float64{false: 1}[bytes.Equal(got, in)]})
	}
	return checks, err
}

func (v *several) Work() framework.Work { return framework.Work{} }

// TestSeveralArrays: each arrives, whatever its size; they begin apart, in no more memory
// than that needs. Answers that did not arrive are seen each by itself.
func TestSeveralArrays(t *testing.T) {
	s, g := open(t)
	version := &several{GPURun: framework.GPURun{Env: framework.Env{Device: g}}}
	for i, n := range []int{1, apart - 1, apart, apart + 1, 2 * apart} {
		version.in = append(version.in, bytes.Repeat([]byte{byte('a' + i)}, n))
	}
	a, err := New(version, Options{Device: g, Pinned: true})
	if err == nil {
		err = a.PreRun()
	}
	if err != nil {
		t.Fatal(err)
	}
	pieces := a.(*Algorithm)
	for _, list := range [][]piece{pieces.in, pieces.out} {
		at := int64(0)
		first := uintptr(unsafe.Pointer(&list[0].host[0]))
		for i, want := range []int64{0, 1, 2, 3, 5} {
			if at = int64(uintptr(unsafe.Pointer(&list[i].host[0])) - first); at != want*apart {
				t.Errorf("array %d lies %d bytes after the first, want %d", i, at, want*apart)
			}
		}
	}
	verdicts := func() (text string) {
		checks, err := a.Verify()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			text += map[bool]string{true: "+", false: "-"}[c.OK()]
		}
		return text
	}
	if err := a.Run(); err != nil || verdicts() != "+++++" {
		t.Errorf("%v, %s", err, verdicts())
	}
	pieces.out[3].host[apart] = 0 // as if it had not come
	if got := verdicts(); got != "+++-+" {
		t.Errorf("%s; the fourth did not arrive whole", got)
	}
	s.Fail("cuMemcpyHtoD", 1)
	if _, err := a.Verify(); err == nil || !strings.Contains(err.Error(), "cuMemcpyHtoD") {
		t.Errorf("%v", err)
	}
	s.Fail("", 0)
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
	// The stub gives as much as is asked for.
	s.Fail("cuMemHostAlloc", 2)
	if err := a.PreRun(); err == nil || !strings.Contains(err.Error(), "allocate 1792 bytes") {
		t.Errorf("%v, want 7 times 256 bytes", err)
	}
	s.Fail("", 0)
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
}

// TestFailedWait is a failed run.
func TestFailedWait(t *testing.T) {
	s, g := open(t)
	a, err := New(&copies{GPURun: framework.GPURun{Env: framework.Env{Device: g}}, in: input}, Options{Device: g})
	if err == nil {
		err = a.PreRun()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Fail("cuStreamSynchronize", 700)
	if err := a.Run(); err == nil || !strings.Contains(err.Error(), "cuStreamSynchronize") {
		t.Errorf("%v", err)
	}
	s.Fail("", 0)
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
}

// TestInPlace: of mapped and managed memory nothing is copied; the host writes inputs
// before each run and reads the answer where it lies.
func TestInPlace(t *testing.T) {
	s, g := open(t)
	for _, kind := range []gpu.Memory{gpu.MappedMemory, gpu.ManagedMemory} {
		d := g.Placed(kind)
		version := &copies{GPURun: framework.GPURun{Env: framework.Env{Device: d}}, in: bytes.Repeat(input[:16], 2*pageBytes/16), changes: true}
		a, err := New(version, Options{Device: d, Memory: kind})
		if err == nil {
			err = a.PreRun()
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := a.(framework.Resetter).Reset(); err != nil {
				t.Fatal(err)
			}
			calls := s.Trace(func() { err = a.Run() })
			if want := []string{"cuMemcpyDtoDAsync", "cuMemsetD8Async", "cuStreamSynchronize"}; err != nil || !slices.Equal(calls, want) {
				t.Errorf("%s: %v, %q", kind, err, calls)
			}
			right(t, a)
		}
		if w := a.Work(); w.CopiedIn != 0 || w.CopiedOut != 0 {
			t.Errorf("%s: %+v", kind, w)
		}
		if err := a.PostRun(); err != nil {
			t.Error(err)
		}
	}
}

// TestRefusals say what would be right.
func TestRefusals(t *testing.T) {
	s, g := open(t)
	version := func() *copies {
		return &copies{GPURun: framework.GPURun{Env: framework.Env{Device: g}}, in: input}
	}
	a, err := New(version(), Options{Device: g, Pinned: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Fail("cuMemHostAlloc", 2)
	used := s.Get("used_bytes")
	err = a.PreRun()
	if want := "inputs in the host's memory: allocate 256 bytes of page-locked memory: cuMemHostAlloc"; err == nil || !strings.HasPrefix(err.Error(), want) ||
		!strings.HasSuffix(err.Error(), "; host pageable, or a smaller problem, needs none that is page-locked") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	if err := a.PostRun(); err != nil || s.Get("used_bytes") != used {
		t.Errorf("%v, %d bytes left", err, s.Get("used_bytes")-used)
	}
	s.Fail("", 0)
	silent := version()
	silent.silent = true
	if a, err = New(silent, Options{Device: g}); err != nil {
		t.Fatal(err)
	}
	if err := a.PreRun(); err == nil || !strings.Contains(err.Error(), "1 inputs and 0 outputs that are copied: timed must be kernel") {
		t.Errorf("%v", err)
	}
	if err := a.PostRun(); err != nil {
		t.Error(err)
	}
	if _, err := New(struct{ framework.GPUAlgorithm }{version()}, Options{Device: g}); err == nil || !strings.Contains(err.Error(), "timed must be kernel") {
		t.Errorf("%v", err)
	}
}
