package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/inputs"
)

// follows reports whether the kind of inputs changes what the fill makes.
func (f *fill) follows() bool { return f != nil && f.Random != nil && !f.Keep }

// kind returns the kind of a problem's inputs. A parameter of that name that the config itself declares does
// not count.
func (a *algorithm) kind(params framework.Values) framework.Inputs {
	if slices.ContainsFunc(a.def.Params, func(p param) bool { return p.Name == framework.InputsParam }) {
		return framework.RandomInputs
	}
	return framework.InputsOf(params)
}

// refuseInputs implements framework.Factory.Inputs.
func (a *algorithm) refuseInputs(kind framework.Inputs, params framework.Values) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s = %s: %s", framework.InputsParam, kind, fmt.Sprintf(format, args...))
	}
	if a.def.Verify.Files != nil {
		return refuse("the right answer is stored, that of other inputs; want verify by c, kernels or a program")
	}
	changed := false
	one := func(o *operand) error {
		if !o.Fill.follows() {
			return nil
		}
		e := o.element(params)
		least, greatest, err := e.limits(kind, o.Fill.Random[0], o.Fill.Random[1])
		if err != nil {
			return refuse("%s: %v", o.Name, err)
		}
		for _, x := range []float64{least, greatest} {
			if err := e.check(x); err != nil {
				return refuse("%s: %v", o.Name, err)
			}
		}
		changed = changed || e.isFloat() || kind != framework.NaNInputs
		return nil
	}
	for i := range a.arguments {
		if err := one(&a.arguments[i]); err != nil {
			return err
		}
	}
	for _, list := range a.everyConstant() {
		for i := range list {
			if err := one(&list[i].operand); err != nil {
				return err
			}
		}
	}
	if !changed {
		return refuse(`it changes the random numbers of a fill, of floats where it is nan, and there are none that "keep" does not keep`)
	}
	return nil
}

// limits returns the limits of the random numbers for a kind of inputs. Whole numbers keep their own limits:
// they may be places or keys.
func (e element) limits(kind framework.Inputs, least, greatest float64) (float64, float64, error) {
	if e.isFloat() {
		by := 1.0
		switch kind {
		case framework.HugeInputs:
			by = inputs.Factor(e.most())
		case framework.TinyInputs:
			by = 1 / inputs.Factor(e.most())
		}
		return least * by, greatest * by, nil
	}
	part := math.Floor((greatest - least) / 16)
	low := math.Max(least, math.Min(greatest, 0)) // nearest to 0
	switch kind {
	case framework.ZeroInputs:
		if low != 0 {
			return 0, 0, fmt.Errorf("whole numbers from %.0f to %.0f; 0 is none of them", least, greatest)
		}
	case framework.HugeInputs:
		if math.Abs(least) > math.Abs(greatest) {
			return least, least + part, nil
		}
		return greatest - part, greatest, nil
	case framework.TinyInputs:
		low = math.Max(least, low-math.Floor(part/2))
		return low, math.Min(greatest, low+part), nil
	}
	return least, greatest, nil
}

// make fills the vector, which is all zeros, with inputs of a kind, made from random numbers in [least,
// greatest].
func (v vector) make(kind framework.Inputs, least, greatest float64, seed, stream uint64) {
	least, greatest, _ = v.limits(kind, least, greatest) // checked by refuseInputs
	switch kind {
	case framework.ZeroInputs:
	case framework.ConstantInputs:
		one := newVector(v.element, 1)
		one.drawn(least, greatest, coarse(least, greatest), seed, stream)
		for i := range v.size {
			copy(v.data[i*v.bytes:], one.data)
		}
	case framework.SortedInputs:
		v.drawn(least, greatest, coarse(least, greatest), seed, stream)
		v.typed().sort()
	default:
		v.random(least, greatest, seed, stream)
		if kind == framework.NaNInputs && v.isFloat() {
			v.sprinkle(seed, stream)
		}
	}
}

