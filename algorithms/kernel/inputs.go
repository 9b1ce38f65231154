package kernel

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"bench/framework"
	"bench/framework/half"
	"bench/framework/inputs"
)

// follows is whether a kind of inputs changes what the fill makes.
func (f *fill) follows() bool { return f != nil && f.Random != nil && !f.Keep }

// kind is that of a problem's inputs; a parameter of that name of the config's own is none.
func (a *algorithm) kind(params framework.Values) framework.Inputs {
	if slices.ContainsFunc(a.def.Params, func(p param) bool { return p.Name == framework.InputsParam }) {
		return framework.RandomInputs
	}
	return framework.InputsOf(params)
}

// refuseInputs is the framework.Factory.Inputs of the config.
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

// limits are those of the random numbers that a kind of inputs is made of. Whole numbers stay within their
// own: they may be places or keys.
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

// make fills the vector, which is all zeros, with inputs of a kind, of random numbers in [least, greatest].
func (v vector) make(kind framework.Inputs, least, greatest float64, seed, stream uint64) {
	least, greatest, _ = v.limits(kind, least, greatest) // refuseInputs has looked
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
		v.sort()
	default:
		v.random(least, greatest, seed, stream)
		if kind == framework.NaNInputs && v.isFloat() {
			v.sprinkle(seed, stream)
		}
	}
}

// coarse rounds numbers in [least, greatest] to multiples of a power of two, but 0, of which there are 32 to 64
// in there. Rounding errors of sums are random where numbers are; where these are alike errors add up, beyond
// every bound. Sums of products of such numbers between -1 and 1 are exact up to 2^14 in single precision.
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

// sort puts the vector's numbers in ascending order.
func (v vector) sort() {
	switch v.part {
	case "f16":
		sortBits(v, half.Binary16)
	case "bf16":
		sortBits(v, half.BFloat16)
	case "f32":
		slices.Sort(view[float32](v))
	case "f64":
		slices.Sort(view[float64](v))
	case "i8":
		slices.Sort(view[int8](v))
	case "u8":
		slices.Sort(view[uint8](v))
	case "i16":
		slices.Sort(view[int16](v))
	case "u16":
		slices.Sort(view[uint16](v))
	case "i32":
		slices.Sort(view[int32](v))
	case "u32":
		slices.Sort(view[uint32](v))
	case "i64":
		slices.Sort(view[int64](v))
	case "u64":
		slices.Sort(view[uint64](v))
	}
}

func sortBits(v vector, f half.Format) {
	slices.SortFunc(view[uint16](v), func(a, b uint16) int { return cmp.Compare(f.Decode(a), f.Decode(b)) })
}

// sprinkledOf: of so many numbers that follow each other, one at a drawn place is not finite.
const sprinkledOf = 64

func (v vector) sprinkle(seed, stream uint64) {
	const places = 1 << 63 // apart from the streams of numbers
	g := rand.New(rand.NewPCG(seed, places|stream))
	for from, i := int64(0), 0; from < v.parts(); from, i = from+sprinkledOf, i+1 {
		at := from + g.Int64N(min(sprinkledOf, v.parts()-from))
		v.set(at, at+1, func() float64 { return inputs.Special(i) }, nil)
	}
}

// poison is what a vector holds that nothing has written: no number, but where that may be a right
// answer a large one.
func (p *problem) poison(value byte) byte {
	if value == framework.Poison && p.a.kind(p.params) == framework.NaNInputs {
		return 0x5b
	}
	return value
}

// scale is the least magnitude that errors are relative to. Numbers that are alike cancel, and leave what
// rounding left of them: errors are relative to the inputs then, if these are larger than the answer.
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

// compared is what of an answer i is compared. Where inputs are not all finite, a complex number of which a
// part is not has none that is: what a product makes of it is not the same in all languages.
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

// errAlike is of a problem of which each has the same inputs.
var errAlike = errors.New("other inputs of the problem were drawn alike")

// unlike makes a problem with other inputs than this one's.
func (p *problem) unlike(env framework.Env, g *rand.Rand) (*problem, error) {
	const tries = 16 // few and small whole numbers may be drawn twice
	for range tries {
		env.Seed = g.Uint64()
		x, err := p.a.newProblem(env, p.params)
		if err != nil {
			return nil, err
		}
		other := x.(*problem)
		if other.kept != nil {
			return other, nil // its keeper drew them
		}
		if same, err := p.alike(other); !same || err != nil {
			return other, err
		}
		other.Close()
	}
	return nil, errAlike
}

// alike is whether two problems of the same parameters hold the same.
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
