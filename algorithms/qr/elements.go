package qr

import (
	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// real is an element of a matrix in either precision.
type real interface{ float32 | float64 }

// Names of the precisions.
const (
	singlePrecision = "f32"
	doublePrecision = "f64"
)

// elements are those of matrices in a problem's precision: the other list is nil.
type elements struct {
	single []float32
	double []float64
}

// elements returns n zeros.
func (s shape) elements(n int) elements {
	if s.Double {
		return elements{double: make([]float64, n)}
	}
	return elements{single: make([]float32, n)}
}

// letter is that of the precision in names of BLAS and LAPACK: S or D.
func (s shape) letter() string {
	if s.Double {
		return "D"
	}
	return "S"
}

func (e elements) len() int { return len(e.single) + len(e.double) }

func (e elements) slice(from, to int) elements {
	if e.double != nil {
		return elements{double: e.double[from:to]}
	}
	return elements{single: e.single[from:to]}
}

// of are the elements as a list of the one type that they have.
func of[T real](e elements) []T {
	if list, ok := any(e.double).([]T); ok {
		return list
	}
	list, _ := any(e.single).([]T)
	return list
}

// upload copies the elements to the device.
func (e elements) upload(d gpu.Device, to gpu.Pointer) error {
	if e.double != nil {
		return gpu.Upload(d, to, e.double)
	}
	return gpu.Upload(d, to, e.single)
}

// download fills the elements from the device.
func (e elements) download(d gpu.Device, from gpu.Pointer) error {
	if e.double != nil {
		return gpu.Download(d, e.double, from)
	}
	return gpu.Download(d, e.single, from)
}

// input declares the elements as an input of the run at that address.
func (e elements) input(r *framework.GPURun, at gpu.Pointer) {
	if e.double != nil {
		framework.Input(r, at, e.double)
		return
	}
	framework.Input(r, at, e.single)
}

// allocate makes a copy of the elements on the device.
func (e elements) allocate(r *framework.GPURun) (gpu.Pointer, error) {
	if e.double != nil {
		return framework.AllocCopy(r, e.double)
	}
	return framework.AllocCopy(r, e.single)
}
