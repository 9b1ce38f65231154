package fft

import (
	"errors"
	"fmt"

	"bench/cuda"
	"bench/framework"
)

// gpuVersions lists the versions that run on a GPU.
func gpuVersions() []framework.Version {
	return []framework.Version{stockhamGPU(), cufft()}
}

func powers(from, to int64) []int64 {
	var v []int64
	for ; from <= to; from *= 2 {
		v = append(v, from)
	}
	return v
}

func stockhamGPU() framework.Version {
	return framework.Version{
		Name: "stockham",
		Doc:  "autosort FFT: one kernel where a transform fits in shared memory, else as few as possible",
		Source: "Tuning methodologies for parallel prefix operations on GPU-embedded systems; " +
			"Van Loan, Computational Frameworks for the Fast Fourier Transform (1992), section 1.7",
		Processor: framework.GPU,
		Tunables: []framework.Tunable{
			{Name: "S", Doc: "elements in shared memory a block", Values: powers(64, 1<<14)},
			{Name: "P", Doc: "elements a thread", Values: powers(2, 32)},
			{Name: "L", Doc: "threads a block", Values: powers(32, 1024)},
			{Name: "r", Doc: "radix of a step; the last step of a pass is smaller where it does not divide", Values: powers(2, 32)},
			{Name: "SPLIT", Doc: "1: exchange real and imaginary parts in turn, in half the shared memory", Values: []int64{0, 1}},
			{Name: "B", Doc: "blocks that a multiprocessor shall have registers for, at least", Values: powers(1, 16)},
		},
		Defaults:    stockhamDefaults,
		Valid:       stockhamValid,
		DeviceBytes: stockhamDeviceBytes,
		New: func(env framework.Env, p framework.Problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
			q, ok := p.(*problem)
			if !ok {
				return nil, fmt.Errorf("stockham: problem is %T, not this package's", p)
			}
			return newStockham(env, q, tunables)
		},
	}
}

func tunables(s, p, l, r, split, b int64) framework.Values {
	return framework.Values{
		"S": framework.IntValue(s), "P": framework.IntValue(p), "L": framework.IntValue(l),
		"r": framework.IntValue(r), "SPLIT": framework.IntValue(split), "B": framework.IntValue(b),
	}
}

// stockhamDefaults are the literature's analytical values where a block has
// no more shared memory than a Jetson's 48 KiB, and measured ones
// (docs/fft-gpu.md) elsewhere.
func stockhamDefaults(params framework.Values, facts cuda.Facts) framework.Values {
	n := params.Int("N")
	double := params.Text("precision") == "f64"
	if embedded(facts) {
		switch {
		case n <= 256:
			return tunables(256, 4, 64, 4, 1, 1)
		case n <= 2048:
			return tunables(n, 4, n/4, 4, 1, 1)
		case n <= 4096 && !double:
			return tunables(n, 8, n/8, 8, 1, 1)
		}
		return tunables(2048, 8, 256, 8, 1, 1)
	}
	switch {
	case double && n <= 4096:
		return tunables(max(n, 512), 8, max(n, 512)/8, 8, 1, 1)
	case double:
		return tunables(4096, 8, 512, 8, 1, 1)
	case n <= 512:
		return tunables(512, 8, 64, 8, 0, 16)
	case n <= 4096:
		return tunables(n, 16, n/16, 16, 1, 16384/n)
	case n <= 8192:
		return tunables(n, 32, n/32, 32, 1, 2)
	case n <= 16384:
		return tunables(n, 32, n/32, 32, 1, 1)
	case n <= 1<<18:
		return tunables(8192, 16, 512, 16, 0, 2)
	case n <= 1<<21:
		return tunables(16384, 32, 512, 32, 1, 1)
	}
	return tunables(16384, 16, 1024, 16, 1, 1)
}

func embedded(f cuda.Facts) bool { return f.Integrated || f.SharedOptIn <= 48<<10 }

