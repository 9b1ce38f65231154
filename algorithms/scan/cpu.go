package scan

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/pages"
)

// scanner computes all sequences of one problem, out of place.
type scanner[T element] interface {
	run(out, in []T)
	// chain is the number of roundings on the longest way from an input to an
	// output.
	chain() float64
	framework.Computation
}

// prepare makes a scanner.
type prepare[T element] func(p *problem[T], env framework.Env, tunables framework.Values) (scanner[T], error)

// cpuVersions lists the versions that run on the CPU.
func cpuVersions() []framework.Version {
	return []framework.Version{
		{
			Name:      "reference",
			Doc:       "one thread, one element after another; float32 is summed in double precision",
			Source:    "Blelloch, Prefix Sums and Their Applications (1990)",
			Processor: framework.CPU,
			New:       framework.OneThread(newCPU(prepareReference[float32, float64], prepareReference[float64, float64], prepareReference[int32, int32])),
		},
		{
			Name: "parallel",
			Doc:  "vectors scanned in registers (AVX-512, AVX2, NEON) or Go; long sequences in chunks whose sums are chained",
			Source: "Zhang, Wang and Ross, Parallel Prefix Sum with SIMD (2020); " +
				"Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back (2016)",
			Processor: framework.CPU,
			Tunables: []framework.Tunable{
				{Name: "CHUNK", Doc: "KiB of a sequence that are scanned at once", Values: framework.PowersOfTwo(16, 1024)},
				{Name: "PIECE", Doc: "KiB of whole sequences that a worker takes at once", Values: framework.PowersOfTwo(128, 8192)},
			},
			Defaults: func(framework.Values, gpu.Facts) framework.Values {
				return framework.IntValues("CHUNK", chunkKiB, "PIECE", pieceKiB)
			},
			New: newCPU(prepareParallel[float32, float64], prepareParallel[float64, float64], prepareParallel[int32, int32]),
		},
	}
}

// newCPU returns the constructor of a CPU version in the problem's type.
func newCPU(f32 prepare[float32], f64 prepare[float64], i32 prepare[int32]) func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
	return framework.Typed(func(env framework.Env, q input, v framework.Values) (framework.BaseAlgorithm, error) {
		switch p := q.(type) {
		case *problem[float32]:
			return newCPURun(env, p, v, f32), nil
		case *problem[float64]:
			return newCPURun(env, p, v, f64), nil
		}
		return newCPURun(env, q.(*problem[int32]), v, i32), nil
	})
}

// cpuRun is one CPU version at one point.
type cpuRun[T element] struct {
	framework.CPURun[*problem[T], scanner[T]]
	out  []T
	free func()
}

func newCPURun[T element](env framework.Env, p *problem[T], tunables framework.Values, f prepare[T]) *cpuRun[T] {
	prepare := func(p *problem[T], env framework.Env) (scanner[T], error) { return f(p, env, tunables) }
	return &cpuRun[T]{CPURun: framework.CPURun[*problem[T], scanner[T]]{Env: env, Problem: p, Prepare: prepare}}
}

func (a *cpuRun[T]) PreRun() (err error) {
	if a.out, a.free, err = pages.New[T](int64(a.Problem.elements())); err != nil {
		return err
	}
	return a.CPURun.PreRun()
}

func (a *cpuRun[T]) Run() error {
	a.Prepared.run(a.out, a.Problem.in)
	return nil
}

func (a *cpuRun[T]) Verify() ([]framework.Check, error) {
	return a.Problem.compare(a.out, a.Prepared.chain()), nil
}

func (a *cpuRun[T]) PostRun() error {
	if a.free != nil {
		a.free()
		a.out, a.free = nil, nil
	}
	return a.CPURun.PostRun()
}

// carry is a type in which sums of elements are carried: float64 for both floating-point types.
type carry interface{ float64 | int32 }

// sequential is version "reference".
type sequential[T element, A carry] struct{ shape }

func prepareReference[T element, A carry](p *problem[T], _ framework.Env, _ framework.Values) (scanner[T], error) {
	return sequential[T, A]{p.shape}, nil
}

func (s sequential[T, A]) run(out, in []T) {
	for i := 0; i < len(in); i += s.N {
		scanInto[T, A](out[i:i+s.N], in[i:i+s.N], 0, s.Exclusive)
	}
}

func (s sequential[T, A]) chain() float64 { return sequentialChain(s.Type, s.N) }

func (s sequential[T, A]) Work() framework.Work {
	return framework.Work{FLOPs: int64(s.elements()), LoadBytes: s.bytes(), StoreBytes: s.bytes()}
}

func (s sequential[T, A]) Close() error { return nil }

// sequentialChain returns the chain of scanInto: one rounding for float32, and n in double precision.
func sequentialChain(kind string, n int) float64 {
	if kind == "f32" {
		return 1 + float64(n)*roundoff64/roundoff32
	}
	return float64(n)
}

// scanInto scans in on top of base and returns base plus the sum of in.
func scanInto[T element, A carry](out, in []T, base A, exclusive bool) A {
	out = out[:len(in)]
	if exclusive {
		for i, x := range in {
			out[i] = T(base)
			base += A(x)
		}
		return base
	}
	for i, x := range in {
		base += A(x)
		out[i] = T(base)
	}
	return base
}
