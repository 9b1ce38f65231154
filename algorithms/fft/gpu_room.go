package fft

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// roomFor refuses tunables S, P and L with this suffix, and B, whose blocks of these stages
// the device has no room for.
func roomFor(stages []stage, suffix string, params, v framework.Values, facts gpu.Facts) error {
	s, p, l, b := v.Int("S"+suffix), int(v.Int("P"+suffix)), int(v.Int("L"+suffix)), int(v.Int("B"))
	if warp := max(facts.WarpSize, 1); l%warp != 0 {
		return fmt.Errorf("L%s = %d is not a multiple of the warp's %d threads", suffix, l, warp)
	}
	if facts.OpenCL != nil && b != 1 {
		return fmt.Errorf("B = %d: OpenCL has no such hint; want 1", b)
	}
	if l > facts.MaxThreadsBlock {
		return fmt.Errorf("L%s = %d exceeds the device's %d threads per block", suffix, l, facts.MaxThreadsBlock)
	}
	// A thread's elements, twiddle factors and addresses.
	registers := p*2 + 16
	if params.Text("precision") == "f64" {
		registers = p*4 + 24
	}
	const most = 255 // registers per thread, of every compute capability from 3.5 on
	if registers > most {
		return fmt.Errorf("P%s = %d needs about %d registers per thread, the device has %d", suffix, p, registers, most)
	}
	if facts.RegistersBlock > 0 && l*registers > facts.RegistersBlock || facts.OpenCL == nil && b*l*registers > facts.RegistersPerSM {
		return fmt.Errorf("P%[1]s = %[2]d, L%[1]s = %[3]d and B = %[4]d need about %[5]d registers per block, the device has %[6]d per block and %[7]d per multiprocessor",
			suffix, p, l, b, l*registers, facts.RegistersBlock, facts.RegistersPerSM)
	}
	for _, stage := range stages {
		if b := stage.sharedBytes(); b > facts.SharedOptIn {
			return fmt.Errorf("S%s = %d needs %d bytes of shared memory per block, the device allows %d", suffix, s, b, facts.SharedOptIn)
		}
	}
	return nil
}

// deviceBytes is what a plan allocates: input, output and, between stages or passes,
// a third array; and what each direction has of its own, because Verify goes back too.
func deviceBytes(stages []stage, params framework.Values) int64 {
	elements, element := params.Int("batch_elements"), int64(8)
	if params.Text("precision") == "f64" {
		element = 16
	}
	buffers := int64(2)
	if len(stages) > 1 {
		buffers = 3
	}
	between, own := int64(0), int64(0)
	for _, s := range stages {
		if r, ok := s.(resident); ok {
			transforms := int(elements / params.Int("N"))
			between += r.betweenElements(transforms)
			own += r.counterBytes(transforms)/element + 1
		}
		for _, t := range s.tables() {
			own += int64(len(t))
		}
	}
	return (buffers*elements + between + 2*own) * element
}
