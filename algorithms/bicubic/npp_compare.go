package bicubic

import (
	"math"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// What NPP 13.0's cubic resize computes, as its answers to inputs show that are 1 in one row or column and 0
// elsewhere (algorithms/bicubic/README.md; NVIDIA does not document it). The output at i lies at i/factor -
// 1/4 of the input, or at i for factor 1. Between four points it takes Lagrange's cubic, which goes through
// all four. Beyond an edge it clamps.
const nppShift = 0.25

// Roundings allowed to NPP's arithmetic, in units of u, because its code is closed: of a term, and of a
// coordinate of 1.
const (
	nppSteps      = 16
	nppCoordinate = 4
)

// lagrange returns the weights of the points at -1, 0, 1 and 2 for the cubic through them at t. The weights'
// slopes in [0, 1] are at most lagrangeSlope.
func lagrange(t float64) cubic {
	return cubic{
		-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2,
		-(t + 1) * t * (t - 2) / 2, (t + 1) * t * (t - 1) / 6,
	}
}

const lagrangeSlope = 7.0 / 6

// place is where an output lies along one side.
type place struct {
	points  [4]int // of the input
	weights cubic
	drift   float64 // bound of a weight's error, in units of u
}

// nppPlaces returns the places of all outputs along a side of n inputs.
func nppPlaces(n, factor int) []place {
	list := make([]place, n*factor)
	for i := range list {
		at := float64(i) / float64(factor)
		if factor > 1 {
			at -= nppShift
		}
		cell := math.Floor(at)
		p := place{weights: lagrange(at - cell), drift: lagrangeSlope * nppCoordinate * max(1, math.Abs(at))}
		for j := range p.points {
			p.points[j] = min(max(int(cell)-1+j, 0), n-1)
		}
		list[i] = p
	}
	return list
}

// compareNPP is compare for NPP's answer.
func (p *problem) compareNPP(got []float32) []framework.Check {
	down, across := nppPlaces(p.Rows, p.RowFactor), nppPlaces(p.Cols, p.ColumnFactor)
	worst := make([]float64, p.outRows())
	workers.Split(workers.All(), p.outRows(), func(y int) {
		worst[y] = p.errorOfNPPRow(got[y*p.outCols():(y+1)*p.outCols()], down[y], across)
	})
	var all float64
	for _, w := range worst {
		all = max(all, w)
	}
	return []framework.Check{{Metric: "error by the rounding allowed to NPP's own cubic", Error: all, Bound: roundoff}}
}

func (p *problem) errorOfNPPRow(got []float32, y place, across []place) (worst float64) {
	value, terms, magnitude := make([]float64, p.Cols), make([]float64, p.Cols), make([]float64, p.Cols)
	for i := range value {
		for j, row := range y.points {
			c := float64(p.in[row*p.Cols+i])
			value[i] += y.weights[j] * c
			terms[i] += math.Abs(y.weights[j] * c)
			magnitude[i] += math.Abs(c)
		}
	}
	for i, x := range across {
		var v, e float64
		for j, at := range x.points {
			w := math.Abs(x.weights[j])
			v += x.weights[j] * value[at]
			e += nppSteps*w*terms[at] + y.drift*w*magnitude[at] + x.drift*terms[at]
		}
		worst = max(worst, math.Abs(float64(got[i])-v)/e)
	}
	return worst
}
