package engine

import (
	"example.org/bench/framework"
	"example.org/bench/framework/answer"
	"example.org/bench/framework/graph"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver"
	"example.org/bench/gpu/opencl"
)

// release measures a version at a rate, and returns what runs at it. end, which is never nil, frees
// its resources.
func (w *worker) release(alg framework.BaseAlgorithm, p plan.Point, rate measure.Rate, workers int, res *record.Result) (sustain measure.Sustain, end func() error, err error) {
	end = func() error { return nil }
	r := &measure.Releaser{Workers: workers, Rate: rate, Measure: w.setup.Config.Measure, Root: machine.Tree(w.setup.Root)}
	r.Clocks = func() map[string]float64 { return w.clocks(p.Processor) }
	if a, ok := alg.(framework.GPUAlgorithm); ok {
		var release func() error
		if r.Job, release, err = measure.GPUJob(w.device, a, rate.Spin); err != nil {
			return nil, end, err
		}
		end = release
	} else {
		r.Job = measure.CPUJob(alg)
	}
	w.sensors(p.Processor) // opening them takes time and power
	w.phase(PhaseRate)
	if res.Rate, err = r.Series(); err != nil {
		return nil, end, err
	}
	return r.Sustain(res.Rate.Rate), end, nil
}

// placed returns the device with the kind of memory that a point asks for. The simulator's memory
// is always the host's.
func placed(d gpu.Device, p plan.Point) gpu.Device {
	g, real := d.(*driver.GPU)
	kind := gpu.Memory(p.Using().Text(framework.MemoryParam))
	if !real || kind == "" || kind == gpu.DeviceMemory {
		return d
	}
	return g.Placed(kind)
}

// answering returns the version from input to answer. Its end is waited for as the point asks, or
// by spinning if the point does not ask and runs are back to back.
func answering(alg framework.BaseAlgorithm, d gpu.Device, p plan.Point) (framework.BaseAlgorithm, error) {
	use := p.Using()
	o := answer.Options{Device: d, Memory: gpu.Memory(use.Text(framework.MemoryParam)), Pinned: use.Text(framework.HostParam) == framework.PinnedHost}
	waited := d
	if g := graph.Device(d); g != nil {
		waited = g
	}
	switch waited.(type) {
	case *driver.GPU, *opencl.Device:
		rate, paced := measure.RateOf(use)
		o.Wait = func(s gpu.Stream) (wait, end func() error, err error) {
			return measure.Waiter(waited, s, rate.Spin || !paced)
		}
	}
	return answer.New(alg, o)
}

// clocks returns the clocks of the machine and of the sensors, in Hz by name.
func (w *worker) clocks(p framework.Processor) map[string]float64 {
	all := map[string]float64{}
	for _, c := range machine.Tree(w.setup.Root).Clocks() {
		if c.Current > 0 {
			all[c.Name] = c.Current
		}
	}
	if m := w.sensors(p).meter; m != nil {
		for name, hz := range m.Clocks() {
			all[name] = hz
		}
	}
	return all
}