func passesOf(n int, double bool, v framework.Values) ([]pass, error) {
	s, p, l, r := int(v.Int("S")), int(v.Int("P")), int(v.Int("L")), int(v.Int("r"))
	for _, x := range []struct {
		name  string
		value int
	}{{"S", s}, {"P", p}, {"L", l}, {"r", r}} {
		if x.value < 1 || x.value&(x.value-1) != 0 {
			return nil, fmt.Errorf("%s = %d is no power of two", x.name, x.value)
		}
	}
	switch {
	case s != p*l:
		return nil, fmt.Errorf("S = %d is not P·L = %d", s, p*l)
	case r < 2 || r > 32:
		return nil, fmt.Errorf("r = %d is not 2, 4, 8, 16 or 32", r)
	case v.Int("B") < 1:
		return nil, fmt.Errorf("B = %d: want at least 1", v.Int("B"))
	case r > p:
		return nil, fmt.Errorf("r = %d exceeds P = %d: a thread holds the points of its butterfly", r, p)
	}
	return planPasses(n, s, tile{points: p, radix: r, split: v.Int("SPLIT") != 0, double: double, minBlocks: int(v.Int("B"))})
}

func stockhamValid(params, v framework.Values, facts cuda.Facts) error {
	double := params.Text("precision") == "f64"
	passes, err := passesOf(int(params.Int("N")), double, v)
	if err != nil {
		return err
	}
	l := int(v.Int("L"))
	if warp := max(facts.WarpSize, 1); l%warp != 0 {
		return fmt.Errorf("L = %d is no multiple of the warp's %d threads", l, warp)
	}
	if l > facts.MaxThreadsBlock {
		return fmt.Errorf("L = %d exceeds the device's %d threads a block", l, facts.MaxThreadsBlock)
	}
	// A thread's elements, their twiddle factors' powers and addresses.
	registers := int(v.Int("P"))*2 + 16
	if double {
		registers = int(v.Int("P"))*4 + 24
	}
	if registers > 255 {
		return fmt.Errorf("P = %d needs more than a thread's 255 registers", v.Int("P"))
	}
	if facts.RegistersBlock > 0 && l*registers > facts.RegistersBlock {
		return fmt.Errorf("P = %d and L = %d need about %d registers a block, the device has %d",
			v.Int("P"), l, l*registers, facts.RegistersBlock)
	}
	for _, p := range passes {
		if b := p.sharedBytes(); b > facts.SharedOptIn {
			return fmt.Errorf("S = %d needs %d bytes of shared memory a block, the device allows %d", v.Int("S"), b, facts.SharedOptIn)
		}
	}
	return nil
}

func stockhamDeviceBytes(params, v framework.Values) int64 {
	element := int64(8)
	if params.Text("precision") == "f64" {
		element = 16
	}
	passes, err := passesOf(int(params.Int("N")), element == 16, v)
	if err != nil {
		return 0
	}
	buffers := int64(2)
	if len(passes) > 1 {
		buffers = 3
	}
	total := buffers * element * params.Int("batch_elements")
	for _, p := range passes {
		total += element * int64(len(p.stepTable())+len(p.turnTable()))
	}
	return total
}

// GPUSources are the kernels that version stockham compiles by default for
// these parameters on a device of these facts.
func GPUSources(params framework.Values, facts cuda.Facts) ([]cuda.Source, error) {
	v := stockhamDefaults(params, facts)
	if err := stockhamValid(params, v, facts); err != nil {
		return nil, err
	}
	passes, err := passesOf(int(params.Int("N")), params.Text("precision") == "f64", v)
	if err != nil {
		return nil, err
	}
	var sources []cuda.Source
	for _, p := range passes {
		sources = append(sources, p.source(params.Text("direction") == "inverse"))
	}
	return sources, nil
}

// stockham is version "stockham" at one point.
type stockham struct {
	env    framework.Env
	p      *problem
	passes []pass

	memory           arena
	in, out, scratch cuda.Pointer
	forward          direction
	backward         direction // for the round trip; compiled when first verified
}

