// Package inputs draws random numbers and turns them into inputs of a kind (framework.Inputs), such as zeros
// or sorted ones.
package inputs

import (
	"math"
	"math/rand/v2"
	"slices"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/workers"
)

// Block is how many numbers come from one generator.
const Block = 1 << 14

// Draw has all workers draw n numbers: draw makes those in [from, to), at most Block, with a generator of their own, so
// that the numbers do not depend on how many workers there are. stream distinguishes the arrays of one problem.
func Draw(n int, seed, stream uint64, draw func(g *rand.PCG, from, to int)) {
	workers.Split(workers.All(), (n+Block-1)/Block, func(b int) {
		draw(rand.NewPCG(seed, stream<<40|uint64(b)), b*Block, min((b+1)*Block, n))
	})
}

// Random fills dst by draw, as Draw does for the first array of a problem.
func Random[T any](dst []T, seed uint64, draw func(*rand.PCG) T) {
	Draw(len(dst), seed, 0, func(g *rand.PCG, from, to int) {
		for i := from; i < to; i++ {
			dst[i] = draw(g)
		}
	})
}

// Factor is what huge inputs are the random numbers times, and tiny ones divided by: the fourth
// root of a type's greatest number, as a power of two, which changes no digit. Products of three
// such numbers, and sums of many of them, are still numbers of the type, and none are lost where
// denormal ones are taken for zero.
func Factor(greatest float64) float64 { return math.Exp2(math.Round(math.Log2(greatest)) / 4) }

// Real are the types of parts that Make changes.
type Real interface{ float32 | float64 }

// greatest is the greatest number of a T.
func greatest[T Real]() float64 {
	if unsafe.Sizeof(T(0)) == 4 {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

// Parts are the real and imaginary parts of complex numbers, whose memory they share.
func Parts[R Real, C complex64 | complex128](list []C) []R {
	if len(list) == 0 {
		return nil
	}
	return unsafe.Slice((*R)(unsafe.Pointer(&list[0])), 2*len(list))
}

// Make changes random numbers in place into a kind. They are sequences of that many numbers one after another, and
// elements of that many parts: 2 of complex numbers.
func Make[T Real](kind framework.Inputs, list []T, sequence, parts int, seed uint64) {
	switch kind {
	case framework.HugeInputs, framework.TinyInputs:
		by := Factor(greatest[T]())
		if kind == framework.TinyInputs {
			by = 1 / by
		}
		inBlocks(list, func(block []T) {
			for i := range block {
				block[i] = T(float64(block[i]) * by)
			}
		})
	case framework.NaNInputs:
		sprinkle(list, sequence, parts, seed)
	default:
		same(kind, list, sequence, parts)
	}
}

// MakeWhole is Make of whole numbers from the whole range of their type.
func MakeWhole(kind framework.Inputs, list []int32, sequence int) {
	const drop = 4 // bits: a sixteenth of the range
	switch kind {
	case framework.HugeInputs:
		inBlocks(list, func(block []int32) {
			for i, x := range block {
				block[i] = math.MaxInt32 - int32(uint32(x)>>drop)
			}
		})
	case framework.TinyInputs:
		inBlocks(list, func(block []int32) {
			for i := range block {
				block[i] >>= drop
			}
		})
	default:
		same(kind, list, sequence, 1)
	}
}

// same makes the kinds that are the same of all types.
func same[T Real | int32](kind framework.Inputs, list []T, sequence, parts int) {
	switch kind {
	case framework.ZeroInputs:
		clear(list)
	case framework.ConstantInputs:
		for n := parts; n < len(list); n *= 2 {
			copy(list[n:], list[:n])
		}
	case framework.SortedInputs:
		workers.Split(workers.All(), len(list)/max(1, sequence), func(s int) {
			slices.Sort(list[s*sequence : (s+1)*sequence])
		})
	}
}

// Special is one of what is no finite number, in turn.
func Special(i int) float64 {
	return [...]float64{math.NaN(), math.Inf(1), math.Inf(-1)}[i%3]
}

// sprinkle makes one element of every second sequence, drawn, no finite number.
func sprinkle[T Real](list []T, sequence, parts int, seed uint64) {
	for s := 0; s*sequence < len(list); s += 2 {
		g := rand.New(rand.NewPCG(seed^places, uint64(s)))
		at := s*sequence + g.IntN(sequence/parts)*parts
		list[at+g.IntN(parts)] = T(Special(s / 2))
	}
}

// places distinguishes the random numbers of places from those of inputs.
const places = 0x6a09e667f3bcc909

// inBlocks has all workers change a list.
func inBlocks[T any](list []T, change func([]T)) {
	const block = 1 << 16
	workers.Split(workers.All(), (len(list)+block-1)/block, func(b int) {
		change(list[b*block : min((b+1)*block, len(list))])
	})
}
