// Package bicubic measures the upscaling of a matrix by whole factors with
// cubic interpolation in both directions.
//
// Conventions: an input of rows × cols becomes one of rows·row_factor ×
// cols·column_factor, both row by row. Output row Y lies between input rows
// Y div row_factor and the next, at the phase (Y mod row_factor)/row_factor;
// columns likewise. Four control points enter in each direction: the one
// before, the two around, the one after. Beyond an edge the edge's own point
// is repeated (clamping), so the last row_factor - 1 rows lie between
// the last row and itself. Every version works out of place.
package bicubic

import (
	"fmt"

	"example.org/bench/framework"
)

const (
	maxSide   = 1 << 24
	maxFactor = 64
	// maxPoints bounds the output: 256 GiB of float32.
	maxPoints = 1 << 36
)

// literature is the title of the report behind v1 to v4 and their parameters.
const literature = "Frisberg, Geirsson and Urpi Hedbjörk, Auto-testing efficiency of signal processing algorithms on embedded GPUs (2019)"

// Factory describes the algorithm.
func Factory() *framework.Factory {
	return &framework.Factory{
		Name:   "bicubic",
		Doc:    "upscaling by bicubic interpolation, Hermite (Catmull-Rom) and B-spline, float32",
		Source: literature,
		Params: []framework.Param{
			{Name: "rows", Doc: "of the input", Kind: framework.Int,
				Default: framework.IntValue(512), DefaultGPU: framework.IntValue(2048), Min: 1, Max: maxSide},
			{Name: "cols", Doc: "columns of the input", Kind: framework.Int,
				Default: framework.IntValue(2048), Min: 1, Max: maxSide},
			{Name: "row_factor", Doc: "output rows for each input row", Kind: framework.Int,
				Default: framework.IntValue(8), Min: 1, Max: maxFactor},
			{Name: "column_factor", Doc: "output columns for each input column", Kind: framework.Int,
				Default: framework.IntValue(2), Min: 1, Max: maxFactor},
			{Name: "basis", Doc: "of the cubics: hermite goes through the points (Catmull-Rom tangents), bspline smooths", Kind: framework.Text,
				Default: framework.TextValue("hermite"), Choices: []string{"hermite", "bspline"}},
		},
		Check: check,
		Inputs: framework.OnlyInputs("a point that is not a number may spread to outputs in which it has the weight 0, or not",
			framework.ZeroInputs, framework.ConstantInputs, framework.SortedInputs, framework.HugeInputs, framework.TinyInputs),
		Items: "points",
		Formulas: []framework.Formula{
			{Name: "nominal_flops", Text: "35·rows·row_factor·cols·column_factor: five cubics of four products and three sums per point"},
			{Name: "nominal_bytes", Text: "4·rows·cols·(1 + row_factor·column_factor)"},
		},
		Versions:   withMemory(append(cpuVersions(), gpuVersions()...)),
		NewProblem: newProblem,
		// Staged inputs take memory twice.
		HostBytes: func(p framework.Values) int64 { return 2*shapeOf(p).inBytes() + shapeOf(p).outBytes() },

		Verification: verification,
	}
}

func check(p framework.Values) error {
	if points := shapeOf(p).points(); points > maxPoints {
		return fmt.Errorf("rows, cols and factors make %d output points; want at most %d", points, int64(maxPoints))
	}
	return nil
}

// shape is the part of a problem that versions depend on, without the inputs.
type shape struct {
	Rows, Cols              int
	RowFactor, ColumnFactor int
	Basis                   basis
}

func shapeOf(p framework.Values) shape {
	s := shape{
		Rows: int(p.Int("rows")), Cols: int(p.Int("cols")),
		RowFactor: int(p.Int("row_factor")), ColumnFactor: int(p.Int("column_factor")),
	}
	if p.Text("basis") == "bspline" {
		s.Basis = bspline
	}
	return s
}

// outRows and outCols return the sides of the output.
func (s shape) outRows() int { return s.Rows * s.RowFactor }
func (s shape) outCols() int { return s.Cols * s.ColumnFactor }

// points returns the number of points of the output.
func (s shape) points() int64 { return int64(s.outRows()) * int64(s.outCols()) }

func (s shape) inBytes() int64  { return 4 * int64(s.Rows) * int64(s.Cols) }
func (s shape) outBytes() int64 { return 4 * s.points() }

// Nominal returns the Work by the problem's definition, which is the same for every version. The values of
// the basis polynomials are not counted, because they depend on the phases alone.
func (s shape) Nominal() framework.Work {
	return framework.Work{
		NominalFLOPs: 35 * s.points(),
		NominalBytes: s.inBytes() + s.outBytes(),
		Items:        s.points(),
	}
}
