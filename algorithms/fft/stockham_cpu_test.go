package fft

import (
	"fmt"
	"testing"

	"bench/framework"
)

// verifyKernels checks one instruction set's kernels on a problem.
func verifyKernels[T element](t *testing.T, k *kernels, p *problem, in []T, workers int,
	check func([]T) []framework.Check) {
	t.Helper()
	s := newStockhamCPU[T](k, p.N, p.Batch, p.Inverse, workers)
	defer s.close()
	out := make([]T, len(in))
	if err := s.run(out, in); err != nil {
		t.Fatal(err)
	}
	for _, c := range check(out) {
		if !c.OK() {
			t.Errorf("N %d batch %d inverse %v %s with %d workers: %s is %.3g, bound %.3g",
				p.N, p.Batch, p.Inverse, k.name, workers, c.Metric, c.Error, c.Bound)
		}
	}
}

func TestStockhamKernels(t *testing.T) {
	for n := minN; n <= 1<<16; n *= 2 {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, direction := range []string{"forward", "inverse"} {
				batch := 1 + max(1<<14/n, 2)
				p := testProblem(t, n, batch, "f32", direction)
				for _, k := range kernelsFor[complex64]() {
					verifyKernels(t, k, p, p.in32, 2, p.check32)
				}
				p = testProblem(t, n, batch, "f64", direction)
				for _, k := range kernelsFor[complex128]() {
					verifyKernels(t, k, p, p.in64, 2, p.check64)
				}
			}
		})
	}
}
