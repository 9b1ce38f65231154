// Package scan measures prefix sums of many sequences of one length.
//
// Conventions: the inclusive scan is y[i] = x[0] + … + x[i], the exclusive one
// y[i] = x[0] + … + x[i-1] with y[0] = 0. Sequences lie one after another in
// memory, each contiguous; every version works out of place and leaves its
// input alone. Sums of int32 wrap around.
package scan

import (
	"errors"
	"fmt"

	"example.org/bench/framework"
)

// Lengths of one sequence and their default, and the elements of all sequences of one problem.
const (
	maxN     = 1 << 28
	defaultN = 1024
	// defaultElements is more than the caches of most CPUs hold.
	defaultElements = 1 << 24
	// gpuElements is the literature's number.
	gpuElements = 1 << 26
	maxElements = 1 << 32
)

// literature is the title of the paper behind lf, ks and their tunables.
const literature = "Performance Tuning for GPU-Embedded Systems: Machine-Learning-based and Analytical Model-driven Tuning Methodologies"

// Factory describes the algorithm.
func Factory() *framework.Factory {
	return &framework.Factory{
		Name:   "scan",
		Doc:    "batched prefix sums, inclusive and exclusive",
		Source: "Blelloch, Prefix Sums and Their Applications (1990)",
		Params: []framework.Param{
			{Name: "N", Doc: "length of one sequence", Kind: framework.Int,
				Default: framework.IntValue(defaultN), Min: 1, Max: maxN},
			{Name: "batch_elements", Doc: "elements of all sequences together, a multiple of N", Kind: framework.Int,
				Default: framework.IntValue(defaultElements), DefaultGPU: framework.IntValue(gpuElements),
				Min: 1, Max: maxElements},
			{Name: "type", Doc: "of the elements", Kind: framework.Text,
				Default: framework.TextValue("f32"), Choices: []string{"f32", "f64", "i32"}},
			{Name: "mode", Doc: "whether a sum includes the element at its place", Kind: framework.Text,
				Default: framework.TextValue("inclusive"), Choices: []string{"inclusive", "exclusive"}},
		},
		Check:  check,
		Inputs: refuseInputs,
		Items:  "elements",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "(N-1)·batch additions; of whole numbers for i32"},
			{Name: "nominal_bytes", Text: "2·batch_elements·(4 for f32 and i32, 8 for f64)"},
		},
		Versions:   withMemory(append(cpuVersions(), gpuVersions()...)),
		NewProblem: newProblem,
		HostBytes:  hostBytes,

		Verification: verification,
	}
}

func check(p framework.Values) error {
	n, elements := p.Int("N"), p.Int("batch_elements")
	if n < 1 {
		return fmt.Errorf("N = %d; want at least 1", n)
	}
	if elements < n {
		return fmt.Errorf("batch_elements = %d is less than N = %d; at least one sequence is needed", elements, n)
	}
	if r := elements % n; r != 0 {
		return fmt.Errorf("batch_elements = %d is not a multiple of N = %d; nearest are %d and %d",
			elements, n, elements-r, elements-r+n)
	}
	return nil
}

func refuseInputs(kind framework.Inputs, p framework.Values) error {
	if kind == framework.NaNInputs && p.Text("type") == "i32" {
		return errors.New("inputs = nan: i32 has no such number; want the type f32 or f64")
	}
	return nil
}

// typeBytes returns the size of an element.
func typeBytes(p framework.Values) int64 {
	if p.Text("type") == "f64" {
		return 8
	}
	return 4
}

// hostBytes returns the bytes of the input and one answer.
func hostBytes(p framework.Values) int64 { return 2 * p.Int("batch_elements") * typeBytes(p) }
