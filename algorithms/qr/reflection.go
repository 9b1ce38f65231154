package qr

import "math"

// reflect turns v into the vector of a reflection I - tau·v·vᵀ that maps v to a
// vector with only a first element, beta; v's first element becomes 1. A vector with
// nothing but its first element needs none: tau is 0.
func reflect[T real](v []T) (beta, tau T) {
	var tail float64
	for _, x := range v[1:] {
		tail += float64(x) * float64(x)
	}
	alpha := float64(v[0])
	v[0] = 1
	if tail == 0 {
		return T(alpha), 0
	}
	norm := math.Sqrt(alpha*alpha + tail)
	if alpha > 0 {
		norm = -norm
	}
	scale := T(1 / (alpha - norm))
	for i := range v[1:] {
		v[i+1] *= scale
	}
	return T(norm), T((norm - alpha) / norm)
}
