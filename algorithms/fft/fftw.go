package fft

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
)

func fftwVersion() framework.Version {
	return framework.Version{
		Name:      "fftw",
		Doc:       "FFTW 3, plans by FFTW_MEASURE, out of place, its own threads",
		Source:    "Frigo and Johnson, The Design and Implementation of FFTW3 (2005); FFTW 3.3 manual",
		Processor: framework.CPU,
		HostBytes: hostBytesCPU,
		Peer:      true,
		Available: func() error {
			for _, double := range []bool{false, true} {
				if err := fftwLibrary(double).Available(); err != nil {
					return err
				}
			}
			return nil
		},
		New: newCPU(prepareFFTW[complex64], prepareFFTW[complex128]),
	}
}

// fftw is one precision of the library, as its manual's chapters "FFTW
// Reference" and "Multi-threaded FFTW" declare it. The planner is not thread
// safe; plans belong to one Run at a time.
type fftw struct {
	library         *dynlib.Library
	prefix          string              // of this precision's functions
	initThreads     func() int32        `symbol:"fftw_init_threads"`
	planWithThreads func(threads int32) `symbol:"fftw_plan_with_nthreads"`
	planMany        func(rank int32, n *int32, howMany int32, in unsafe.Pointer, inEmbed *int32, inStride, inDist int32,
		out unsafe.Pointer, outEmbed *int32, outStride, outDist int32, sign int32, flags uint32) uintptr `symbol:"fftw_plan_many_dft"`
	execute    func(plan uintptr, in, out unsafe.Pointer) `symbol:"fftw_execute_dft"`
	destroy    func(plan uintptr)                         `symbol:"fftw_destroy_plan"`
	printPlan  func(plan uintptr) *byte                   `symbol:"fftw_sprint_plan"`
	freeString func(s *byte)                              `symbol:"free"`
}

// Arguments of fftw_plan_many_dft, from fftw3.h.
const (
	fftwForward  = -1
	fftwBackward = +1
	fftwMeasure  = 0
	// fftwAlignment is at least what any of FFTW's codelets asks for.
	fftwAlignment = 64
)

var (
	fftwSingle = fftwPeer("fftw_", "fftwf_", "libfftw3f_threads.so.3", "libfftw3f_omp.so.3")
	fftwDouble = fftwPeer("fftw_", "fftw_", "libfftw3_threads.so.3", "libfftw3_omp.so.3")
	planner    sync.Mutex
)

func fftwLibrary(double bool) *dynlib.Peer[fftw] {
	if double {
		return fftwDouble
	}
	return fftwSingle
}

// fftwPeer loads one of the threads libraries, which brings the library proper
// with it.
func fftwPeer(prefix, by string, files ...string) *dynlib.Peer[fftw] {
	const install = "`apt-get install libfftw3-single3 libfftw3-double3`"
	return &dynlib.Peer[fftw]{
		Name: "FFTW", Files: files, Replace: []string{prefix, by},
		Install: "install its single and double precision libraries, for example with " + install,
		Release: "want version 3.3.4 or newer, for example by " + install,
		Start: func(f *fftw) error {
			f.prefix = by
			if f.initThreads() == 0 {
				return fmt.Errorf("%s: %sinit_threads failed", f.library.Name, by)
			}
			return nil
		},
	}
}

// fftwTransformer is one plan.
type fftwTransformer[T element] struct {
	lib  *fftw
	plan uintptr
}

func prepareFFTW[T element](p *problem, env framework.Env, _ framework.Values) (transformer[T], error) {
	lib, err := fftwLibrary(p.Double).Functions()
	if err != nil {
		return nil, err
	}
	return planFFTW[T](lib, p, env)
}

func planFFTW[T element](lib *fftw, p *problem, env framework.Env) (transformer[T], error) {
	if p.Batch > math.MaxInt32 {
		return nil, fmt.Errorf("fftw: batch of %d transforms; at most %d", p.Batch, math.MaxInt32)
	}
	// Planning writes to both arrays; a plan serves other arrays of the same
	// alignment (manual, "New-array Execute Functions").
	in, out := make([]T, p.elements()), make([]T, p.elements())
	sign := int32(fftwForward)
	if p.Inverse {
		sign = fftwBackward
	}
	if !aligned(in) || !aligned(out) {
		return nil, fmt.Errorf("fftw: scratch arrays are not aligned to %d bytes", fftwAlignment)
	}
	n := int32(p.N)
	planner.Lock()
	defer planner.Unlock()
	lib.planWithThreads(int32(max(1, env.Workers)))
	plan := lib.planMany(1, &n, int32(p.Batch), unsafe.Pointer(&in[0]), nil, 1, n,
		unsafe.Pointer(&out[0]), nil, 1, n, sign, fftwMeasure)
	runtime.KeepAlive(in)
	runtime.KeepAlive(out)
	if plan == 0 {
		return nil, fmt.Errorf("%splan_many_dft: no plan for N = %d, batch = %d", lib.prefix, p.N, p.Batch)
	}
	env.Remark("fftw: %s", fftwThreads(lib, plan, env.Workers))
	return &fftwTransformer[T]{lib, plan}, nil
}

// threadsNode is a node of a printed plan that spreads work over threads.
var threadsNode = lazy.Regexp(`thr[-\w>=]*-x(\d+)`)

// fftwThreads says how many of the allowed threads the plan uses: the planner
// takes one where more are not faster.
func fftwThreads(lib *fftw, plan uintptr, allowed int) string {
	s := lib.printPlan(plan)
	if s == nil {
		return lib.prefix + "sprint_plan prints nothing: how many threads the plan uses is not known"
	}
	text := dynlib.String(s)
	lib.freeString(s)
	used := "1"
	if m := threadsNode().FindStringSubmatch(text); m != nil {
		used = m[1]
	}
	head, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return fmt.Sprintf("plan uses %s of %s: %s", used, terminal.Count(max(1, allowed), "thread"), head)
}

func (f *fftwTransformer[T]) run(out, in []T) error {
	if !aligned(out) || !aligned(in) {
		return fmt.Errorf("fftw: arrays at %p and %p are not aligned to %d bytes as the plan's are", in, out, fftwAlignment)
	}
	f.lib.execute(f.plan, unsafe.Pointer(&in[0]), unsafe.Pointer(&out[0]))
	return nil
}

func aligned[T element](x []T) bool { return uintptr(unsafe.Pointer(&x[0]))%fftwAlignment == 0 }

// work is unknown: the codelets are FFTW's.
func (f *fftwTransformer[T]) Work() framework.Work { return framework.Work{} }

func (f *fftwTransformer[T]) Close() error {
	planner.Lock()
	defer planner.Unlock()
	f.lib.destroy(f.plan)
	return nil
}
