package tridiagonal

import (
	"errors"

	"bench/cuda"
	"bench/framework"
)

// arrays are equations and solution on the device.
type arrays struct{ a, b, c, d, x cuda.Pointer }

// newArrays makes room for n rows of elements of this size.
func newArrays(m *cuda.Arena, n, elementBytes int64) (v arrays, err error) {
	for _, p := range []*cuda.Pointer{&v.a, &v.b, &v.c, &v.d, &v.x} {
		if *p, err = m.Alloc(n * elementBytes); err != nil {
			return v, err
		}
	}
	return v, nil
}

// upload copies the problem's equations.
func (v arrays) upload(d cuda.Device, q *problem) error {
	if q.Double {
		return uploadAll(d, v, q.in64)
	}
	return uploadAll(d, v, q.in32)
}

func uploadAll[T real](d cuda.Device, v arrays, in equations[T]) error {
	return errors.Join(cuda.Upload(d, v.a, in.a), cuda.Upload(d, v.b, in.b), cuda.Upload(d, v.c, in.c), cuda.Upload(d, v.d, in.d))
}

// verifyDevice compares the solution at x.
func verifyDevice(d cuda.Device, q *problem, x cuda.Pointer, levels int) ([]framework.Check, error) {
	if q.Double {
		got := make([]float64, q.elements())
		if err := cuda.Download(d, got, x); err != nil {
			return nil, err
		}
		return compare(q, q.in64, got, levels)
	}
	got := make([]float32, q.elements())
	if err := cuda.Download(d, got, x); err != nil {
		return nil, err
	}
	return compare(q, q.in32, got, levels)
}