// coarse returns a function that rounds numbers in [least, greatest] to nonzero multiples of a power of two,
// of which the interval has 32 to 64. Rounding errors of sums are random where the numbers are random; where
// numbers are alike, errors add up beyond every bound. Sums of products of such numbers between -1 and 1 are
// exact up to 2^14 in single precision.
func coarse(least, greatest float64) func(float64) float64 {
	_, exponent := math.Frexp(greatest - least)
	step := math.Ldexp(1, exponent-7)
	return func(x float64) float64 {
		y := step * math.Floor(x/step)
		if y == 0 || y < least {
			y += step
		}
		if y > greatest {
			return x
		}
		return y
	}
}

// sprinkledOf is the length of the groups of consecutive numbers in which sprinkle makes one, at a random
// place, not finite.
const sprinkledOf = 64

func (v vector) sprinkle(seed, stream uint64) {
	const places = 1 << 63 // apart from the streams of numbers
	g, numbers := rand.New(rand.NewPCG(seed, places|stream)), v.typed()
	for from, i := int64(0), 0; from < v.parts(); from, i = from+sprinkledOf, i+1 {
		at := from + g.Int64N(min(sprinkledOf, v.parts()-from))
		numbers.set(at, at+1, func() float64 { return inputs.Special(i) }, nil)
	}
}

// poison returns the byte that fills vectors before anything is written to them. It makes NaNs or, where NaN
// may be a right answer, large numbers.
func (p *problem) poison(value byte) byte {
	if value == framework.Poison && p.a.kind(p.params) == framework.NaNInputs {
		return 0x5b
	}
	return value
}

// scale returns the least magnitude that errors are relative to. Numbers that are alike cancel and leave
// rounding errors. Errors are then relative to the inputs, if these are larger than the answer.
func (p *problem) scale() (most float64) {
	if !p.a.kind(p.params).Even() {
		return 0
	}
	for i, v := range p.inputs {
		if p.a.arguments[i].Fill.follows() && v.isFloat() {
			_, largest := v.farthest(v)
			most = math.Max(most, largest)
		}
	}
	return most
}

// compared returns what is compared of answer i. If inputs are not all finite, a complex number with one part
// that is not finite is made NaN in both parts, because languages differ in the product of such numbers.
func (p *problem) compared(v vector, i int) vector {
	v = reduced(v, p.a.arguments[i].Compare)
	if !v.complex || p.a.kind(p.params) != framework.NaNInputs {
		return v
	}
	v = v.clone()
	if v.part == "f32" {
		spread(view[float32](v))
	} else {
		spread(view[float64](v))
	}
	return v
}

func spread[T inputs.Real](parts []T) {
	for i := 0; i+1 < len(parts); i += 2 {
		if re, im := float64(parts[i]), float64(parts[i+1]); math.IsNaN(re-re) || math.IsNaN(im-im) {
			parts[i], parts[i+1] = T(math.NaN()), T(math.NaN())
		}
	}
}

// errAlike reports that every problem drawn has the same inputs.
var errAlike = errors.New("other inputs of the problem were drawn alike")

// unlike makes a problem whose inputs differ from p's.
func (p *problem) unlike(env framework.Env, g *rand.Rand) (*problem, error) {
	const tries = 16 // small sets of small whole numbers may repeat
	for range tries {
		env.Seed = g.Uint64()
		x, err := p.a.newProblem(env, p.params)
		if err != nil {
			return nil, err
		}
		other := x.(*problem)
		if other.kept != nil {
			return other, nil // the keeper drew its inputs
		}
		if same, err := p.alike(other); !same || err != nil {
			return other, err
		}
		other.Close()
	}
	return nil, errAlike
}

// alike reports whether two problems with the same parameters hold the same inputs.
func (p *problem) alike(other *problem) (bool, error) {
	for i, v := range p.inputs {
		if !bytes.Equal(v.data, other.inputs[i].data) {
			return false, nil
		}
	}
	for _, list := range p.a.everyConstant() {
		for i := range list {
			a, err := p.content(&list[i], i)
			b, failed := other.content(&list[i], i)
			if err = errors.Join(err, failed); err != nil || !bytes.Equal(a.data, b.data) {
				return false, err
			}
		}
	}
	return true, nil
}
