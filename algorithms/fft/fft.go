// Package fft measures the complex discrete Fourier transform of many
// signals of one power-of-two length.
//
// Conventions: forward is y[k] = Σ x[j]·exp(-2πi·jk/N), inverse has the other
// sign; neither is scaled, as in FFTW and cuFFT, so forward then inverse
// gives N times the input. Transforms lie one after another in memory, each
// contiguous; every version works out of place and leaves its input alone.
package fft

import (
	"fmt"
	"math/bits"

	"example.org/bench/framework"
)

// Lengths of one transform and their default, and the elements of all
// transforms of one problem.
const (
	minN            = 64
	maxN            = 1 << 23
	defaultN        = 1024
	defaultElements = 1 << 20
	// gpuElements is what the literature uses on server GPUs.
	gpuElements = 1 << 26
	maxElements = 1 << 32
)

// Factory describes the algorithm.
func Factory() *framework.Factory {
	return &framework.Factory{
		Name:   "fft",
		Doc:    "batched one-dimensional complex Fourier transform",
		Source: "Cooley and Tukey, An Algorithm for the Machine Calculation of Complex Fourier Series (1965)",
		Params: []framework.Param{
			{Name: "N", Doc: "length of one transform, a power of two", Kind: framework.Int,
				Default: framework.IntValue(defaultN), Min: minN, Max: maxN},
			{Name: "batch_elements", Doc: "elements of all transforms together, a multiple of N", Kind: framework.Int,
				Default: framework.IntValue(defaultElements), DefaultGPU: framework.IntValue(gpuElements),
				Min: minN, Max: maxElements},
			{Name: "precision", Doc: "of the real and imaginary parts", Kind: framework.Text,
				Default: framework.TextValue("f32"), Choices: []string{"f32", "f64"}},
			{Name: "direction", Doc: "sign of the exponent; neither direction is scaled by 1/N", Kind: framework.Text,
				Default: framework.TextValue("forward"), Choices: []string{"forward", "inverse"}},
		},
		Check:  check,
		Inputs: framework.OnlyInputs("", framework.InputKinds()...),
		Items:  "points",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "5·N·log2(N)·batch"},
			{Name: "nominal_bytes", Text: "2·batch_elements·(8 for f32, 16 for f64)"},
		},
		Versions:   append(cpuVersions(), gpuVersions()...),
		NewProblem: newProblem,
		HostBytes:  hostBytes,

		Verification: verification,
	}
}

func check(p framework.Values) error {
	n, elements := p.Int("N"), p.Int("batch_elements")
	if n < 1 || n&(n-1) != 0 {
		return fmt.Errorf("N = %d is not a power of two; nearest are %s", n, nearestPowers(n))
	}
	if elements < n {
		return fmt.Errorf("batch_elements = %d is less than N = %d; at least one transform is needed", elements, n)
	}
	if r := elements % n; r != 0 {
		return fmt.Errorf("batch_elements = %d is not a multiple of N = %d; nearest are %d and %d",
			elements, n, elements-r, elements-r+n)
	}
	return nil
}

// nearestPowers names the allowed powers of two around n.
func nearestPowers(n int64) string {
	switch {
	case n < minN:
		return fmt.Sprint(minN)
	case n > maxN:
		return fmt.Sprint(maxN)
	}
	below := int64(1) << (bits.Len64(uint64(n)) - 1)
	return fmt.Sprintf("%d and %d", below, 2*below)
}

// hostBytes is the input, and the double-precision reference answer or the vectors
// that stand for it.
func hostBytes(p framework.Values) int64 {
	element := int64(8)
	if p.Text("precision") == "f64" {
		element = 16
	}
	return p.Int("batch_elements")*element + max(16*p.Int("batch_elements"), vectorBytes(p.Int("N"), element))
}
