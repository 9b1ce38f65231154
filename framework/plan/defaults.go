package plan

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// inputShare is the largest share of a memory common to GPU and CPU that a problem with its answer
// takes by default. With the buffers on the GPU it takes about three times as much, and a desktop
// may have half of the memory.
const inputShare = 1.0 / 32

// gpuDefaults returns the parameters' defaults for GPU versions. Those for server GPUs are halved
// on a GPU that shares its memory with the CPU, until the problem is small beside that memory. A
// note says so if the config sets no value.
func (b *builder) gpuDefaults() framework.Values {
	values := framework.Values{}
	for _, p := range b.factory.Params {
		values[p.Name] = p.Default
		if p.DefaultGPU.IsSet() {
			values[p.Name] = p.DefaultGPU
		}
	}
	gpu := b.machine.GPU
	if gpu == nil || !gpu.Integrated || b.factory.HostBytes == nil {
		return values
	}
	for _, p := range b.factory.Params {
		if p.Kind != framework.Int || !p.DefaultGPU.IsSet() {
			continue
		}
		for values.Int(p.Name)/2 >= p.Default.Int() && float64(b.factory.HostBytes(values)) > inputShare*float64(gpu.GlobalBytes) {
			values[p.Name] = framework.IntValue(values.Int(p.Name) / 2)
		}
		if n := values.Int(p.Name); n != p.DefaultGPU.Int() && !b.sets(p.Name) {
			b.plan.Smaller = append(b.plan.Smaller, fmt.Sprintf("%s is %d by default on %s, not %d: GPU and CPU share %.3g GiB",
				p.Name, n, gpu.Name, p.DefaultGPU.Int(), float64(gpu.GlobalBytes)/(1<<30)))
		}
	}
	return values
}

// sets reports whether the config gives the parameter a value.
func (b *builder) sets(name string) bool {
	for _, s := range b.static {
		if s.Name == name {
			return true
		}
	}
	for _, a := range b.sweep {
		if a.Name == name {
			return true
		}
	}
	return false
}

// systemShare is the share of a memory common to GPU and CPU that no point may take.
const systemShare = 1.0 / 16

// fit skips a point that can never fit into the memory common to GPU and CPU.
func (b *builder) fit(p *Point, v *framework.Version, facts gpu.Facts) {
	if p.Skip != "" || !facts.Integrated {
		return
	}
	need := b.factory.Memory(v, p.Params, p.Tunables, false)
	if most := int64((1 - systemShare) * float64(facts.GlobalBytes)); need.Total() > most {
		const gib = 1 << 30
		p.Skip = fmt.Sprintf("needs %.3g GiB of memory (%.3g GiB for the GPU), and GPU and CPU of %s share %.3g GiB: a smaller problem is needed",
			float64(need.Total())/gib, float64(need.Device)/gib, facts.Name, float64(facts.GlobalBytes)/gib)
	}
}
