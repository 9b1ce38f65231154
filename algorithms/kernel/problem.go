package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/digest"
	"example.org/bench/gpu"
)

// problem is the inputs of one sweep point and, once asked for, the right answer.
type problem struct {
	a      *algorithm
	params framework.Values
	seed   uint64   // of random inputs
	kept   *kept    // asks the keeper of the seed and the right answer; nil means this process keeps them
	second *problem // with other inputs; nil until made
	sizes  []int64  // elements of vectors; 0 for scalars and for sizes that depend on tunables
	// inputs and right are vectors by index of argument.
	inputs, right map[int]vector
	// uploaded holds the untouched inputs on the device, by index of argument.
	uploaded map[int]gpu.Pointer
	held     framework.GPURun // on the device, until Close
	digests  bool             // whether onDevice was looked for
	onDevice *digest.Digester // nil means the host compares
	// inputDigests holds the digests of inputs, by index of argument; 0 if not known yet.
	inputDigests map[int]uint64
	// judged holds the last answers, by index of argument, with their checks.
	judged map[int]*judged
}

// judged is an answer that was compared. Versions and tunables often give the same bits, and bits are
// compared faster than numbers.
type judged struct {
	answer vector
	check  framework.Check
	digest uint64 // of the answer; 0 if not known yet
}

func (a *algorithm) newProblem(env framework.Env, params framework.Values) (framework.Problem, error) {
	if err := a.check(params); err != nil {
		return nil, err
	}
	p := &problem{a: a, params: params, seed: env.Seed, sizes: make([]int64, len(a.arguments)), inputs: map[int]vector{},
		uploaded: map[int]gpu.Pointer{}, inputDigests: map[int]uint64{}, judged: map[int]*judged{}}
	kept, err := keptBy(env.Keeper, params, env.Set)
	if err != nil {
		return nil, err
	}
	var inputs map[int][]byte
	if p.kept = kept; kept != nil {
		if inputs, err = kept.inputs(); err != nil {
			return nil, err
		}
	}
	names := settings(gpu.Facts{}, params)
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.loose {
			continue
		}
		n, err := a.size(o, names)
		if err != nil {
			return nil, err
		}
		p.sizes[i] = n
		if !o.isFilled() || o.fields != nil {
			continue
		}
		if kept != nil {
			if p.inputs[i], err = (Vector{o.element(params).name, n, inputs[i]}).received(); err != nil {
				return nil, fmt.Errorf("argument %s: %w", o.Name, err)
			}
			continue
		}
		if p.inputs[i], err = a.filled(o, o.element(params), n, a.kind(params), p.seed, uint64(i)); err != nil {
			return nil, fmt.Errorf("argument %s: %w", o.Name, err)
		}
	}
	for i := range a.arguments {
		if o := &a.arguments[i]; o.fields != nil && o.isVector() && o.isFilled() {
			p.inputs[i] = p.packed(i)
		}
	}
	return p, nil
}

// filled returns a vector of n elements with the operand's fill for a kind of inputs. stream distinguishes
// the vectors of a problem.
func (a *algorithm) filled(o *operand, e element, n int64, kind framework.Inputs, seed, stream uint64) (vector, error) {
	if o.Fill.File != "" {
		return readArray(a.inFolder(o.Fill.File), e, n)
	}
	v := newVector(e, n)
	switch {
	case o.Fill.Constant != nil:
		v.constant(*o.Fill.Constant)
	case o.Fill.Keep:
		v.random(o.Fill.Random[0], o.Fill.Random[1], seed, stream)
	default:
		v.make(kind, o.Fill.Random[0], o.Fill.Random[1], seed, stream)
	}
	return v, nil
}

// sized returns the sizes of all vectors in a version with those tunables. A vector that the version lacks
// has size 0.
func (p *problem) sized(launches []kernelLaunch, tunables framework.Values, facts gpu.Facts) ([]int64, error) {
	sizes := slices.Clone(p.sizes)
	env := settings(facts, p.params, tunables)
	for _, i := range p.a.loose(launches) {
		var err error
		if sizes[i], err = p.a.size(&p.a.arguments[i], env); err != nil {
			return nil, err
		}
	}
	return sizes, nil
}

// Close drops the memory.
func (p *problem) Close() {
	if p.second != nil {
		p.second.Close()
	}
	d := p.onDevice
	p.second, p.inputs, p.right, p.uploaded, p.judged, p.onDevice = nil, nil, nil, nil, nil, nil
	_ = errors.Join(d.Close(), p.held.PostRun()) // the device is closed, or the next run fails
}

// upload returns the device's untouched copy of an input. The copy is made once, because a search runs
// thousands of points on one problem.
func (p *problem) upload(d gpu.Device, i int) (gpu.Pointer, error) {
	if at, ok := p.uploaded[i]; ok {
		return at, nil
	}
	p.held.Device = d
	at, err := framework.AllocCopy(&p.held, p.inputs[i].data)
	if err != nil {
		return 0, err
	}
	p.uploaded[i] = at
	return at, nil
}

