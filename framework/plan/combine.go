package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// each calls do for every combination of the axes' values, the first axis slowest, until do returns
// false. index holds the position on each axis.
func each(axes []config.Axis, do func(index []int) bool) {
	for _, a := range axes {
		if len(a.Values) == 0 {
			return
		}
	}
	index := make([]int, len(axes))
	for {
		if !do(index) {
			return
		}
		i := len(axes) - 1
		for ; i >= 0; i-- {
			if index[i]++; index[i] < len(axes[i].Values) {
				break
			}
			index[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// has reports whether the version has the tunable.
func has(v *framework.Version, tunable string) bool {
	for _, t := range v.Tunables {
		if t.Name == tunable {
			return true
		}
	}
	return false
}

// tunedBy returns the axes over the version's tunables.
func (b *builder) tunedBy(v *framework.Version) (axes []config.Axis) {
	for _, a := range b.tuned {
		if has(v, a.Name) {
			axes = append(axes, a)
		}
	}
	return axes
}

// tooMany refuses a config with more points than one run can hold.
func (b *builder) tooMany() {
	combinations, points := 1.0, 0.0
	for _, a := range b.sweep {
		combinations *= float64(len(a.Values))
	}
	for _, v := range b.run {
		n := combinations
		for _, a := range b.tunedBy(v) {
			n *= float64(len(a.Values))
		}
		points += n
	}
	if points <= maxPoints {
		return
	}
	pos := b.first("sweep_arg", "tunables")
	if combinations == 1 {
		pos = b.first("tunables", "sweep_arg")
	}
	search := ""
	if len(b.tuned) > 0 && combinations <= maxPoints {
		search = " (bench tune searches larger spaces)"
	}
	b.errs.Add(b.cfg.Path, pos, "versions, sweep and tunables make %.0f points; want at most %d%s", points, maxPoints, search)
}

// points makes the points of every combination of the sweep, until ctx ends.
func (b *builder) points(ctx context.Context) {
	absent := map[*framework.Version]string{}
	for _, v := range b.run {
		switch {
		case v.Peer && v.Processor == framework.GPU && b.machine.Device == "sim":
			absent[v] = "a library's own kernels do not run in the simulator"
		case v.Available != nil && b.machine.Described:
			if !slices.Contains(b.plan.Assumed, v.Name) {
				b.plan.Assumed = append(b.plan.Assumed, v.Name)
			}
		case v.Available != nil:
			if err := v.Available(); err != nil {
				absent[v] = err.Error()
			}
		}
	}
	each(b.sweep, func(index []int) bool {
		if ctx.Err() != nil {
			return false
		}
		if !b.checkUsage(index) {
			return true
		}
		unfit, fit := b.check(index)
		if !fit {
			return true
		}
		// Versions of one problem are consecutive: they share its inputs.
		var order []string
		groups := map[string][]Point{}
		for _, v := range b.run {
			skip := absent[v]
			if skip == "" {
				skip = unfit[v.Processor]
			}
			params, use := b.params(index, v.Processor)
			for _, p := range b.version(ctx, v, params, skip) {
				b.use(&p, use)
				key := p.Problem()
				if groups[key] == nil {
					order = append(order, key)
				}
				groups[key] = append(groups[key], p)
			}
		}
		for _, key := range order {
			b.plan.Points = append(b.plan.Points, groups[key]...)
		}
		return true
	})
}

// params returns the algorithm's parameters at one sweep point, and those of its usage.
func (b *builder) params(index []int, processor framework.Processor) (values, use framework.Values) {
	values, use = framework.Values{}, framework.Values{}
	for _, p := range b.factory.Params {
		values[p.Name] = p.Default
		if processor == framework.GPU {
			values[p.Name] = b.defaultsGPU[p.Name]
		}
	}
	for _, s := range b.static {
		values[s.Name] = s.Value
	}
	for i, a := range b.sweep {
		values[a.Name] = a.Values[index[i]]
	}
	for _, name := range b.usage {
		use[name] = values[name]
		delete(values, name)
	}
	return values, use
}

// check asks the factory about one combination. If it is refused on every processor that the config
// chose, the config is at fault, and fit is false. If it is refused on only one, because defaults
// differ, it is skipped there with the reason in unfit, so that a config is valid on every machine.
func (b *builder) check(index []int) (unfit map[framework.Processor]string, fit bool) {
	unfit = map[framework.Processor]string{}
	var reason error
	asked := map[framework.Processor]bool{}
	for _, v := range b.chosen {
		if asked[v.Processor] {
			continue
		}
		asked[v.Processor] = true
		params, _ := b.params(index, v.Processor)
		if err := b.factory.CheckParams(params); err != nil {
			unfit[v.Processor] = err.Error()
			if reason == nil {
				reason = err
			}
		}
	}
	if len(unfit) < len(asked) || len(asked) == 0 {
		return unfit, true
	}
	// A wrong expression of the config is itself at fault, not the value at which it fails. The
	// position names its key.
	var p placed
	if errors.As(reason, &p) && p.Position().Line > 0 {
		b.refuse(p.Position(), p.Error())
	} else {
		b.refuse(b.blame(index, reason.Error()), reason.Error())
	}
	return unfit, false
}

// placed is an error that knows its position in the config.
type placed interface {
	error
	Position() config.Position
}

// blame returns the position of the value that a refusal is most likely about: the swept one that
// the reason names first, else the static one, else the last axis.
func (b *builder) blame(index []int, reason string) config.Position {
	best, at := -1, 0
	for i, a := range b.sweep {
		if m := mention(reason, a.Name); m >= 0 && (best < 0 || m < at) {
			best, at = i, m
		}
	}
	if best < 0 {
		for _, s := range b.static {
			if mention(reason, s.Name) >= 0 {
				return s.ValuePos()
			}
		}
		best = len(b.sweep) - 1
	}
	switch {
	case best >= 0:
		return b.sweep[best].ValuePos(index[best])
	case len(b.static) > 0:
		return b.static[len(b.static)-1].ValuePos()
	}
	return b.first("algorithm", "executable")
}

// mention returns the offset of name as a word in the text, or -1.
func mention(text, name string) int {
	m := regexp.MustCompile(`(?:^|[^\w-])(` + regexp.QuoteMeta(name) + `)(?:$|[^\w-])`).FindStringSubmatchIndex(text)
	if m == nil {
		return -1
	}
	return m[2]
}

// version makes the version's points at one sweep point: a skipped one, or one for each combination
// of its tunables.
func (b *builder) version(ctx context.Context, v *framework.Version, params framework.Values, skip string) []Point {
	p := Point{
		Algorithm: b.factory.Name,
		Version:   v.Name,
		Peer:      v.Peer,
		Processor: v.Processor,
		Device:    "cpu",
		PowerMode: b.machine.PowerMode,
		Params:    params,
		Skip:      skip,
	}
	for _, x := range b.factory.Params {
		p.ParamOrder = append(p.ParamOrder, x.Name)
	}
	if params[framework.InputsParam].IsSet() && !slices.Contains(p.ParamOrder, framework.InputsParam) {
		p.ParamOrder = append(p.ParamOrder, framework.InputsParam)
	}
	for _, t := range v.Tunables {
		p.TunableOrder = append(p.TunableOrder, t.Name)
	}
	var facts gpu.Facts
	if v.Processor == framework.GPU {
		p.Device, p.Shared = cmp.Or(b.machine.Shared, b.machine.Device, "cuda:0"), b.machine.Shared
		if b.machine.GPU != nil {
			facts = *b.machine.GPU
		}
	}
	if p.Skip == "" && v.Supports != nil {
		if err := v.Supports(params, facts); err != nil {
			p.Skip = err.Error()
		}
	}
	if p.Skip != "" || len(v.Tunables) == 0 {
		b.fit(&p, v, facts)
		return []Point{p}
	}
	var points []Point
	axes := b.tunedBy(v)
	defaults := b.tunablesOf(v, params, facts)
	own := defaults.Clone()
	// A program's tunables are declared by the config alone. They are swept until a search has
	// found the best.
	if b.machine.Tuned != nil && (len(axes) == 0 || b.factory.External) {
		if known, from := b.machine.Tuned(v, params, facts); known != nil {
			p.Tuned, axes = from, nil
			for name, x := range known {
				defaults[name] = x
			}
		}
	}
	each(axes, func(index []int) bool {
		q := p
		q.Tunables = defaults.Clone()
		for i, a := range axes {
			q.Tunables[a.Name] = a.Values[index[i]]
		}
		if v.Valid != nil {
			if err := v.Valid(params, q.Tunables, facts); err != nil {
				q.Skip = fmt.Sprintf("tunables cannot run: %v", err)
			}
		}
		for _, name := range q.TunableOrder {
			if q.Tunables[name] != own[name] {
				q.Changed = append(q.Changed, name)
			}
		}
		b.fit(&q, v, facts)
		points = append(points, q)
		return ctx.Err() == nil
	})
	return points
}

// tunablesOf returns the version's default tunables. A tunable without a default has its least
// value.
func (b *builder) tunablesOf(v *framework.Version, params framework.Values, facts gpu.Facts) framework.Values {
	values := framework.Values{}
	for _, t := range v.Tunables {
		if list := t.List(); len(list) > 0 {
			values[t.Name] = list[0]
		}
	}
	if v.Defaults != nil {
		for name, x := range v.Defaults(params, facts) {
			values[name] = x
		}
	}
	return values
}
