package kernel

import (
	"example.org/bench/framework"
	"example.org/bench/framework/mismatch"
)

// answers returns each output, as answer gives it, with the right one, which verify made.
func (p *problem) answers(answer func(i int) (vector, error)) (list []framework.Answer, err error) {
	if p.right == nil && p.kept != nil {
		if p.right, err = p.kept.right(); err != nil {
			return nil, err
		}
	}
	if p.right == nil {
		return nil, nil
	}
	for _, i := range p.a.comparedAnswers() {
		o := &p.a.arguments[i]
		got, err := answer(i)
		if err != nil {
			return nil, err
		}
		compared, right := p.compared(got, i), p.compared(p.right[i], i)
		a := framework.Answer{Name: o.Name, Shape: p.shape(i), Got: compared.array(), Want: right.array(), Metric: p.judged[i].check.Metric}
		if o.Compare != "" && o.Compare != byElement {
			a.Output, a.Shape = got.array(), nil
		}
		if tolerance := p.tolerance(i); compared.isFloat() || tolerance > 0 {
			_, scale := right.farthest(right)
			if scale = max(scale, p.scale()); scale == 0 {
				scale = 1
			}
			a.Most = framework.Evenly(tolerance * scale)
		}
		list = append(list, a)
	}
	return list, nil
}

// array converts the vector to a framework.Array.
func (v vector) array() framework.Array {
	return framework.Array{Type: v.npy, Lanes: int(v.npyNumbers()), Bytes: v.data}
}

// changedElements describes which elements of an input changed.
func changedElements(name string, after, before vector) string {
	m, err := mismatch.Of(framework.Answer{Name: name, Got: after.array(), Want: before.array()}, nil)
	if err != nil {
		return err.Error()
	}
	return m.String()
}

// shape returns the extents of a vector: the factors of its size, or nil if the size is no product.
func (p *problem) shape(i int) []int64 {
	var list []int64
	for _, x := range p.a.arguments[i].extents {
		n, err := x.whole(settingsOf(p.params))
		if err != nil || n < 1 {
			return nil
		}
		list = append(list, n)
	}
	return list
}

// Answers implements framework.Answerer.
func (g *gpuRun) Answers() ([]framework.Answer, error) { return g.p.answers(g.answer) }

// Written implements framework.Writer. It counts the outputs of which a run writes every element.
func (g *gpuRun) Written() int64 {
	return g.p.a.written(func(i int) int64 { return g.bytes[i] })
}

// written returns the total bytes of the arguments that each run writes whole.
func (a *algorithm) written(bytes func(i int) int64) (sum int64) {
	for _, i := range a.answers() {
		if a.arguments[i].isWritten() {
			sum += bytes(i)
		}
	}
	return sum
}

// Written implements framework.Writer, like that of gpuRun.
func (r *cpuRun) Written() int64 {
	return r.p.a.written(func(i int) int64 { return int64(len(r.c.vectors[i].data)) })
}

// overwrites says whether argument i is a vector that Overwrite writes.
func (g *gpuRun) overwrites(i int) bool {
	o := &g.p.a.arguments[i]
	return g.vectors[i] != 0 && (o.isAnswer() || o.Use == scratch) && o.Use != inPlace
}

// Overwritten implements framework.MemoryOverwriter, but for the module's variables, which are small.
func (g *gpuRun) Overwritten() (list []framework.Transfer) {
	for i, at := range g.vectors {
		if g.overwrites(i) {
			list = append(list, framework.Transfer{At: at, Bytes: g.bytes[i]})
		}
	}
	return list
}

// Overwrite implements framework.Overwriter. It erases what an earlier run left in outputs, in scratch memory
// and in the module's variables.
func (g *gpuRun) Overwrite(value byte) error {
	for i, at := range g.vectors {
		o := &g.p.a.arguments[i]
		if !g.overwrites(i) {
			continue
		}
		if o.isFilled() { // a run may leave parts of it unwritten
			if err := g.Device.CopyAsync(at, g.p.uploaded[i], g.bytes[i], g.Env.Stream); err != nil {
				return err
			}
			continue
		}
		if err := g.Device.SetAsync(at, g.p.poison(value), g.bytes[i], g.Env.Stream); err != nil {
			return err
		}
	}
	for _, v := range g.variables {
		if err := g.Device.CopyAsync(v.at, v.from[0], v.bytes, g.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

// Answers implements framework.Answerer.
func (r *cpuRun) Answers() ([]framework.Answer, error) {
	return r.p.answers(r.answer)
}