// element returns the type of an argument in this problem.
func (p *problem) element(i int) element { return p.a.arguments[i].element(p.params) }

// start sets a vector of argument i to what it holds before a run: the input, in double precision if the
// vector is, or poison.
func (p *problem) start(v vector, i int) {
	in, ok := p.inputs[i]
	switch {
	case !ok:
		framework.OverwriteBytes(v.data, p.poison(framework.Poison))
	case in.element == v.element:
		copy(v.data, in.data)
	default:
		in.typed().into(view[float64](v), 0)
	}
}

// answerer holds the answer of a run.
type answerer interface {
	// asJudged reports whether an output is known to have the bits that were judged last.
	asJudged(i int) (bool, error)
	answer(i int) (vector, error)
}

// verify compares an answer with the right one, which the first call makes.
func (p *problem) verify(env framework.Env, a answerer) ([]framework.Check, error) {
	if why := p.a.def.Verify.None; why != "" {
		env.Remark("%s%s", framework.NotVerified, why)
		return nil, nil
	}
	if p.kept != nil {
		return p.verifyKept(env, a)
	}
	if p.right == nil {
		right, err := p.a.reference.answer(env, p)
		if err != nil {
			return nil, fmt.Errorf("the right answer: %w", err)
		}
		p.right = right
	}
	var checks []framework.Check
	for _, i := range p.a.comparedAnswers() {
		if known, err := a.asJudged(i); err != nil {
			return nil, err
		} else if known {
			checks = append(checks, p.judged[i].check)
			continue
		}
		got, err := a.answer(i)
		if err != nil {
			return nil, err
		}
		last := p.judged[i]
		if last == nil || last.answer.element != got.element || !bytes.Equal(last.answer.data, got.data) {
			o := &p.a.arguments[i]
			last = &judged{answer: got.clone(), check: compare(o.compared(), p.compared(got, i), p.compared(p.right[i], i), p.tolerance(i), p.scale())}
			p.judged[i] = last
		}
		checks = append(checks, last.check)
	}
	return checks, nil
}

// verifyKept has the keeper compare an answer, unless it is the one that it compared last.
func (p *problem) verifyKept(env framework.Env, a answerer) (checks []framework.Check, err error) {
	answers, known := map[int]vector{}, true
	for _, i := range p.a.comparedAnswers() {
		if answers[i], err = a.answer(i); err != nil {
			return nil, err
		}
		last := p.judged[i]
		known = known && last != nil && last.answer.element == answers[i].element && bytes.Equal(last.answer.data, answers[i].data)
	}
	if !known {
		made, err := p.kept.verify(env, answers)
		if err != nil {
			return nil, err
		}
		if len(made) != len(answers) {
			return nil, fmt.Errorf("the keeper has %d checks of %d answers", len(made), len(answers))
		}
		for at, i := range p.a.comparedAnswers() {
			p.judged[i] = &judged{answer: answers[i].clone(), check: made[at]}
		}
	}
	for _, i := range p.a.comparedAnswers() {
		checks = append(checks, p.judged[i].check)
	}
	return checks, nil
}

// changed returns checks for the inputs that a run changed. same reports whether a vector holds what it did
// before; now returns what it holds.
func (p *problem) changed(same func(i int) (bool, error), now func(i int) (vector, error)) (checks []framework.Check, err error) {
	for i := range p.a.arguments {
		o := &p.a.arguments[i]
		before, ok := p.inputs[i]
		if !ok || o.Use != input || o.fields != nil {
			continue
		}
		if equal, err := same(i); err != nil {
			return nil, err
		} else if equal {
			continue
		}
		after, err := now(i)
		if err != nil {
			return nil, err
		}
		checks = append(checks, framework.Check{
			Metric: o.Name + ": share of elements changed of an input, which wants the use in_place,",
			Error:  differing(after, before),
			Where:  changedElements(o.Name, after, before),
		})
	}
	return checks, nil
}

// tolerance returns the greatest permitted error of an output.
func (p *problem) tolerance(i int) float64 {
	t := p.a.def.Verify.Tolerance
	if x, ok := t.Named[p.a.arguments[i].Name]; ok {
		return x
	}
	if t.All != nil {
		return *t.All
	}
	return tolerances[p.element(i).part]
}

// tolerances holds the greatest permitted errors of floating-point numbers unless the config sets others: 168
// units of rounding (2^-24) of a float and 900 (2^-53) of a double, for sums of a few thousand terms; 4 of
// the 16-bit types (2^-11 and 2^-8), whose answers are sums in a wider type, rounded once to the type.
var tolerances = map[string]float64{"f32": 1e-5, "f64": 1e-13, "f16": 2e-3, "bf16": 1.6e-2}

// compared names what is compared of an output.
func (o *operand) compared() string {
	if o.Compare == "" || o.Compare == byElement {
		return o.Name
	}
	return o.Name + " (" + o.Compare + ")"
}
