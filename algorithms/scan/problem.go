package scan

import (
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
	"example.org/bench/gpu"
	"example.org/bench/internal/pages"
)

// element is a type that is summed.
type element interface{ float32 | float64 | int32 }

// shape is the part of a problem that versions depend on, without the inputs.
type shape struct {
	N, Batch  int
	Exclusive bool
	Type      string
	Bytes     int64 // of an element
	Inputs    framework.Inputs
}

func shapeOf(p framework.Values) shape {
	n := max(1, p.Int("N"))
	return shape{
		N: int(n), Batch: int(p.Int("batch_elements") / n),
		Exclusive: p.Text("mode") == "exclusive",
		Type:      p.Text("type"), Bytes: typeBytes(p), Inputs: framework.InputsOf(p),
	}
}

// elements returns the number of elements of all sequences together.
func (s shape) elements() int { return s.N * s.Batch }

// bytes returns the size of all sequences together.
func (s shape) bytes() int64 { return int64(s.elements()) * s.Bytes }

// Nominal returns the Work by the problem's definition, which is the same for every version.
func (s shape) Nominal() framework.Work {
	return framework.Work{
		NominalFLOPs: int64(s.N-1) * int64(s.Batch),
		NominalBytes: 2 * s.bytes(),
		Items:        int64(s.elements()),
	}
}

// input is a problem of any type, as a GPU version needs it.
type input interface {
	framework.Problem
	form() shape
	Nominal() framework.Work
	upload(d gpu.Device, to gpu.Pointer) error
	transfer(r *framework.GPURun, in, out gpu.Pointer)
	// verifyDevice compares a version's output with the reference answer. chain is the number of roundings on
	// the longest way from an input to an output.
	verifyDevice(d gpu.Device, out gpu.Pointer, chain float64) ([]framework.Check, error)
	// answersOn returns that output with the right one.
	answersOn(d gpu.Device, out gpu.Pointer, chain float64) ([]framework.Answer, error)
}

// problem is the input of one sweep point. Every check computes the reference answer anew while it compares.
type problem[T element] struct {
	shape
	in   []T
	free func()
}

func newProblem(env framework.Env, p framework.Values) (framework.Problem, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	s := shapeOf(p)
	switch s.Type {
	case "f32":
		return makeProblem(s, env.Seed, random32)
	case "f64":
		return makeProblem(s, env.Seed, random64)
	case "i32":
		return makeProblem(s, env.Seed, func(g *rand.PCG) int32 { return int32(g.Uint64() >> 32) })
	}
	return nil, fmt.Errorf("type %q: want f32, f64 or i32", s.Type)
}

func makeProblem[T element](s shape, seed uint64, draw func(*rand.PCG) T) (*problem[T], error) {
	in, free, err := pages.New[T](int64(s.elements()))
	if err != nil {
		return nil, err
	}
	inputs.Random(in, seed, draw)
	switch list := any(in).(type) {
	case []int32:
		inputs.MakeWhole(s.Inputs, list, s.N)
	case []float32:
		inputs.Make(s.Inputs, list, s.N, 1, seed)
	case []float64:
		inputs.Make(s.Inputs, list, s.N, 1, seed)
	}
	return &problem[T]{shape: s, in: in, free: free}, nil
}

// Close drops the memory.
func (p *problem[T]) Close() {
	if p.in != nil {
		p.free()
	}
	p.in = nil
}

func (p *problem[T]) form() shape { return p.shape }

func (p *problem[T]) upload(d gpu.Device, to gpu.Pointer) error { return gpu.Upload(d, to, p.in) }

// transfer declares what is copied in a run from input to answer.
func (p *problem[T]) transfer(r *framework.GPURun, in, out gpu.Pointer) {
	framework.Input(r, in, p.in)
	r.Output(out, p.bytes())
}

func (p *problem[T]) verifyDevice(d gpu.Device, out gpu.Pointer, chain float64) ([]framework.Check, error) {
	got, free, err := pages.New[T](int64(p.elements()))
	if err != nil {
		return nil, err
	}
	defer free()
	if err := gpu.Download(d, got, out); err != nil {
		return nil, err
	}
	return p.compare(got, chain), nil
}

// random32 returns a number uniform in ±[0.5, 1): with random signs, so that sums grow like the square root
// of their length, and never small, so that an element that is missing or counted twice shows (see compare).
func random32(g *rand.PCG) float32 {
	u := uint32(g.Uint64() >> 32)
	const half = 126 << 23 // the exponent of [0.5, 1)
	return math.Float32frombits(u&(1<<31) | half | u&(1<<23-1))
}

// random64 does the same in double precision.
func random64(g *rand.PCG) float64 {
	u := g.Uint64()
	const half = 1022 << 52
	return math.Float64frombits(u&(1<<63) | half | u&(1<<52-1))
}
