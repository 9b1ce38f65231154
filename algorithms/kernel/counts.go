package kernel

import (
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

func countOf(x *computed, env scope) (int64, error) {
	if x == nil {
		return 0, nil
	}
	return x.count(env)
}

// nominalWork returns the work by the definition of the problem, which is the same for every version.
func (a *algorithm) nominalWork(params framework.Values) (w framework.Work, err error) {
	env := settings(gpu.Facts{}, params)
	if w.NominalFLOPs, err = countOf(a.nominal.flops, env); err != nil {
		return w, fmt.Errorf("nominal_flops: %w", err)
	}
	if w.Items, err = countOf(a.nominal.items, env); err != nil {
		return w, fmt.Errorf("items: %w", err)
	}
	if a.nominal.bytes != nil {
		if w.NominalBytes, err = a.nominal.bytes.count(env); err != nil {
			return w, fmt.Errorf("nominal_bytes: %w", err)
		}
		return w, nil
	}
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.loose || o.inside {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			return w, err
		}
		bytes := n * o.element(params).bytes
		if o.Use == inPlace {
			bytes *= 2
		}
		w.NominalBytes += bytes
	}
	return w, nil
}

// work returns nominalWork and what the version executes.
func (a *algorithm) work(v *variant, params, tunables framework.Values, facts gpu.Facts) (framework.Work, error) {
	w, err := a.nominalWork(params)
	if err != nil {
		return w, err
	}
	env := settings(facts, params, tunables)
	for _, c := range []struct {
		name string
		x    *computed
		to   *int64
	}{{"flops", v.counts.flops, &w.FLOPs}, {"load_bytes", v.counts.load, &w.LoadBytes}, {"store_bytes", v.counts.store, &w.StoreBytes}} {
		if *c.to, err = countOf(c.x, env); err != nil {
			return w, fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return w, nil
}

// hostBytes returns the bytes of the inputs, the right answer and one answer to compare.
func (a *algorithm) hostBytes(params framework.Values) int64 {
	env := settings(gpu.Facts{}, params)
	total := int64(0)
	for i := range a.arguments {
		o := &a.arguments[i]
		if !o.isVector() || o.loose {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			continue // refused by check
		}
		bytes := n * o.element(params).bytes
		if o.isFilled() {
			total += bytes
		}
		if o.isAnswer() && o.fields == nil {
			total += 3 * bytes // the right answer may be in double precision
		}
	}
	return total
}

// used reports, by index of argument, which vectors are passed to launches. Answers are always used.
func (a *algorithm) used(launches []kernelLaunch) []bool {
	list := make([]bool, len(a.arguments))
	for i := range a.arguments {
		o := &a.arguments[i]
		list[i] = o.isVector() && (o.isAnswer() || slices.ContainsFunc(launches, func(l kernelLaunch) bool { return slices.Contains(l.reached, i) }))
	}
	return list
}

// deviceBytes returns the device memory of a version's run: the vectors that it uses, untouched copies of the
// inputs, and arrays of pointers, unless they depend on loops.
func (a *algorithm) deviceBytes(v *variant, params, tunables framework.Values) int64 {
	env := settings(gpu.Facts{}, params, tunables)
	total := int64(0)
	lists := map[int]bool{}
	for _, l := range v.launches {
		for _, i := range l.reached {
			p := a.arguments[i].pointer
			if p != nil && p.image != nil && !lists[i] {
				lists[i] = true
				if form, err := a.array(&a.arguments[i], params, env); err == nil {
					total += form.Bytes()
				}
			}
			if p == nil || !p.list || lists[i] {
				continue
			}
			lists[i] = true
			if n, err := p.turns(env); err == nil {
				total += 8 * n * int64(len(p.to))
			}
		}
	}
	for i, used := range a.used(v.launches) {
		o := &a.arguments[i]
		if !used || o.inside {
			continue
		}
		n, err := a.size(o, env)
		if err != nil {
			continue
		}
		bytes := n * o.element(params).bytes
		if o.isFilled() {
			bytes *= 2
		}
		total += bytes
	}
	return total
}
