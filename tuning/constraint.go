package tuning

import (
	"fmt"
	"maps"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/expression"
	"example.org/bench/gpu"
)

// Constraint is a condition that every point of a space meets.
type Constraint struct{ expression *expression.Expression }

// ParseConstraint reads a constraint in the language of
// github.com/expr-lang/expr (configs). A number is not a constraint: it would always hold.
func ParseConstraint(text string) (Constraint, error) {
	e, err := expression.Parse(text)
	if err == nil && e.IsNumber() {
		err = fmt.Errorf("expression %q is a number; want a condition, such as A * B <= 1024", text)
	}
	return Constraint{e}, err
}

// ParsePythonConstraint reads a constraint as Python writes it (T1 files,
// manifests).
func ParsePythonConstraint(text string) (Constraint, error) {
	e, err := expression.ParsePython(text)
	return Constraint{e}, err
}

// String returns the constraint as written.
func (c Constraint) String() string { return c.expression.String() }

// Names returns the parameters and constants that the constraint depends on.
func (c Constraint) Names() []string { return c.expression.Names() }

// Check refuses what no version of the algorithm can bind: a name that the algorithm does not have, words
// where a name has numbers, and numbers where it has words.
func (c Constraint) Check(f *framework.Factory) error {
	b := binding{constants: map[string]float64{}, words: map[string]string{}}
	maps.Copy(b.constants, expression.DeviceFacts(gpu.Facts{WarpSize: 1}))
	for _, p := range f.Params {
		if p.Kind == framework.Text {
			b.words[p.Name] = p.Default.String()
		} else {
			b.constants[p.Name] = 1
		}
	}
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			b.parameters = append(b.parameters, settingParameter(t.Name, t.List()))
		}
	}
	_, _, err := b.bind([]Constraint{c})
	return err
}

// Bind ties the constraint to parameters, in their order.
func (c Constraint) Bind(parameters []Parameter) (*expression.Bound, error) {
	return c.expression.Bind(binding{parameters: parameters}.variable)
}

// binding finds the parameters and constants that a constraint names. Parameters come first.
type binding struct {
	parameters []Parameter
	constants  map[string]float64
	words      map[string]string
}

func (b binding) variable(name string) (expression.Variable, bool) {
	for i, p := range b.parameters {
		if p.Name == name {
			return expression.Variable{Slot: i, Labels: p.Labels, Fraction: p.Labels == nil && p.Settings != nil}, true
		}
	}
	if x, ok := b.constants[name]; ok {
		return expression.Variable{Slot: -1, Value: x}, true
	}
	if w, ok := b.words[name]; ok {
		return expression.Variable{Slot: -1, Labels: []string{w}}, true
	}
	return expression.Variable{}, false
}

// bind splits constraints at their "and"s and ties them to parameters. Parts that name no parameter are
// decided at once: never is a constraint with such a part that does not hold.
func (b binding) bind(constraints []Constraint) (bound []*expression.Bound, never string, err error) {
	for _, c := range constraints {
		for _, part := range c.expression.Conjuncts() {
			x, err := part.Bind(b.variable)
			if err != nil {
				return nil, "", fmt.Errorf("constraint %w", err)
			}
			switch {
			case len(x.Slots()) > 0:
				bound = append(bound, x)
			case !x.Holds(nil):
				return nil, c.String(), nil
			}
		}
	}
	return bound, "", nil
}

// searchOrder returns the order in which to give the parameters values: the constraint that leaves the fewest
// combinations of its free parameters comes next, and of its parameters those with few values first.
// Parameters that no constraint names come last.
func searchOrder(sizes []int, constraints []*expression.Bound) []int {
	var order []int
	placed := make([]bool, len(sizes))
	for {
		var best []int
		fewest := 0.0
		for _, c := range constraints {
			product := 1.0
			var free []int
			for _, s := range c.Slots() {
				if !placed[s] {
					free = append(free, s)
					product *= float64(sizes[s])
				}
			}
			if len(free) > 0 && (best == nil || product < fewest) {
				best, fewest = free, product
			}
		}
		if best == nil {
			break
		}
		slices.SortStableFunc(best, func(a, b int) int { return sizes[a] - sizes[b] })
		for _, s := range best {
			placed[s] = true
		}
		order = append(order, best...)
	}
	for s := range sizes {
		if !placed[s] {
			order = append(order, s)
		}
	}
	return order
}
