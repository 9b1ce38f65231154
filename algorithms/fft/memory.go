package fft

import "example.org/bench/framework"

// hostBytesGPU is the input, what an answer is checked by, and the parts in which it is
// downloaded.
func hostBytesGPU(params, _ framework.Values, full bool) int64 {
	p := shapeOf(params)
	parts := 2 * min(int64(p.elements()), partElements) * p.elementBytes()
	if full || !p.hasIdentity() {
		parts *= 2 // the answer, and what it is transformed back to
	}
	return p.bytes() + parts + p.checkBytes(full)
}

// hostBytesCPU is the input, the answer, and what it is checked by: the reference, and
// what is transformed back, or the identity.
func hostBytesCPU(params, _ framework.Values, full bool) int64 {
	p := shapeOf(params)
	arrays := int64(2)
	if full || !p.hasIdentity() {
		arrays++
	}
	return arrays*p.bytes() + p.checkBytes(full)
}

// hostBytesReference is hostBytesCPU with the version's transform in double precision.
func hostBytesReference(params, tunables framework.Values, full bool) int64 {
	const double = 16
	return hostBytesCPU(params, tunables, full) + params.Int("batch_elements")*double
}

// shapeOf is a problem without its inputs.
func shapeOf(params framework.Values) *problem {
	return &problem{N: int(params.Int("N")), Batch: int(params.Int("batch_elements") / params.Int("N")), Double: params.Text("precision") == "f64", Inputs: framework.InputsOf(params)}
}

// checkBytes is what answers are compared with.
func (p *problem) checkBytes(full bool) int64 {
	const double = 16
	if full || !p.hasIdentity() {
		return int64(p.elements())*double + int64(p.N/2)*double
	}
	vectors, batch := int64(p.vectors()), int64(p.Batch)
	transformed := (int64(p.sampled()) + vectors) * int64(p.N) * double
	return transformed + vectors*(int64(p.N)*8+3*batch*double) + 2*batch*8
}
