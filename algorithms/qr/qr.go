// Package qr measures the QR factorisation A = QR of many matrices of one
// shape, in float32 or float64: Q with orthonormal columns, R upper triangular.
//
// Conventions: A has m rows and n ≤ m columns. The reduced factorisation has
// Q of m×n and R of n×n, the full one Q of m×m and R of m×n. Matrices are
// stored by columns, one after another, without gaps; R with its zeros. Every
// version works out of place, or has its input restored untimed.
package qr

import (
	"fmt"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
)

// Limits and defaults of the shape.
const (
	maxRows     = 1 << 15
	maxBatch    = 1 << 24
	maxElements = 1 << 32 // of Q
	defaultRows = 1024
	defaultCols = 64
	// defaultCondition is well within what float32 resolves.
	defaultCondition = 10
	maxCondition     = 1e12
)

// Which part of Q is formed.
const (
	reduced = "reduced"
	full    = "full"
)

// literature is the title of the report that v1 to v8 follow.
const literature = "Auto-testing efficiency of signal processing algorithms on embedded GPUs"

// Factory describes the algorithm.
func Factory() *framework.Factory {
	return &framework.Factory{
		Name:   "qr",
		Doc:    "QR factorisation with Q formed, of one matrix or a batch",
		Source: "Björck, Solving Linear Least Squares Problems by Gram-Schmidt Orthogonalization (1967); Golub and Van Loan, Matrix Computations (2013)",
		Params: []framework.Param{
			{Name: "m", Doc: "rows", Kind: framework.Int, Default: framework.IntValue(defaultRows), Min: 1, Max: maxRows},
			{Name: "n", Doc: "columns, at most m", Kind: framework.Int, Default: framework.IntValue(defaultCols), Min: 1, Max: maxRows},
			{Name: "batch", Doc: "matrices", Kind: framework.Int, Default: framework.IntValue(1), Min: 1, Max: maxBatch},
			{Name: "q", Doc: "reduced: Q of m×n and R of n×n; full: Q of m×m and R of m×n", Kind: framework.Text,
				Default: framework.TextValue(reduced), Choices: []string{reduced, full}},
			{Name: "condition", Doc: "ratio of the largest to the smallest singular value of every matrix, before rounding", Kind: framework.Float,
				Default: framework.FloatValue(defaultCondition), Min: 1, Max: maxCondition},
			{Name: "precision", Doc: "of A, Q and R", Kind: framework.Text,
				Default: framework.TextValue(singlePrecision), Choices: []string{singlePrecision, doublePrecision}},
		},
		Check:  check,
		Inputs: framework.OnlyInputs("the matrix would not have the condition that is asked for", framework.HugeInputs, framework.TinyInputs),
		Items:  "matrices",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "batch·(2·m·n² - 2/3·n³) for R by Householder's method, and for Q as much again (reduced) or batch·4·(m²·n - m·n² + n³/3) (full)"},
			{Name: "nominal_bytes", Text: "4·batch·(m·n + m·c + c·n), in f64 twice as many, c = n (reduced) or m (full)"},
		},
		Versions:   withMemory(append(cpuVersions(), gpuVersions()...)),
		NewProblem: newProblem,
		HostBytes:  func(p framework.Values) int64 { return 2 * shapeOf(p).bytes() },

		Verification: verification,
	}
}

func check(p framework.Values) error {
	m, n, batch := p.Int("m"), p.Int("n"), p.Int("batch")
	if n > m {
		return fmt.Errorf("n = %d is more than m = %d; want at least as many rows as columns", n, m)
	}
	if per := m * shapeOf(p).cols64(); batch > maxElements/per {
		return fmt.Errorf("batch = %d: Q has %s per matrix; at most %s", batch, terminal.Count(per, "element"), terminal.Count(maxElements/per, "matrix"))
	}
	return nil
}
