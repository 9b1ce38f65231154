package inputs

import (
	"math"
	"slices"
	"testing"

	"example.org/bench/framework"
)

// drawn are numbers in [-1, 1) of no order.
func drawn[T Real](n int) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = T(math.Mod(float64(i+1)*0.754877666, 2) - 1)
	}
	return list
}

// TestMake: each kind is what docs/config.md says of it, of both precisions and of complex numbers.
func TestMake(t *testing.T) {
	t.Run("f32", func(t *testing.T) { makes[float32](t, 1<<32) })
	t.Run("f64", func(t *testing.T) { makes[float64](t, math.Exp2(256)) })
}

func makes[T Real](t *testing.T, factor float64) {
	const sequences, length, parts = 6, 50, 2
	list := drawn[T](sequences * length)
	of := func(kind framework.Inputs, seed uint64) []T {
		made := slices.Clone(list)
		Make(kind, made, length, parts, seed)
		return made
	}
	if !slices.Equal(of(framework.RandomInputs, 1), list) {
		t.Error("random numbers are changed")
	}
	if slices.ContainsFunc(of(framework.ZeroInputs, 1), func(x T) bool { return x != 0 }) {
		t.Error("zeros are not")
	}
	for i, x := range of(framework.ConstantInputs, 1) {
		if x != list[i%parts] {
			t.Fatalf("constant: number %d is %g", i, x)
		}
	}
	sorted := of(framework.SortedInputs, 1)
	for s := range sequences {
		want := slices.Clone(list[s*length : (s+1)*length])
		slices.Sort(want)
		if !slices.Equal(sorted[s*length:(s+1)*length], want) {
			t.Errorf("sequence %d is not its numbers in order", s)
		}
	}
	huge, tiny := of(framework.HugeInputs, 1), of(framework.TinyInputs, 1)
	for i, x := range list {
		if float64(huge[i]) != float64(x)*factor || float64(tiny[i]) != float64(x)/factor {
			t.Fatalf("number %g is %g and %g", x, huge[i], tiny[i])
		}
	}
	first, second := of(framework.NaNInputs, 1), of(framework.NaNInputs, 2)
	var kinds [3]int
	for s := range sequences {
		changed := 0
		for i := s * length; i < (s+1)*length; i++ {
			x := float64(first[i])
			switch {
			case math.IsNaN(x):
				kinds[0]++
			case math.IsInf(x, 1):
				kinds[1]++
			case math.IsInf(x, -1):
				kinds[2]++
			case first[i] == list[i]:
				continue
			}
			changed++
		}
		if changed != 1-s%2 {
			t.Errorf("%d numbers of sequence %d are changed", changed, s)
		}
	}
	if kinds != [3]int{1, 1, 1} {
		t.Errorf("NaN, infinities: %v", kinds)
	}
	if slices.EqualFunc(first, second, func(a, b T) bool { return a == b || a != a && b != b }) {
		t.Error("two seeds have the same places")
	}
}

// TestMakeWhole: huge are the last sixteenth of the range, tiny the one around 0.
func TestMakeWhole(t *testing.T) {
	list := []int32{math.MinInt32, -1, 0, 5, math.MaxInt32, -77}
	for kind, want := range map[framework.Inputs][2]int32{
		framework.ZeroInputs: {0, 0}, framework.ConstantInputs: {math.MinInt32, math.MinInt32},
		framework.HugeInputs: {math.MaxInt32 - (1<<28 - 1), math.MaxInt32}, framework.TinyInputs: {-1 << 27, 1<<27 - 1},
	} {
		made := slices.Clone(list)
		MakeWhole(kind, made, len(list))
		if slices.Min(made) != want[0] || slices.Max(made) != want[1] {
			t.Errorf("%s: %v; want from %d to %d", kind, made, want[0], want[1])
		}
	}
	MakeWhole(framework.SortedInputs, list, len(list)/2)
	if !slices.Equal(list, []int32{math.MinInt32, -1, 0, -77, 5, math.MaxInt32}) {
		t.Errorf("sorted: %v", list)
	}
}

// TestFactor: the fourth root of the greatest number, so that products of three are numbers.
func TestFactor(t *testing.T) {
	for greatest, want := range map[float64]float64{math.MaxFloat32: 1 << 32, math.MaxFloat64: math.Exp2(256), 65504: 16} {
		if f := Factor(greatest); f != want || f*f*f > greatest {
			t.Errorf("of %g it is %g; want %g", greatest, f, want)
		}
	}
}
