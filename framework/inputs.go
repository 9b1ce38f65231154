package framework

import (
	"fmt"
	"slices"
)

// InputsParam is the parameter that selects the kind of a problem's inputs. An algorithm has it if
// its factory has Inputs, unless it has its own parameter of that name. If a config does not name
// it, inputs are random and the runs have no such column.
const InputsParam = "inputs"

// Inputs is a kind of inputs. docs/config.md defines each kind by element type.
type Inputs string

// The kinds of inputs.
const (
	RandomInputs   Inputs = "random"
	ZeroInputs     Inputs = "zeros"
	ConstantInputs Inputs = "constant" // one random number everywhere
	SortedInputs   Inputs = "sorted"   // the random numbers in ascending order
	HugeInputs     Inputs = "huge"
	TinyInputs     Inputs = "tiny"
	NaNInputs      Inputs = "nan" // some are NaN or infinite
)

// InputKinds returns all kinds.
func InputKinds() []Inputs {
	return []Inputs{RandomInputs, ZeroInputs, ConstantInputs, SortedInputs, HugeInputs, TinyInputs, NaNInputs}
}

// InputsOf returns the kind of a problem's inputs.
func InputsOf(params Values) Inputs {
	if v := params[InputsParam]; v.IsSet() {
		return Inputs(v.String())
	}
	return RandomInputs
}

// Even reports whether the numbers are so alike that their sums cancel or add up as sums of random
// numbers do not. Bounds that rest on chance then do not hold.
func (k Inputs) Even() bool { return k == ConstantInputs || k == SortedInputs }

// OnlyInputs returns a Factory.Inputs that accepts these kinds beside random inputs; reason says
// why it accepts no others.
func OnlyInputs(reason string, kinds ...Inputs) func(Inputs, Values) error {
	return func(kind Inputs, _ Values) error {
		if slices.Contains(kinds, kind) {
			return nil
		}
		return fmt.Errorf("%s = %s: %s", InputsParam, kind, reason)
	}
}

// inputsParam returns the parameter InputsParam, or nil if the factory has none.
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

// CheckParams returns an error for settings that make no problem, by Check, or that have a kind of
// inputs which the algorithm lacks.
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
