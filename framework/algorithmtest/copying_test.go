package algorithmtest

import (
	"errors"
	"math/rand/v2"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// numbers is a problem whose answer is a copy of its input.
type numbers struct {
	in     []float32
	spoilt bool // its answers
}

func (p *numbers) Close() { p.in = nil }

// copying is an algorithm that breaks the property that fault names.
func copying(fault string) *framework.Factory {
	n := func(p framework.Values) int64 { return p.Int("N") }
	work := func(p *numbers) framework.Work {
		w := framework.Work{Items: 1, NominalBytes: 8 * int64(len(p.in))}
		switch fault {
		case "no items":
			w.Items = 0
		case "more than is copied":
			w.NominalBytes++
		}
		return w
	}
	f := &framework.Factory{
		Name: "copying", Items: "numbers",
		Params: []framework.Param{{Name: "N", Default: framework.IntValue(8), Min: 1, Max: 1 << 20},
			{Name: "up", Default: framework.IntValue(1), Max: 5}, {Name: "down", Default: framework.IntValue(-1), Min: -5}, {Name: "any", Default: framework.IntValue(7)},
			{Name: "scale", Kind: framework.Float, Default: framework.FloatValue(1), Min: 0.5, Max: 2}, {Name: "word", Kind: framework.Text, Default: framework.TextValue("a"), Min: 1}},
		Check: func(p framework.Values) error {
			if p["scale"].Kind() != framework.Float || p["word"].Kind() != framework.Text || p.Int("any") != 7 {
				panic("a value that the parameter does not take")
			}
			if fault == "panics at the highest" && p.Int("up") == 5 || fault == "panics at the lowest" && p.Int("down") == -5 {
				panic(fault)
			}
			if n(p) > 1<<10 {
				return errors.New("too many")
			}
			return nil
		},
		NewProblem: func(env framework.Env, p framework.Values) (framework.Problem, error) {
			if n(p) > 1<<10 && fault != "no panic at limits" {
				return nil, errors.New("too many")
			}
			q := &numbers{make([]float32, n(p)), fault == "right answers to all kinds of inputs" && framework.InputsOf(p) == framework.TinyInputs}
			for i := range q.in {
				q.in[i] = float32(env.Seed) + float32(i)
				if fault == "same seed, same inputs" {
					q.in[i] = rand.Float32()
				}
			}
			return q, nil
		},
		Inputs: framework.OnlyInputs("", framework.InputKinds()...),
		Verification: func(string) []framework.Values {
			if fault == "problems" {
				return nil
			}
			return []framework.Values{framework.IntValues("N", 1), framework.IntValues("N", 100)}
		},
		HostBytes: func(p framework.Values) int64 {
			switch fault {
			case "HostBytes":
				return 4*n(p) - structureBytes - 1
			case "HostBytes at its bound":
				return 4*n(p) - structureBytes
			}
			return 4 * n(p)
		},
	}
	tuned := framework.Version{
		Tunables: []framework.Tunable{{Name: "L", Values: []int64{1, 2}}},
		Defaults: func(framework.Values, gpu.Facts) framework.Values {
			return framework.IntValues("L", map[bool]int{false: 1, true: -1}[fault == "defaults are valid"])
		},
		Valid: func(_, v framework.Values, _ gpu.Facts) error {
			if v.Int("L") < 0 && fault != "refuses bad tunables" {
				return errors.New("negative")
			}
			return nil
		},
		DeviceBytes: func(p, _ framework.Values) int64 {
			switch {
			case fault == "DeviceBytes":
				return 8*n(p) - 1
			case fault == "panics in DeviceBytes" && p.Int("up") == 5:
				panic(fault)
			}
			return 8 * n(p)
		},
	}
	tuned.Supports = func(p framework.Values, _ gpu.Facts) error {
		if p.Int("up") == 3 {
			return errors.New("three")
		}
		return nil
	}
	cpu, gpu := tuned, tuned
	cpu.Name, cpu.Processor = "cpu", framework.CPU
	if fault == "two workers" || fault == "one thread" {
		cpu.Doc = "copies by one thread"
	}
	cpu.New = framework.Typed(func(env framework.Env, p *numbers, _ framework.Values) (*onCPU, error) {
		return &onCPU{env: env, p: p, fault: fault, work: work(p)}, nil
	})
	if fault == "refuses other problems" {
		cpu.New = func(env framework.Env, _ framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			return &onCPU{env: env}, nil
		}
	}
	gpu.Name, gpu.Processor = "gpu", framework.GPU
	gpu.New = framework.Typed(func(env framework.Env, p *numbers, _ framework.Values) (*onGPU, error) {
		w := work(p)
		if fault == "another processor's counts" {
			w.NominalBytes++
		}
		return &onGPU{GPURun: framework.GPURun{Env: env}, p: p, fault: fault, work: w}, nil
	})
	second := cpu
	second.Name = "second"
	second.New = framework.Typed(func(env framework.Env, p *numbers, _ framework.Values) (inPlace, error) {
		w := work(p)
		if fault == "counts" {
			w.NominalBytes++
		}
		return inPlace{&onCPU{env: env, p: p, work: w, fault: fault}}, nil
	})
	f.Versions = []framework.Version{cpu, gpu, second}
	switch fault {
	case "GPU first":
		f.Versions = []framework.Version{gpu, cpu, second}
	case "no items":
		f.Items = ""
	}
	return f
}

var shared []float32 // by instances that are not apart

type onCPU struct {
	env   framework.Env
	p     *numbers
	fault string
	work  framework.Work
	out   []float32
	runs  int
	end   chan struct{}
}

func (a *onCPU) PreRun() error {
	a.out = make([]float32, len(a.p.in))
	if a.fault == "instances are apart" {
		shared = a.out
	}
	a.end = make(chan struct{})
	go func() { <-a.end }()
	return nil
}

func (a *onCPU) Run() error {
	a.runs++
	out := a.out
	if a.fault == "instances are apart" {
		out = shared
	}
	copy(out, a.p.in)
	switch {
	case a.fault == "right answers", a.p.spoilt, a.fault == "right once" && a.runs > 1, a.fault == "wrong by one thread" && a.env.Workers == 1,
		a.fault == "wrong by three threads" && a.env.Workers == 3:
		out[0]++
	case a.fault == "inputs stay":
		a.p.in[0]++
		out[0]++
	}
	return nil
}

func (a *onCPU) Verify() ([]framework.Check, error) {
	return []framework.Check{{Metric: "differs", Error: map[bool]float64{true: 0, false: 1}[slices.Equal(a.out, a.p.in)]}}, nil
}

func (a *onCPU) PostRun() error {
	if a.fault != "PostRun frees" {
		close(a.end)
	}
	return nil
}

func (a *onCPU) Workers() int {
	switch a.fault {
	case "two workers":
		return 2
	case "as many as given":
		return a.env.Workers
	}
	return 1
}

func (a *onCPU) Work() framework.Work { return a.work }

// inPlace adds to what is restored before each run.
type inPlace struct{ *onCPU }

func (a inPlace) PreRun() error { return errors.Join(a.onCPU.PreRun(), a.Reset()) }

func (a inPlace) Reset() error {
	if a.fault != "Reset restores" || a.runs == 0 {
		clear(a.out)
	}
	return nil
}

func (a inPlace) Run() error {
	a.runs++
	for i, x := range a.p.in {
		a.out[i] += x
	}
	return nil
}

type onGPU struct {
	framework.GPURun
	runs    int
	p       *numbers
	fault   string
	work    framework.Work
	in, out gpu.Pointer
}

func (a *onGPU) PreRun() (err error) {
	a.in, err = framework.AllocInput(&a.GPURun, a.p.in)
	if err != nil && (a.in == 0 || a.fault != "an upload's error") {
		return err
	}
	a.out, err = a.Alloc(gpu.SizeOf(a.p.in))
	switch a.fault {
	case "half an answer":
		a.Output(a.out, gpu.SizeOf(a.p.in)/2)
	case "input to answer":
	default:
		a.Output(a.out, gpu.SizeOf(a.p.in))
	}
	if a.fault == "PreRun's error" {
		return nil
	}
	return err
}

func (a *onGPU) Run() error {
	if a.runs++; a.runs > 1 && a.fault == "one run for all" {
		return nil
	}
	return a.Device.CopyAsync(a.out, a.in, gpu.SizeOf(a.p.in), a.Env.Stream)
}

func (a *onGPU) Verify() ([]framework.Check, error) {
	got := make([]float32, len(a.p.in))
	if err := gpu.Download(a.Device, got, a.out); err != nil {
		return nil, err
	}
	return []framework.Check{{Metric: "differs", Error: map[bool]float64{true: 0, false: 1}[slices.Equal(got, a.p.in)]}}, nil
}

// Answers are those of another input where that is the fault.
func (a *onGPU) Answers() ([]framework.Answer, error) {
	got := make([]float32, len(a.p.in))
	if err := gpu.Download(a.Device, got, a.out); err != nil {
		return nil, err
	}
	want := slices.Clone(a.p.in)
	if a.fault == "answers are shown" {
		want[len(want)-1]++
	}
	return []framework.Answer{{Name: "out", Shape: []int64{int64(len(got))}, Got: framework.ArrayOf(got), Want: framework.ArrayOf(want)}}, nil
}

// VerifyFast is Verify where nothing is wrong with it.
func (a *onGPU) VerifyFast() ([]framework.Check, error) {
	switch a.fault {
	case "a fast check of nothing":
		return []framework.Check{{Metric: "nothing"}}, nil
	case "a fast check that refuses all":
		return []framework.Check{{Metric: "all", Error: 1}}, nil
	case "a fast check that fails":
		return nil, errors.New("out of luck")
	case "no fast check":
		return nil, framework.ErrNoFastCheck
	}
	return a.Verify()
}

func (a *onGPU) PostRun() error {
	if a.fault == "PostRun frees after half a PreRun" && a.out == 0 || a.fault == "memory is left" {
		return nil
	}
	return a.GPURun.PostRun()
}

func (a *onGPU) Work() framework.Work { return a.work }

// Every fault is found, as the property that it breaks, and nothing else is.
