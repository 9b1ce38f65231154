package kernel

import (
	"bytes"
	"fmt"

	"bench/cuda"
	"bench/framework"
)

// problem is the inputs of one sweep point and, once asked for, the right
// answer.
type problem struct {
	a      *algorithm
	params framework.Values
	sizes  []int64 // of vectors, in elements; 0 for scalars and scratch
	// inputs and right are vectors by index of argument.
	inputs, right map[int]vector
	// uploaded are the inputs on the device, untouched, by index of argument.
	uploaded map[int]cuda.Pointer
	held     framework.GPURun // on the device, until Close
	// judged are the last answers by index of argument with their checks.
	judged map[int]judged
}

// judged is an answer that was compared. Versions and tunables often give the
// same bits, and bits are compared faster than numbers.
type judged struct {
	answer vector
	check  framework.Check
}

func (a *algorithm) newProblem(env framework.Env, params framework.Values) (framework.Problem, error) {
	if err := a.check(params); err != nil {
		return nil, err
	}
	p := &problem{a: a, params: params, sizes: make([]int64, len(a.arguments)), inputs: map[int]vector{},
		uploaded: map[int]cuda.Pointer{}, judged: map[int]judged{}}
	names := settings(cuda.Facts{}, params)
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.Use == scratch {
			continue
		}
		n, err := a.size(o, names)
		if err != nil {
			return nil, err
		}
		p.sizes[i] = n
		if !o.isFilled() {
			continue
		}
		e := o.element(params)
		if o.Fill.File != "" {
			if p.inputs[i], err = readArray(a.inFolder(o.Fill.File), e, n); err != nil {
				return nil, fmt.Errorf("argument %s: %w", o.Name, err)
			}
			continue
		}
		v := newVector(e, n)
		if o.Fill.Constant != nil {
			v.constant(*o.Fill.Constant)
		} else {
			v.random(o.Fill.Random[0], o.Fill.Random[1], env.Seed, uint64(i))
		}
		p.inputs[i] = v
	}
	return p, nil
}

// Close drops the memory.
func (p *problem) Close() {
	p.inputs, p.right, p.uploaded, p.judged = nil, nil, nil, nil
	p.held.PostRun() //nolint:errcheck // the device is closed, or what runs next fails
}

// upload returns the device's untouched copy of an input. It is made once: a
// search runs thousands of points on one problem.
func (p *problem) upload(d cuda.Device, i int) (cuda.Pointer, error) {
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

// element is the type of an argument here.
func (p *problem) element(i int) element { return p.a.arguments[i].element(p.params) }

// poison is what outputs hold before a run: of floats, not a number.
const poison = 0xff

// start is what a vector holds before a run.
func (p *problem) start(i int) vector {
	if v, ok := p.inputs[i]; ok {
		return v.clone()
	}
	v := newVector(p.element(i), p.sizes[i])
	for j := range v.data {
		v.data[j] = poison
	}
	return v
}

// NotVerified begins the note of a point whose config has no right answer; the
// config's reason follows.
const NotVerified = "the answer is not verified: "

// verify compares an answer with the right one, which it makes when first
// asked.
func (p *problem) verify(env framework.Env, answer func(i int) (vector, error)) ([]framework.Check, error) {
	if why := p.a.def.Verify.None; why != "" {
		env.Note("%s%s", NotVerified, why)
		return nil, nil
	}
	if p.right == nil {
		right, err := p.a.reference.answer(env, p)
		if err != nil {
			return nil, fmt.Errorf("the right answer: %w", err)
		}
		p.right = right
	}
	var checks []framework.Check
	for _, i := range p.a.answers() {
		got, err := answer(i)
		if err != nil {
			return nil, err
		}
		last, ok := p.judged[i]
		if !ok || !bytes.Equal(last.answer.data, got.data) {
			last = judged{got.clone(), compare(p.a.arguments[i].Name, got, p.right[i], p.a.tolerance(i, p.element(i)))}
			p.judged[i] = last
		}
		checks = append(checks, last.check)
	}
	return checks, nil
}

// tolerance is the greatest error of an output.
func (a *algorithm) tolerance(i int, e element) float64 {
	t := a.def.Verify.Tolerance
	if x, ok := t.Named[a.arguments[i].Name]; ok {
		return x
	}
	switch {
	case t.All != nil:
		return *t.All
	case e.name == "f32":
		return 1e-5
	case e.name == "f64":
		return 1e-13
	}
	return 0
}