// direction is the compiled passes of one sign of the exponent.
type direction struct{ launches []launch }

type launch struct {
	module       cuda.Module
	kernel       cuda.Kernel
	shape        cuda.Launch
	steps, turns cuda.Pointer
	columns      int64
}

// run enqueues the passes from in to out; scratch holds what lies between.
func (d *direction) run(s cuda.Stream, in, out, scratch cuda.Pointer) error {
	from := in
	for i, l := range d.launches {
		to := out
		if (len(d.launches)-i)%2 == 0 {
			to = scratch
		}
		if err := l.kernel.Launch(s, l.shape, from, to, l.steps, l.turns, l.columns); err != nil {
			return fmt.Errorf("pass %d: %w", i+1, err)
		}
		from = to
	}
	return nil
}

func (d *direction) unload() error {
	var errs []error
	for _, l := range d.launches {
		errs = append(errs, l.module.Unload())
	}
	d.launches = nil
	return errors.Join(errs...)
}

func (s *stockham) compile(inverse bool) (direction, error) {
	var d direction
	for _, p := range s.passes {
		source := p.source(inverse)
		module, err := s.env.Device.Compile(source)
		if err != nil {
			return d, err
		}
		l := launch{module: module, columns: int64(s.p.Batch) * int64(p.stride)}
		d.launches = append(d.launches, l)
		last := &d.launches[len(d.launches)-1]
		if last.kernel, err = module.Kernel(source.Kernels[0]); err != nil {
			return d, err
		}
		last.shape = cuda.Launch{
			Grid:        cuda.Dim3{X: p.blocks(s.p.Batch)},
			Block:       cuda.Dim3{X: p.threads()},
			SharedBytes: p.sharedBytes(),
		}
		if last.steps, err = s.memory.table(p.stepTable(), p.double); err != nil {
			return d, err
		}
		if last.turns, err = s.memory.table(p.turnTable(), p.double); err != nil {
			return d, err
		}
	}
	return d, nil
}

func newStockham(env framework.Env, q *problem, v framework.Values) (*stockham, error) {
	passes, err := passesOf(q.N, q.Double, v)
	if err != nil {
		return nil, err
	}
	return &stockham{env: env, p: q, passes: passes, memory: arena{device: env.Device}}, nil
}

func (s *stockham) PreRun() error {
	bytes := int64(s.p.elements()) * s.p.elementBytes()
	var err error
	for _, p := range []*cuda.Pointer{&s.in, &s.out, &s.scratch} {
		if p == &s.scratch && len(s.passes) == 1 {
			break
		}
		if *p, err = s.memory.alloc(bytes); err != nil {
			return err
		}
	}
	if err := upload(s.env.Device, s.p, s.in); err != nil {
		return err
	}
	s.forward, err = s.compile(s.p.Inverse)
	return err
}

func (s *stockham) Run() error { return s.forward.run(s.env.Stream, s.in, s.out, s.scratch) }

func (s *stockham) Stream() cuda.Stream { return s.env.Stream }

func (s *stockham) Verify() ([]framework.Check, error) {
	return verifyDevice(s.env, s.p, s.in, s.out, func() error {
		if s.backward.launches == nil {
			var err error
			if s.backward, err = s.compile(!s.p.Inverse); err != nil {
				return err
			}
		}
		return s.backward.run(s.env.Stream, s.out, s.in, s.scratch)
	})
}

func (s *stockham) PostRun() error {
	return errors.Join(s.forward.unload(), s.backward.unload(), s.memory.free())
}

func (s *stockham) Work() framework.Work {
	w := s.p.nominal()
	for _, p := range s.passes {
		x := p.work(s.p.Batch)
		w.FLOPs += x.FLOPs
		w.LoadBytes += x.LoadBytes
		w.StoreBytes += x.StoreBytes
	}
	return w
}
