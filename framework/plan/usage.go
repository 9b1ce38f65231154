package plan

import (
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// use gives a point the parameters of its usage. Its problem stays the same.
func (b *builder) use(p *Point, values framework.Values) {
	if len(values) == 0 {
		return
	}
	if kind := values.Text(framework.MemoryParam); p.Skip == "" && kind != "" && kind != string(gpu.DeviceMemory) {
		switch {
		case b.factory.External:
			p.Skip = "a program has its own memory"
		case p.Processor == framework.CPU:
			p.Skip = kind + " memory is a GPU version's"
		}
	}
	if load, err := framework.ParseBeside(values.Text(framework.BesideParam)); p.Skip == "" && err == nil && load.OnGPU() && p.Processor == framework.GPU && !b.factory.External {
		p.Skip = "a load on the GPU is one beside versions on the CPU"
	}
	if strings.HasPrefix(p.Device, "opencl:") && p.Skip == "" {
		p.Skip = onlyCUDA(values)
	}
	if why := b.unlike(p, values); p.Skip == "" {
		p.Skip = why
	}
	all, order := framework.UsageOf(values)
	params := p.Params.Clone()
	for name, v := range all {
		params[name] = v
	}
	p.Params, p.Usage = params, order
	p.ParamOrder = append(p.ParamOrder[:len(p.ParamOrder):len(p.ParamOrder)], order...)
}

// onlyCUDA returns why a device of OpenCL has no such point; empty if it has one.
func onlyCUDA(values framework.Values) string {
	kind := values.Text(framework.MemoryParam)
	switch {
	case kind != "" && kind != string(gpu.DeviceMemory):
		return kind + " memory is CUDA's"
	case values.Text(framework.LaunchParam) == framework.GraphLaunch:
		return "OpenCL has no graphs"
	case values.Text(framework.HostParam) == framework.PinnedHost:
		return "page-locked memory is CUDA's"
	}
	return ""
}

// unlike returns why a point has no such timed part; empty if it has one.
func (b *builder) unlike(p *Point, values framework.Values) string {
	answer, pinned := values.Text(framework.TimedParam) == framework.AnswerTimed, values.Text(framework.HostParam) == framework.PinnedHost
	kind := gpu.Memory(values.Text(framework.MemoryParam))
	graph := values.Text(framework.LaunchParam) == framework.GraphLaunch
	switch {
	case graph && p.Processor == framework.CPU:
		return "a CPU version is not launched, so not as a graph"
	case graph && b.factory.External:
		return "a program launches its work itself"
	case answer && b.factory.External:
		return "a program times itself"
	case pinned && p.Processor == framework.CPU:
		return "a CPU version's arrays are not copied, so not pinned"
	case pinned && !answer:
		return "nothing is copied where the kernels alone are timed, so nothing is pinned"
	case pinned && (kind == gpu.MappedMemory || kind == gpu.ManagedMemory):
		return string(kind) + " memory is not copied, so not pinned"
	}
	return ""
}

// checkUsage refuses a usage whose settings do not fit together.
func (b *builder) checkUsage(index []int) (fit bool) {
	if len(b.usage) == 0 {
		return true
	}
	_, use := b.params(index, "")
	err := framework.CheckUsage(use)
	m := b.cfg.Measure
	if hz := use[framework.RateParam]; hz.IsSet() && hz.Kind() != framework.Text && float64(m.MinSamples) > hz.Float()*m.PointTimeout {
		err = fmt.Errorf("rate_hz %s: %d releases (measure.min_samples) take longer than measure.point_timeout_s (%g)", hz, m.MinSamples, m.PointTimeout)
	}
	if err != nil {
		b.refuse(b.blame(index, err.Error()), err.Error())
	}
	return err == nil
}
