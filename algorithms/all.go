// Package algorithms lists the algorithms that the program measures.
package algorithms

import (
	"example.org/bench/algorithms/bicubic"
	"example.org/bench/algorithms/fft"
	"example.org/bench/algorithms/pattern"
	"example.org/bench/algorithms/qr"
	"example.org/bench/algorithms/scan"
	"example.org/bench/algorithms/tridiagonal"
	"example.org/bench/framework"
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
