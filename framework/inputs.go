package framework

import (
	"fmt"
	"slices"
)

// InputsParam is the parameter of what a problem's inputs are. An algorithm whose factory has
// Inputs has it, unless it has a parameter of that name itself. One that a config does not name is
// no column of its runs, and inputs are random then.
const InputsParam = "inputs"

// Inputs is a kind of inputs. docs/config.md defines each by element type.
type Inputs string

// The kinds.
const (
	RandomInputs   Inputs = "random"
	ZeroInputs     Inputs = "zeros"
	ConstantInputs Inputs = "constant" // one of the random numbers everywhere
	SortedInputs   Inputs = "sorted"   // the random numbers in ascending order
	HugeInputs     Inputs = "huge"
	TinyInputs     Inputs = "tiny"
	NaNInputs      Inputs = "nan" // some are not a number, or infinite
)

// InputKinds are all kinds.
func InputKinds() []Inputs {
	return []Inputs{RandomInputs, ZeroInputs, ConstantInputs, SortedInputs, HugeInputs, TinyInputs, NaNInputs}
}

// InputsOf is the kind of a problem's inputs.
func InputsOf(params Values) Inputs {
	if v := params[InputsParam]; v.IsSet() {
		return Inputs(v.String())
	}
	return RandomInputs
}

// Even is whether the numbers are so much alike that sums of them cancel, or add up, as those of
// random numbers do not: bounds that rest on chance do not hold.
func (k Inputs) Even() bool { return k == ConstantInputs || k == SortedInputs }

// OnlyInputs is a Factory.Inputs that takes some kinds beside random numbers; reason says why no
// others.
func OnlyInputs(reason string, kinds ...Inputs) func(Inputs, Values) error {
	return func(kind Inputs, _ Values) error {
		if slices.Contains(kinds, kind) {
			return nil
		}
		return fmt.Errorf("%s = %s: %s", InputsParam, kind, reason)
	}
}

// inputsParam is the parameter of that name; nil where the factory has none.
func (f *Factory) inputsParam() *Param {
	if f.Inputs == nil {
		return nil
	}
	p := &Param{Name: InputsParam, Doc: "what the inputs are", Kind: Text, Default: TextValue(string(RandomInputs))}
	for _, k := range InputKinds() {
		p.Choices = append(p.Choices, string(k))
	}
	return p
}

// CheckParams refuses settings that make no problem: those of Check, and inputs that are none of the
// algorithm's.
func (f *Factory) CheckParams(params Values) error {
	if f.Check != nil {
		if err := f.Check(params); err != nil {
			return err
		}
	}
	if p := f.Param(InputsParam); p == nil || slices.ContainsFunc(f.Params, func(own Param) bool { return own.Name == InputsParam }) {
		return nil
	}
	if kind := InputsOf(params); kind != RandomInputs {
		return f.Inputs(kind, params)
	}
	return nil
}
