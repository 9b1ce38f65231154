// Package tridiagonal measures the solution of tridiagonal systems of linear
// equations: many of one length, or one large one.
//
// Conventions: row i of a system is a_i·x_{i-1} + b_i·x_i + c_i·x_{i+1} = d_i;
// a of the first row and c of the last are stored and zero. The four arrays
// and the solution are separate. In the contiguous layout a system's rows lie
// one after another and systems follow each other; in the interleaved layout
// row i of system s is at i·batch + s. Every version leaves its inputs alone
// or restores them.
package tridiagonal

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

const (
	minN            = 4
	maxN            = 100_000_000
	defaultN        = 1024
	defaultElements = 1 << 20
	// gpuElements is what the literature uses on server GPUs.
	gpuElements = 1 << 26
	maxElements = 1 << 32
	maxBatch    = 1 << 30
	// defaultDominance bounds the condition number by 12, see dominantCondition.
	defaultDominance = 2
)

// Names of the layouts.
const (
	contiguous  = "contiguous"
	interleaved = "interleaved"
)

// Factory describes the algorithm.
func Factory() *framework.Factory {
	return &framework.Factory{
		Name:   "tridiagonal",
		Doc:    "tridiagonal systems of linear equations, batched or one large one",
		Source: "Thomas, Elliptic Problems in Linear Difference Equations over a Network (1949)",
		Params: []framework.Param{
			{Name: "N", Doc: "rows of one system", Kind: framework.Int,
				Default: framework.IntValue(defaultN), Min: minN, Max: maxN},
			{Name: "batch_elements", Doc: "rows of all systems together, a multiple of N; without effect where batch is set", Kind: framework.Int,
				Default: framework.IntValue(defaultElements), DefaultGPU: framework.IntValue(gpuElements),
				Min: minN, Max: maxElements},
			{Name: "batch", Doc: "systems; 0: batch_elements / N", Kind: framework.Int,
				Default: framework.IntValue(0), Min: 0, Max: maxBatch},
			{Name: "precision", Doc: "of the coefficients and the solution", Kind: framework.Text,
				Default: framework.TextValue("f32"), Choices: []string{"f32", "f64"}},
			{Name: "layout", Doc: "contiguous: a system's rows together; interleaved: row i of all systems together", Kind: framework.Text,
				Default: framework.TextValue(contiguous), Choices: []string{contiguous, interleaved}},
			{Name: "dominance", Doc: "|b_i| / (|a_i| + |c_i|): above 1 strictly diagonally dominant, 0 a zero diagonal", Kind: framework.Float,
				Default: framework.FloatValue(defaultDominance), Min: 0, Max: 1e6},
		},
		Check: check,
		Inputs: framework.OnlyInputs("a right side that is not finite has no solution",
			framework.ZeroInputs, framework.ConstantInputs, framework.SortedInputs, framework.HugeInputs, framework.TinyInputs),
		Items: "rows",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "8·N·batch"},
			{Name: "nominal_bytes", Text: "5·N·batch·(4 for f32, 8 for f64)"},
		},
		Versions:   withMemory(append(cpuVersions(), gpuVersions()...)),
		NewProblem: newProblem,
		HostBytes:  hostBytes,

		Verification: verification,
	}
}

func check(p framework.Values) error {
	n, elements, batch := p.Int("N"), p.Int("batch_elements"), p.Int("batch")
	switch {
	case batch > 0 && batch > maxElements/n:
		return fmt.Errorf("N·batch = %d·%d is more than %d rows; at most %s", n, batch, int64(maxElements), terminal.Count(maxElements/n, "system"))
	case batch > 0:
		return nil
	case elements < n:
		return fmt.Errorf("batch_elements = %d is less than N = %d; at least one system is needed, or set batch", elements, n)
	}
	if r := elements % n; r != 0 {
		return fmt.Errorf("batch_elements = %d is not a multiple of N = %d; nearest are %d and %d, or set batch",
			elements, n, elements-r, elements-r+n)
	}
	return nil
}

// systems returns the number of systems.
func systems(p framework.Values) int64 {
	if b := p.Int("batch"); b > 0 {
		return b
	}
	return p.Int("batch_elements") / max(1, p.Int("N"))
}

// rows returns the number of rows of all systems.
func rows(p framework.Values) int64 { return p.Int("N") * systems(p) }

// realBytes returns the size of one coefficient.
func realBytes(p framework.Values) int64 {
	if p.Text("precision") == "f64" {
		return 8
	}
	return 4
}

// hostBytes returns the bytes of four arrays of input, one of output and the reference answer.
func hostBytes(p framework.Values) int64 { return rows(p) * (5*realBytes(p) + 8) }
