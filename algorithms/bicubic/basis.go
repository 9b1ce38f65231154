package bicubic

import "math"

// basis is a family of cubics, defined by four basis polynomials.
type basis int

// The two bases, as BASIS in the kernels.
const (
	hermite basis = 0
	bspline basis = 1
)

// cubic is four factors, one for each control point.
type cubic [4]float64

// weights returns the factors of the control points at x in [0, 1] between the second and the third (the
// literature's section 4.1.2; for hermite with the tangents' central differences multiplied out).
func (b basis) weights(x float64) cubic {
	x2, x3 := x*x, x*x*x
	if b == bspline {
		return cubic{(1 - 3*x + 3*x2 - x3) / 6, (4 - 6*x2 + 3*x3) / 6, (1 + 3*x + 3*x2 - 3*x3) / 6, x3 / 6}
	}
	h := hermitePolynomials(x)
	return cubic{-h[1] / 2, h[0] - h[3]/2, h[2] + h[1]/2, h[3] / 2}
}

// hermitePolynomials returns the factors of the second point, its tangent, the third point and its tangent.
func hermitePolynomials(x float64) cubic {
	x2, x3 := x*x, x*x*x
	return cubic{2*x3 - 3*x2 + 1, x3 - 2*x2 + x, -2*x3 + 3*x2, x3 - x2}
}

// magnitudes returns bounds of what each control point's magnitude contributes to the sum, in either form:
// weights, or polynomials times tangents.
func (b basis) magnitudes(x float64) cubic {
	if b == bspline {
		return b.weights(x) // the weights are not negative
	}
	h := hermitePolynomials(x)
	for i := range h {
		h[i] = math.Abs(h[i])
	}
	return cubic{h[1] / 2, h[0] + h[3]/2, h[2] + h[1]/2, h[3] / 2}
}

// unit returns what magnitudes would be if all four polynomials were 1. A polynomial with error e changes a
// sum by at most e times this.
func (b basis) unit() cubic {
	if b == bspline {
		return cubic{1, 1, 1, 1}
	}
	return cubic{0.5, 1.5, 1.5, 0.5}
}

// phases returns the weights at 0, 1/factor, …, rounded to float32.
func (b basis) phases(factor int) [][4]float32 {
	list := make([][4]float32, factor)
	for i := range list {
		for j, w := range b.weights(float64(i) / float64(factor)) {
			list[i][j] = float32(w)
		}
	}
	return list
}
