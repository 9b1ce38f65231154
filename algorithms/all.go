// Package algorithms lists the algorithms that the program measures.
package algorithms

import (
	"bench/algorithms/bicubic"
	"bench/algorithms/fft"
	"bench/algorithms/pattern"
	"bench/algorithms/qr"
	"bench/algorithms/scan"
	"bench/algorithms/tridiagonal"
	"bench/framework"
)

// All returns the factory of every algorithm.
func All() []*framework.Factory {
	return []*framework.Factory{
		bicubic.Factory(),
		fft.Factory(),
		pattern.Factory(),
		qr.Factory(),
		scan.Factory(),
		tridiagonal.Factory(),
	}
}
