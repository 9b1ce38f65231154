package qr

import (
	"slices"
	"testing"
)

// The vector code and Go's must agree, whatever the length.
func TestVectorsAgree(t *testing.T) {
	if vectorRows == 0 {
		t.Skip("needs a processor with AVX2 and FMA")
	}
	was := vectorRows
	defer func() { vectorRows = was }()
	for n := 1; n < 40; n++ {
		const stride = 41
		v, c := make([]float32, 8*stride), make([]float32, n)
		for i := range v {
			v[i] = float32(i%7) - 3
		}
		for i := range c {
			c[i] = float32(i%5) - 2
		}
		// Small whole numbers: every order of sums is exact.
		vectorRows = was
		w, mine := dots(c, v, stride), append([]float32{}, c...)
		subtract(mine, v, stride, &w)
		vectorRows = 0
		want, other := dots(c, v, stride), append([]float32{}, c...)
		subtract(other, v, stride, &want)
		if w != want || !slices.Equal(mine, other) {
			t.Fatalf("%d rows: products %v, want %v; column %v, want %v", n, w, want, mine, other)
		}
	}
}
