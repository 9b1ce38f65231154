package tridiagonal

import (
	"slices"
	"testing"

	"example.org/bench/framework"
)

// parallelEdges solves systems of n rows on two workers, and checks the answers,
// that nothing around them was written, and that the equations are as before.
func parallelEdges[T real](t *testing.T, p *problem, in equations[T]) {
	t.Helper()
	s, err := prepareParallel[T](p, framework.Env{Workers: 2}, framework.IntValues("PARTS", partsPerWorker))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const margin, untouched = 64, 12345
	all := slices.Repeat([]T{untouched}, p.elements()+2*margin)
	x := all[margin : margin+p.elements()]
	before := equations[T]{slices.Clone(in.a), slices.Clone(in.b), slices.Clone(in.c), slices.Clone(in.d)}
	for range 2 { // the second time with scratch memory that was used
		if err := s.solve(x, in); err != nil {
			t.Fatal(err)
		}
		checks, err := compare(p, in, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := bad(checks); err != nil {
			t.Errorf("N %d, %d systems, interleaved %v, double %v: %v", p.N, p.Batch, p.Interleaved, p.Double, err)
		}
	}
	for i, v := range all {
		if (i < margin || i >= margin+p.elements()) && v != untouched {
			t.Errorf("N %d, %d systems, interleaved %v, double %v: element %d is written", p.N, p.Batch, p.Interleaved, p.Double, i-margin)
			break
		}
	}
	if !slices.Equal(in.a, before.a) || !slices.Equal(in.b, before.b) || !slices.Equal(in.c, before.c) || !slices.Equal(in.d, before.d) {
		t.Errorf("N %d, %d systems, interleaved %v, double %v: the equations have changed", p.N, p.Batch, p.Interleaved, p.Double)
	}
}

// Numbers of systems go round vectors, groups of them and tiles; numbers of rows
// go round the rows that are laid side by side at once.
func TestParallelEdges(t *testing.T) {
	type size struct{ n, batch int }
	var sizes []size
	for n := minN; n <= 9; n++ {
		for _, batch := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70, 129} {
			sizes = append(sizes, size{n, batch})
		}
	}
	for _, n := range []int{15, 16, 17, 31, 32, 33, 63, 64, 65, 97, 128, 131} {
		sizes = append(sizes, size{n, 16}, size{n, 37}, size{n, 75})
	}
	// Fewer vectors at once, or parts.
	sizes = append(sizes, size{3000, 33}, size{5001, 17}, size{9001, 9}, size{20003, 5}, size{6001, 3}, size{2050, 1}, size{9000, 1}, size{13001, 2}, size{33003, 1})
	for _, s := range sizes {
		for _, layout := range []string{contiguous, interleaved} {
			p := testProblem(t, setting(s.n, s.batch, "f32", layout, 2))
			parallelEdges(t, p, p.in32)
			p = testProblem(t, setting(s.n, s.batch, "f64", layout, 2))
			parallelEdges(t, p, p.in64)
		}
	}
}
