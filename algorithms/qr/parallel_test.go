package qr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// The vector code and plain Go must agree, whatever the number of rows.
func TestVectorsAgree(t *testing.T) {
	const stride = 41
	for n := 1; n < 40; n++ {
		// Small whole numbers: every order of sums is exact.
		v, c, other := make([]float32, 8*stride), make([]float32, n), make([]float32, n)
		for i := range v {
			v[i] = float32(i%7) - 3
		}
		for i := range c {
			c[i], other[i] = float32(i%5)-2, float32(i%3)-1
		}
		var want [panelWidth]float32
		for k := range want {
			for i, x := range c {
				want[k] += x * v[k*stride+i]
			}
		}
		if w := dots(c, v, stride); w != want {
			t.Fatalf("%d rows: products %v, want %v", n, w, want)
		}
		less := slices.Clone(c)
		for k, w := range want {
			plainSubtract(less, v[k*stride:k*stride+n], w)
		}
		got := slices.Clone(c)
		subtract(got, v, stride, &want)
		if !slices.Equal(got, less) {
			t.Fatalf("%d rows: column %v, want %v", n, got, less)
		}
		got = slices.Clone(c)
		subtractOne(got, v[stride:stride+n], 3)
		one := slices.Clone(c)
		plainSubtract(one, v[stride:stride+n], 3)
		if !slices.Equal(got, one) {
			t.Fatalf("%d rows: column %v, want %v", n, got, one)
		}
	}
}

// A panel's reflections applied to any number of columns at once are those applied
// one by one, forwards and backwards.
func TestApplyAllIsApply(t *testing.T) {
	for _, s := range []shape{{M: 37, N: 13}, {M: 16, N: 8}, {M: 9, N: 3}} {
		p := newPanels(s)
		g := rand.New(rand.NewPCG(1, uint64(s.M)))
		for i := range s.M * s.N {
			p.v[i] = float32(g.NormFloat64())
		}
		r := make([]float32, s.N*s.cols())
		for panel := range p.gram {
			p.factor(panel, r)
		}
		for panel := range p.gram {
			for _, forward := range []bool{true, false} {
				for columns := 1; columns <= 4; columns++ {
					matrix := make([]float32, columns*s.M)
					for i := range matrix {
						matrix[i] = float32(g.NormFloat64())
					}
					want := slices.Clone(matrix)
					p.applyAll(panel, matrix, 0, columns, forward)
					for j := range columns {
						p.apply(panel, want[j*s.M:(j+1)*s.M], forward)
					}
					for i, x := range matrix {
						if d := x - want[i]; d > 1e-4 || d < -1e-4 {
							t.Fatalf("%v panel %d forward %v, %d columns: element %d is %g, want %g", s, panel, forward, columns, i, x, want[i])
						}
					}
				}
			}
		}
	}
}

// The version is right around the widths of panels, vectors and pairs of columns,
// with one thread and with threads that share a matrix.
func TestParallelEdges(t *testing.T) {
	parallel := Factory().VersionOn("parallel", framework.CPU)
	for _, s := range [][2]int{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 3}, {7, 7}, {8, 8}, {9, 8}, {9, 9}, {17, 15}, {33, 16}, {35, 17}, {70, 25}, {64, 64}} {
		for _, q := range []string{reduced, full} {
			for workers := 1; workers <= 3; workers += 2 {
				p := testProblem(t, setting(s[0], s[1], 1+s[0]%3, q, 10))
				a, err := parallel.New(framework.Env{Workers: workers}, p, nil)
				if err != nil {
					t.Fatal(err)
				}
				algorithmtest.Hold(t, fmt.Sprintf("%v %s, %d workers", s, q, workers), a)
			}
		}
	}
}
